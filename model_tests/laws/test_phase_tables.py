"""Every operation in every phase: as the facts have it, as it was decided, as the cores answer."""

from pathlib import Path

import attrs
import pytest

from fencepost import catalog
from fencepost.phase_walk.agent import agent_part
from fencepost.phase_walk.model import KEY, SECOND_US, model_part
from fencepost.phase_walk.resources import resources_part
from fencepost.phase_walk.walked import ASKED, Part, reached, settled
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.policy_model import actions as m
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_spec.operation import REPLAY, SHARE
from fencepost_spec.phase_table import (
    ACTS,
    FINISHED,
    OTHER,
    OWN,
    TAKES_EFFECT,
    Cell,
    PhaseTable,
    Situation,
    goes,
)
from fencepost_spec.receipts.policy_model.phase_table import MODEL_PHASES
from fencepost_spec.table import Table

PARTS = {part.name: part for part in (agent_part(), model_part(), resources_part())}
CORES = {"agent": AgentCore, "model": ModelCore, "resources": ResourcesCore}
DECISIONS = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"

# Table 2.2 of the facts, cell by cell, in the order of the columns of each participant, with what
# 2.3, 4.1, 4.4 and 4.5 add. `ip` is invalid_phase, `re` replays, `co` coalesces, `st`
# stale_checkpoint, `cc` checkpoint_conflict, `ok` acts and moves nothing; `>` joins the phases that
# are passed, and after `/` stands the phase after a failure.

_WRITE = "committing>committed_paused/prepared"

AGENT = {
    "idle":
        "preparing>prepared/idle ok ip restoring>restored_paused/idle ok ok ok ok ok ip ok",
    "preparing, prepare waits": "co ok ip ip idle ok ok ok ok ip ok",
    # As built a prepare that failed leaves the phase idle, and the id may be used again.
    "preparing, deadline missed":
        "preparing>prepared/idle ok ip restoring>restored_paused/idle ok ok ok ok ok ip ok",
    "prepared": f"re ok {_WRITE} ip idle ok ok ok ok ip ok",
    "committing": "ip ok co ip ip ip ok ok ok ip ok",
    "committed_paused": "ip ok re ip idle ip ok ok ok ip ok",
    "restoring": "ip ok ip co ip ip ok ok ok ip ok",
    "restored_paused": "ip ok ip re idle ip ok ok ok ok ok",
    "finished id": "st st st st re st ok ok ok st ok",
    "other id": "cc cc cc cc cc cc ok ok ok cc ok",
}  # fmt: skip

_INSTALL = "restoring>restored_paused/restore_failed_paused"
MODEL = {
    "idle": f"prepared ip ok ip ip {_INSTALL} ok",
    "idle, calls in flight": f"preparing ip ok ip ip {_INSTALL} ok",
    "preparing, calls in flight": "re ok idle ok ip ip ok",
    "preparing, drained": "re prepared idle ok ip ip ok",
    "prepared": f"re ok idle ok {_WRITE} ip ok",
    "committing": "ip ok ip ip co ip ok",
    "committed_paused": "ip ok idle ip re ip ok",
    "restoring": "ip ok ip ip ip co ok",
    "restored_paused": "ip ok idle ip ip re ok",
    "restore_failed_paused": f"ip ok idle ip ip {_INSTALL} ok",
    "finished id": "st st re st st st ok",
    "other id": "cc cc cc cc cc cc ok",
    "auxiliary": "np ip np np np np ok",
}

RESOURCES = {
    "idle": "preparing>prepared/idle ip ip restoring>restored_paused/idle ok ip ok",
    "idle, restore awaited":
        "preparing>prepared/idle ip ip restoring>restored_paused/idle ce ip ok",
    "preparing, prepare waits": "co ok ip ip ip ok ok",
    "preparing, deadline missed":
        "preparing>prepared/idle ip ip restoring>restored_paused/idle ok ip ok",
    "prepared": f"re ok {_WRITE} ip idle ok ok",
    "committing": "re ok co ip ip ip ok",
    "committed_paused": "re ok re ip idle ip ok",
    "restoring": "ip ok ip co ip ip ok",
    "restored_paused": "ip ok ip re idle ip ok",
    "finished id": "st st st st re st ok",
    "other id": "cc cc cc cc cc cc ok",
}  # fmt: skip

FACTS = {"agent": AGENT, "model": MODEL, "resources": RESOURCES}

_CODES = {
    "ip": "invalid_phase",
    "st": "stale_checkpoint",
    "cc": "checkpoint_conflict",
    "np": "not_a_policy_instance",
    "ce": "resources_checkpoint_error",
    "re": REPLAY,
    "co": SHARE,
    "ok": ACTS,
}

DECIDED = {
    # What was built and what must hold are not the same, and the fact says why.
    ("agent", "idle", "prepare"): "R1",
    ("agent", "preparing, deadline missed", "prepare"): "R1",
    ("agent", "preparing, deadline missed", "restore"): "R1",
    ("agent", "preparing, deadline missed", "resume"): "R1",
    ("agent", "committing", "prepare"): "D5",
    ("agent", "committed_paused", "prepare"): "D5",
    ("model", "idle, calls in flight", "restore"): "I20",
    ("model", "committing", "pause"): "D5",
    ("model", "committed_paused", "pause"): "D5",
    ("resources", "idle", "prepare"): "R1",
    ("resources", "idle", "retire"): "D4",
    ("resources", "idle, restore awaited", "prepare"): "4.5",
    ("resources", "idle, restore awaited", "retire"): "D4",
    ("resources", "preparing, prepare waits", "resume"): "R3",
    ("resources", "preparing, deadline missed", "prepare"): "R1",
    ("resources", "preparing, deadline missed", "status"): "R1",
    ("resources", "preparing, deadline missed", "restore"): "R1",
    ("resources", "preparing, deadline missed", "resume"): "R1",
    ("resources", "preparing, deadline missed", "retire"): "R1",
}


def as_cell(text: str) -> Cell:
    """Read a cell of the tables above."""
    if text in _CODES:
        return Cell(_CODES[text])
    through, _, failed = text.partition("/")
    return goes(*through.split(">"), failed=failed or None)


CELLS = [
    pytest.param(part, where, name, cell, id=f"{part.name}-{where.name}-{name}")
    for part in PARTS.values()
    for where, name, cell in part.table.cells()
]


@pytest.mark.parametrize(("part", "where", "name", "cell"), CELLS)
def test_a_cell_says_what_the_facts_say_or_what_was_decided(
    part: Part, where: Situation, name: str, cell: Cell
) -> None:
    """Each cell is the one of the facts; where it is another, a decision about a fact says why."""
    told = FACTS[part.name][where.name].split()[part.table.operations.index(name)]
    number = DECIDED.get((part.name, where.name, name))

    assert (cell == as_cell(told)) == (number is None)


@pytest.mark.parametrize(("part", "where", "name", "cell"), CELLS)
def test_a_core_answers_as_its_cell_says(
    part: Part, where: Situation, name: str, cell: Cell
) -> None:
    """The operation, called in the situation, does what the table says, also when it fails."""
    assert part.walked(where, name) == cell


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_a_table_has_every_operation_every_phase_and_every_fact(part: Part) -> None:
    """No operation, phase or row of the facts is left out, and no situation says another phase."""
    fence: Table = part.core.spec.fence
    only_of_a_model = [] if part.name == "model" else ["restore_failed_paused"]

    assert set(part.table.operations) == set(part.operations)
    assert {one.phase for one in part.table.situations} == {*fence.states}.difference(
        only_of_a_model
    )
    assert [one.name for one in part.table.situations] == list(FACTS[part.name])
    for one in part.table.situations:
        assert len(FACTS[part.name][one.name].split()) == len(part.table.operations)
        assert part.reach[one.name].fence.phase == one.phase
        active = part.reach[one.name].fence.active
        assert active == (None if one.phase == "idle" else OWN)
        assert (one.id == FINISHED) == (one.name == "finished id")
        assert (one.id == OTHER) == (one.name == "other id")


def test_what_was_decided_is_argued_and_stated() -> None:
    """Each fact that overrules a cell is stated by a rule and has its place among the decisions."""
    heads = [line for line in DECISIONS.read_text("utf-8").splitlines() if line.startswith("### ")]
    known = {
        (part.name, where.name, name)
        for part in PARTS.values()
        for where, name, _ in part.table.cells()
    }

    assert set(DECIDED) <= known
    for number in set(DECIDED.values()):
        assert catalog.facts()[number]
        assert any(number in head.removeprefix("### ").partition(": ")[0] for head in heads)


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_a_core_that_lacks_a_rung_of_the_fence_leaves_its_table(part: Part) -> None:
    """The walk notices each check of the fence that is taken out of an operation."""
    unseen: list[str] = []
    for name, operation in part.operations.items():
        for check in operation.ladder:
            if check.rule.id not in ("R-OPS-3", "R-OPS-4", "R-OPS-6", "R-OPS-7", "R-OPS-8",
                                     "R-OPS-9"):  # fmt: skip
                continue
            operations = dict(part.operations) | {name: operation.without(check)}
            spec = attrs.evolve(part.core.spec, operations=operations)
            other = attrs.evolve(part, core=CORES[part.name](spec), operations=operations)
            if not _leaves(other, name):
                unseen.append(f"{name} {check.rule.id}")

    # Only a resume finishes an id, so a finished id is always finished by it.
    assert unseen == ["resume R-OPS-4"]


def _leaves(part: Part, name: str) -> bool:
    """Whether a core answers an operation otherwise than its table in some situation."""
    return any(
        part.walked(where, name) != cell for where, each, cell in part.table.cells() if each == name
    )


@pytest.mark.parametrize("situation", ["committing", "committed_paused", "prepared"])
def test_an_abort_that_was_answered_is_answered_again_in_every_later_phase(situation: str) -> None:
    """The recorded answer comes before the phase, as for every operation (2.2)."""
    part = PARTS["model"]
    abort = m.Call("a1", "abort_inflight", m.Request(OWN, SECOND_US, key=KEY))
    aborted = settled(part.core, reached(part.core, [abort], part.reach["prepared"]))
    commit = m.Call("q4", "commit", m.Request(OWN, SECOND_US, "d2"))
    ways: dict[str, list[object]] = {
        "prepared": [],
        "committing": [m.HoldStorage("commit"), commit],
        "committed_paused": [commit],
    }
    state = reached(part.core, ways[situation], aborted)
    if situation != "committing":
        state = settled(part.core, state)
    again = part.core.step(state, attrs.evolve(abort, id=ASKED))

    assert state.fence.phase == situation
    assert again.rules[0].id == "R-MOP-17"
    assert again.state.calls[ASKED].reply.status == 200
    assert again.state.fence == state.fence


def test_a_table_has_a_cell_for_each_operation_and_a_name_for_each_situation() -> None:
    """A row of another length, a name that comes twice, and a refusal that moves are no table."""
    one, two = Situation("a", "idle"), Situation("a", "prepared")

    with pytest.raises(ValueError, match="2 cells"):
        PhaseTable(("x",), ((one, (TAKES_EFFECT, TAKES_EFFECT)),))
    with pytest.raises(ValueError, match="one name"):
        PhaseTable(("x",), ((one, (TAKES_EFFECT,)), (two, (TAKES_EFFECT,))))
    with pytest.raises(ValueError, match="moves no fence"):
        Cell("invalid_phase", ("idle",))
    with pytest.raises(KeyError):
        MODEL_PHASES.cell("idle", "prepare")
