"""The numbered facts of the receipts protocol, participant side, each named in a few words.

The facts were read from public code, tests and reviews; rules cite them by number. A fact that no
rule states says here why, so that a gap is a sentence and never an oversight. Imports attrs only.
"""

import attrs

CONTROLLER = "a promise of the controller: the ledger and the controller come as a later part"
MODEL = "the policy model participant comes as a later part"
VOCABULARY = "no rule but a type: values are made and checked in `vocabulary`, `strict` and `saved`"
SHAPE = "no rule but a model: the wire models and their JSON Schemas hold it"
UPKEEP = "upkeep of one code base, nothing that a trace can show"
SECOND = "belongs to the second generation of the protocol"


@attrs.frozen
class Fact:
    """One numbered fact, and why no rule states it where none does."""

    number: str
    title: str
    without: str = ""


# fmt: off
FACTS: tuple[Fact, ...] = (
    # Sections.
    Fact("1.1", "identity: rollout id, attempt, key, capture key, headers"),
    Fact("1.2", "the boundary record and its kinds"),
    Fact("1.3", "the completion receipt"),
    Fact("1.4", "other terms, among them what refuses a key"),
    Fact("2.1", "the order in which a fenced operation is answered"),
    Fact("2.2", "every phase against every operation"),
    Fact("2.3", "what becomes of checkpoint ids"),
    Fact("2.4", "deadlines: which operations heed them"),
    Fact("2.5", "the token comes before everything, capabilities excepted"),
    Fact("2.6", "the order in which a controller calls", CONTROLLER),
    Fact("3.1", "what an agent keeps, and the states of a key",
         "no rule but a list: the states of the execution chart"),
    Fact("3.2", "what a run gets, first or repeated"),
    Fact("3.3", "every event against every state of an execution"),
    Fact("3.4", "when a checkpoint is ready, and what is written"),
    Fact("3.5", "a refused call parks and is issued again"),
    Fact("3.6", "what retire answers"),
    Fact("3.7", "acknowledgement and receipts"),
    Fact("3.8", "restore on the agent"),
    Fact("3.9", "where the whitebox agent puts its boundaries",
         "one agent's habit; where boundaries stand is left to the author of the agent"),
    Fact("4.1", "admission of a policy model", MODEL),
    Fact("4.2", "generation cuts", MODEL),
    Fact("4.3", "several workers behind one server", MODEL),
    Fact("4.4", "custody: commit and restore of a policy model"),
    Fact("4.5", "the resources participant"),
    Fact("5.1", "errors, their shape and codes"),
    Fact("5.2", "discovery"),
    Fact("5.3", "routes of the agent"),
    Fact("5.4", "routes of the model", MODEL),
    Fact("5.5", "routes of the resources server"),
    Fact("6", "storage: layout, order of writing, immutability"),
    Fact("10", "hints for a model, and the order of refusals"),
    # Safety.
    Fact("I1", "one live execution of a key"),
    Fact("I2", "a refused or acknowledged key never runs again"),
    Fact("I3", "a restored source is refused and continues as N + 1 only"),
    Fact("I4", "attempts up to a restored source are refused"),
    Fact("I5", "nothing is admitted between prepare and resume"),
    Fact("I6", "what a published checkpoint may not hold"),
    Fact("I7", "what was counted as parked stays"),
    Fact("I8", "resumable or terminal, never both"),
    Fact("I9", "a result stays until its receipt is acknowledged"),
    Fact("I10", "release on full equality, batches whole, repeats harmless"),
    Fact("I11", "acknowledge only what is owned durably", CONTROLLER),
    Fact("I12", "boundary indices rise, equal records count once"),
    Fact("I13", "only declared boundaries are exported"),
    Fact("I14", "a refused call changed nothing and is issued again"),
    Fact("I15", "one active id, finished ids are dead, failures restore the phase"),
    Fact("I16", "an operation of an id succeeds once, duplicates share it"),
    Fact("I17", "operations of one checkpoint follow one another"),
    Fact("I18", "a visible manifest means durable, immutable payloads"),
    Fact("I19", "a restore checks everything before it changes anything"),
    Fact("I20", "a restore meets no live work"),
    Fact("I21", "restored work that nobody claimed survives"),
    Fact("I22", "everything stays paused until resume"),
    Fact("I23", "a missing worker is not a drained one", MODEL),
    Fact("I24", "cancelled is not stopped"),
    Fact("I25", "revisions of agent and resources are equal"),
    Fact("I26", "continuation roots refer to existing lineage", MODEL),
    Fact("I27", "the capture key follows from the identity; header and path agree"),
    Fact("I28", "retire stops inner and outer work"),
    Fact("I29", "an attempt is never used by two owners"),
    Fact("I30", "judges and simulators never pause", MODEL),
    # Progress.
    Fact("P1", "a prepare ends by its deadline"),
    Fact("P2", "resume leads back to idle from every phase"),
    Fact("P3", "resume lets every parked execution go"),
    Fact("P4", "every result can be released in the end"),
    Fact("P5", "acknowledge all, retire what is stuck, and prepare succeeds"),
    Fact("P6", "what failed can be tried again or given up"),
    Fact("P7", "control calls do not queue behind parked ones"),
    Fact("P8", "a restored rollout runs or is given up"),
    # Bugs: review of the agent participant.
    Fact("A1", "a prefix is stripped before routing", "the HTTP runtime comes as a later part"),
    Fact("A2", "resume while prepare waits"),
    Fact("A3", "a stale wake-up"),
    Fact("A4", "a restore over live work"),
    Fact("A5", "a park that comes too late"),
    Fact("A6", "an older attempt is admitted"),
    Fact("A7", "a pending restored record is dropped"),
    # Bugs: review of the ledger.
    Fact("B1", "acknowledgements wait for the whole group"),
    Fact("B2", "a half-done group at the cut", CONTROLLER),
    Fact("B3", "a lost reply keeps a result for ever"),
    Fact("B4", "retire by phase, as measured"),
    Fact("B5", "acknowledgements queue behind parked runs", CONTROLLER),
    Fact("B6", "checks that no test would miss"),
    Fact("B7", "half of a version bump",
         "no rule but a build that fails: the version is written once, defaults are validated"),
    Fact("B8", "a missing key becomes null"),
    Fact("B9", "no stated rule for bumps",
         "no rule but a lock file: a changed saved model without a bump fails a test"),
    Fact("B10", "a feature name as a bare string", UPKEEP),
    Fact("B11", "a receipt typed out in six places", UPKEEP),
    Fact("B12", "a dead field", UPKEEP),
    Fact("B13", "a registry that nobody reads", UPKEEP),
    Fact("B14", "a misleading name", UPKEEP),
    # Defects that the second generation names.
    Fact("C1", "a replacement that closes before its first boundary", SECOND),
    Fact("C2", "a replayable step that fails during a checkpoint"),
    Fact("C3", "a refused duplicate ends the live one"),
    Fact("C4", "retire answers before the work stopped"),
    Fact("C5", "a commit outside the controller's scope", SECOND),
    Fact("C6", "seeding during a checkpoint"),
    Fact("C7", "a model reply is delivered during a checkpoint"),
    Fact("C8", "an activation that runs twice", SECOND),
    Fact("C9", "a client's close against a retire", SECOND),
    Fact("C10", "restored state neither exported nor freed"),
    Fact("C11", "a crashed attempt uses restored state", SECOND),
    Fact("C12", "opaque agents stall every checkpoint", SECOND),
    Fact("C13", "acknowledged before or after the replay buffer", CONTROLLER),
    # Derived from the code.
    Fact("D1", "a failed prepare: admission closed, phase idle"),
    Fact("D2", "a replacement without a boundary exports nothing"),
    Fact("D3", "a null result can never be released"),
    Fact("D4", "an uncertain session can never be retired"),
    Fact("D5", "a repeated prepare after the commit is refused"),
    Fact("D6", "a second commit names another directory"),
    Fact("D7", "a wait after the park request fails the run"),
    Fact("D8", "a reply reaches a frozen wait"),
    Fact("D9", "the first boundary of a replacement starts from zero",
         "a label without an entry of its own: cited as R9"),
    Fact("D10", "the result of a retired run is answered with 200"),
    Fact("D11", "retire does not wait for what it cancelled"),
    Fact("D12", "a failed restore leaves three kinds of server in three states"),
    Fact("D13", "retire after acknowledge, acknowledge after retire"),
    Fact("D14", "nobody fences or counts runs without identity"),
    Fact("D15", "retire of a session times out"),
    Fact("D16", "a terminal boundary looks resumable"),
    Fact("D17", "verify ends a session that a record still names"),
    Fact("D18", "reconciliation reads the older manifests"),
    # Questions that were open.
    Fact("R1", "a prepare that missed its deadline"),
    Fact("R2", "what a retry after a missed deadline does"),
    Fact("R3", "resume of the id whose prepare waits"),
    Fact("R4", "what resume makes of parked work"),
    Fact("R5", "a second commit or restore with another directory"),
    Fact("R6", "a repeated prepare after the commit"),
    Fact("R7", "a directory that another process committed"),
    Fact("R8", "records of replacements that have not begun, or have no boundary"),
    Fact("R9", "the first boundary of a replacement"),
    Fact("R10", "an equal record while a park is requested"),
    Fact("R11", "to whom a shared operation belongs"),
    Fact("R12", "replies and refusals that reach frozen work"),
    Fact("R13", "parked work whose client is gone"),
    Fact("R14", "when retire may answer"),
    Fact("R15", "a new attempt beside an older live one"),
    Fact("R16", "what a restore needs"),
    Fact("R17", "a later attempt beside a pending record; what raises the watermark"),
    Fact("R18", "the identity of a result"),
    Fact("R19", "runs without identity"),
    Fact("R20", "an unreadable manifest"),
    Fact("R21", "a park when no prepare is active"),
    Fact("R22", "a wait that begins after the park request"),
    Fact("R23", "what a replayed prepare says"),
    Fact("R24", "what may leave between prepare and resume"),
    Fact("R25", "checks of the manifest at every level"),
    # Facts of the neighbours that an agent's files obey too.
    Fact("G10", "nullable is not optional"),
    Fact("N8", "JSON types are strict on disk"),
    Fact("N9", "damage is what no correct writer writes"),
    Fact("N10", "records that cannot be saved"),
)
# fmt: on

BY_NUMBER: dict[str, Fact] = {fact.number: fact for fact in FACTS}
