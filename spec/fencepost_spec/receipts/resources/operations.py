"""The control operations of a resources server as data: routes, the order of refusals, replays.

The order of a ladder is the order in which a participant must ask: token, body, then the fence,
then the participant itself. May import: operation, rules and facts of every participant.
"""

import attrs

from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts import facts as f
from fencepost_spec.receipts import operation_rules as shared
from fencepost_spec.receipts import refusals as common
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940, GYM_3349
from fencepost_spec.rule import Rule, Source

CHECKPOINT = "/ng-control/v1/resources-checkpoint"


@attrs.frozen
class ResourcesControlFacts(f.ControlFacts):
    """What is known when a control call reaches a resources server."""

    served: bool = False
    restore_awaited: bool = False


def restore_is_awaited(facts: ResourcesControlFacts) -> bool:
    """The server was started for a restore that has not come."""
    return facts.restore_awaited


def something_was_served(facts: ResourcesControlFacts) -> bool:
    """A request that may change a session was served, or there are sessions."""
    return facts.served


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-ROP-{number}", says, source, facts)


RESTORE_AWAITED = _rule(
    1,
    "a server that was started for a restore is not released before it",
    GYM_2940,
    "4.5",
    "P2",
)
PREPARE_AWAITED = _rule(
    3, "a server that was started for a restore is not prepared before it", DECISION, "4.5", "2.2"
)
UNSAFE_RESTORE = _rule(
    2, "a restore is refused once anything stateful was served", GYM_2940, "4.5", "I20", "R16"
)

PREPARE = _rule(
    10,
    "prepare closes admission, takes a snapshot of every session under its lock, and ends "
    "prepared or says what is in the way",
    GYM_2940,
    *("4.5", "I5", "P1"),
)
STATUS = _rule(
    11, "status tells sessions, revisions and locks, and moves nothing", GYM_2940, "5.5", "2.2"
)
COMMIT = _rule(
    12,
    "commit writes the snapshots of the prepare, less those of retired keys, manifest last",
    GYM_2940,
    *("4.5", "6", "I18", "D15"),
)
RESTORE = _rule(
    13,
    "restore hands the complete set over in one call, and only then refuses and installs",
    GYM_2940,
    *("4.5", "I19", "I3"),
)
RESUME = _rule(
    14, "resume finishes the id and opens admission, from every phase", GYM_2940, "2.1", "P2"
)
RETIRE = _rule(
    15,
    "retire refuses the key, waits for its lock, and drops session and snapshot",
    GYM_2940,
    *("4.5", "D15", "I28"),
)
RETIRE_PHASES = _rule(
    16,
    "retire has its place at rest too, so that an uncertain session can always be given up",
    DERIVED,
    *("D4", "P5"),
)
CAPABILITIES = _rule(17, "capabilities tell mode, contract and the fence as it is", GYM_2940, "5.2")
EXPORT_FAILED = _rule(
    18, "an export that fails leaves the checkpoint open and unprepared", DECISION, "R1", "4.5"
)
RETIRE_MISSED = _rule(
    19,
    "a retire that misses its deadline says so; the key stays refused and the session is dropped "
    "later",
    DERIVED,
    *("4.5", "D15", "R14"),
)
HOOK_FAILED = _rule(
    20, "a retire whose hook fails says so, and can be tried again", DECISION, "4.5", "P6"
)
AGENTS_DIFFER = _rule(
    21,
    "a restore needs exactly the sessions that the agents of the checkpoint name, at their "
    "revisions",
    GYM_3349,
    *("4.5", "I25", "D17", "D18"),
)
INSTALL_FAILED = _rule(
    22,
    "a restore whose set the environment does not take installs nothing",
    GYM_2940,
    *("4.5", "I19", "P6"),
)
FOREIGN_SESSIONS = _rule(
    23, "a server that exports nothing installs no sessions", DECISION, "4.5", "I19"
)
SHAPE = _rule(24, "an answer of a resources server has the declared shape", GYM_2940, "5.1", "5.5")
EFFECT_RULES: tuple[Rule, ...] = (
    RETIRE_PHASES,
    EXPORT_FAILED,
    RETIRE_MISSED,
    HOOK_FAILED,
    AGENTS_DIFFER,
    INSTALL_FAILED,
    FOREIGN_SESSIONS,
    SHAPE,
)

_FRONT = (
    Check(shared.TOKEN, f.not_authorised, common.UNAUTHORIZED),
    Check(shared.BODY, f.not_well_formed, common.INVALID_REQUEST),
)
_FINISHED = (Check(shared.FINISHED, f.id_is_finished, common.STALE_CHECKPOINT),)
_ELSEWHERE = (
    Check(shared.OTHER_DIRECTORY, f.recorded_for_another_directory, common.CHECKPOINT_CONFLICT),
    Check(shared.OTHER_DIRECTORY, f.under_way_for_another_directory, common.CHECKPOINT_CONFLICT),
)
_SAME = (
    Check(shared.RECORDED, f.answer_is_recorded, REPLAY),
    Check(shared.SHARED, f.same_call_is_under_way, SHARE),
)
_FENCE = (
    Check(shared.OTHER_ID, f.another_id_is_active, common.CHECKPOINT_CONFLICT),
    Check(shared.PHASE, f.phase_does_not_allow, common.INVALID_PHASE),
)
_AWAITED = (Check(RESTORE_AWAITED, restore_is_awaited, code.CHECKPOINT_ERROR),)
_PREPARE_AWAITED = (Check(PREPARE_AWAITED, restore_is_awaited, code.CHECKPOINT_ERROR),)
_NOT_IDLE = (
    "preparing",
    "prepared",
    "committing",
    "committed_paused",
    "restoring",
    "restored_paused",
)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        *("prepare", "POST", f"{CHECKPOINT}/prepare", PREPARE),
        (*_FRONT, *_FINISHED, *_SAME, *_FENCE, *_PREPARE_AWAITED),
        event="prepare_called",
        recorded=True,
        says="close admission and take a snapshot of every session",
    ),
    Operation(
        *("status", "GET", f"{CHECKPOINT}/status", STATUS),
        (*_FRONT, *_FINISHED, *_FENCE),
        phases=_NOT_IDLE,
        says="tell the sessions, their revisions and their locks",
    ),
    Operation(
        *("commit", "POST", f"{CHECKPOINT}/commit", COMMIT),
        (*_FRONT, *_FINISHED, *_ELSEWHERE, *_SAME, *_FENCE),
        event="commit_called",
        recorded=True,
        says="write the snapshots, then the manifest",
    ),
    Operation(
        *("restore", "POST", f"{CHECKPOINT}/restore", RESTORE),
        (
            *(*_FRONT, *_FINISHED, *_ELSEWHERE, *_SAME, *_FENCE),
            Check(UNSAFE_RESTORE, something_was_served, code.UNSAFE_RESTORE),
        ),
        event="restore_called",
        recorded=True,
        says="install a committed directory under the next attempts",
    ),
    Operation(
        *("resume", "POST", f"{CHECKPOINT}/resume", RESUME),
        (
            *(*_FRONT, Check(shared.FINISHING, f.finished_by_this_call, REPLAY)),
            *(*_FINISHED, *_FENCE, *_AWAITED),
        ),
        event="resume_called",
        finishes=True,
        says="finish the id and open admission; also how to give up",
    ),
    Operation(
        *("retire", "POST", f"{CHECKPOINT}/retire", RETIRE),
        (*_FRONT, *_FINISHED, *_FENCE),
        phases=("idle", "preparing", "prepared"),
        says="refuse an attempt and drop its session",
    ),
    Operation(
        *("capabilities", "GET", "/ng-control/v1/capabilities", CAPABILITIES),
        (Check(shared.BODY, f.not_well_formed, common.INVALID_REQUEST),),
        token=False,
        fenced=False,
        says="tell what this server is and where its fence stands; needs no token",
    ),
)
