"""Every `always` of a policy model is kept by the core, and can fail."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from immutables import Map

from fencepost.policy_model.generations import called, lead_through
from fencepost.policy_model.telling import DIR, M1, R1, R2, admit, ask
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.model import Step
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.promises import PROMISES, Ghost, Moment, broken
from fencepost_reference.receipts.policy_model.state import (
    Checkpoint,
    Lineage,
    Root,
    State,
    Ticket,
)
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.vocabulary import Key


def _moment(before: State, action: object, ghost: Ghost | None = None, **changes: Any) -> Moment:
    """Return a step that leads to the same state with some fields changed."""
    after = attrs.evolve(before, **changes)
    return Moment(before, action, Step(after), Ghost() if ghost is None else ghost)


def _open() -> State:
    return ModelWalk().state


def _prepared() -> State:
    walk = ModelWalk()
    called(walk, "pause", "c1")
    return walk.state


def _draining() -> State:
    walk = ModelWalk()
    admit(walk, R1)
    called(walk, "pause", "c1")
    return walk.state


def _committed() -> State:
    walk = ModelWalk()
    called(walk, "pause", "c1")
    called(walk, "commit", "c1", DIR)
    return walk.state


def _installing() -> State:
    walk = ModelWalk()
    lead_through(walk, 1)
    walk.take(a.Replace(ledger_kept=False))
    ask(walk, "restore", "x1", directory=DIR)
    walk.take(a.Store())
    return walk.state


NOTHING: Map[str, Any] = Map()
ONE = Map({"t9": Ticket(R1)})
ROOT = Root(R1, "r1", "m1")


def _let_in() -> Moment:
    return _moment(_prepared(), a.Admit("t9", R1), tickets=ONE)


def _refused_let_in() -> Moment:
    return _moment(_open(), a.Admit("t9", R1), Ghost(refused=Map({R1: True})), tickets=ONE)


def _below_let_in() -> Moment:
    sources = Map({Key("r1", 3): True})
    return _moment(_open(), a.Admit("t9", R1), Ghost(sources=sources), tickets=ONE)


def _paused_over_calls() -> Moment:
    return _moment(_draining(), a.EndDrain(), admission="paused")


def _gone_by_itself() -> Moment:
    return _moment(_draining(), a.Tick(1), tickets=NOTHING)


def _open_while_prepared() -> Moment:
    return _moment(_prepared(), a.Tick(1), admission="accepting")


def _draining_while_prepared() -> Moment:
    return _moment(_prepared(), a.Tick(1), admission="draining")


def _row_while_prepared() -> Moment:
    rows = Map({"r1": Lineage((M1,))})
    return _moment(_prepared(), a.Record("t1", M1), lineages=rows)


def _rewritten() -> Moment:
    return _moment(_committed(), a.Store(), disk=NOTHING)


def _half_installed() -> Moment:
    before = _installing()
    fence = attrs.evolve(before.fence, phase="restored_paused", storing=None)
    return _moment(before, a.Store(), fence=fence)


def _left_over() -> Moment:
    before = _installing()
    fence = attrs.evolve(before.fence, phase="restore_failed_paused", storing=None)
    ghost = Ghost(before=(before.lineages, before.history))
    return _moment(before, a.Store(), ghost, fence=fence, lineages=Map({"r9": Lineage()}))


def _another_id() -> Moment:
    before = _prepared()
    return _moment(before, a.Tick(1), fence=attrs.evolve(before.fence, active="c9"))


def _twice() -> Moment:
    before = _committed()
    was = attrs.evolve(before, fence=attrs.evolve(before.fence, phase="committing"))
    ghost = Ghost(succeeded=Map({("c1", "commit"): True}))
    return _moment(was, a.Store(), ghost, fence=before.fence)


def _without_id() -> Moment:
    before = _prepared()
    return _moment(before, a.Tick(1), fence=attrs.evolve(before.fence, active=None))


def _published(content: Checkpoint, lineages: dict[str, Lineage]) -> Moment:
    before = attrs.evolve(_prepared(), lineages=Map(lineages))
    return _moment(before, a.Store(), disk=Map({DIR: content}))


def _rootless() -> Moment:
    return _published(Checkpoint("committed", "c1", "policy", roots=(ROOT,)), {})


def _other_rows() -> Moment:
    content = Checkpoint("committed", "c1", "policy", lineages=(("r1", (M1, M1)),))
    return _published(content, {"r1": Lineage((M1,))})


def _judge_closes() -> Moment:
    return _moment(ModelWalk(role="auxiliary").state, a.Tick(1), admission="paused")


BROKEN: dict[str, Callable[[], Moment]] = {
    "R-PMI-1": _let_in,
    "R-PMI-2": _refused_let_in,
    "R-PMI-3": _below_let_in,
    "R-PMI-4": _paused_over_calls,
    "R-PMI-5": _gone_by_itself,
    "R-PMI-6": _open_while_prepared,
    "R-PMI-7": _draining_while_prepared,
    "R-PMI-8": _row_while_prepared,
    "R-PMI-9": _rewritten,
    "R-PMI-10": _half_installed,
    "R-PMI-11": _left_over,
    "R-PMI-12": _another_id,
    "R-PMI-13": _twice,
    "R-PMI-14": _without_id,
    "R-PMI-15": _rootless,
    "R-PMI-16": _other_rows,
    "R-PMI-17": _judge_closes,
}


def test_every_promise_is_asked() -> None:
    """Each `always` of the specification has a question, and a way to be broken here."""
    wanted = {prop.id for prop in MODEL_PROPERTIES if prop.kind is Kind.ALWAYS}

    assert set(PROMISES) == wanted == set(BROKEN)


@pytest.mark.parametrize("promise", sorted(BROKEN))
def test_a_promise_can_be_broken(promise: str) -> None:
    """A step that breaks it is told by it, whatever else it breaks."""
    moment = BROKEN[promise]()
    lost = broken(moment.before, moment.action, moment.step, moment.ghost)

    assert promise in {prop.id for prop in lost}


def test_the_states_that_are_doctored_keep_every_promise() -> None:
    """What breaks a promise above is the doctoring, and nothing that was there before."""
    for state in (_open(), _prepared(), _draining(), _committed()):
        assert broken(state, a.Tick(1), Step(state), Ghost()) == ()


def test_a_lineage_of_another_attempt_is_no_boundary() -> None:
    """Two roots for one lineage, and an aborted attempt's rows, break the promise of roots."""
    two = Checkpoint(
        "committed",
        "c1",
        "policy",
        lineages=(("r1", (M1,)),),
        roots=(ROOT, attrs.evolve(ROOT, key=R2)),
    )
    moment = _published(two, {"r1": Lineage((M1,))})

    lost = broken(moment.before, moment.action, moment.step, moment.ghost)
    assert "R-PMI-15" in {prop.id for prop in lost}
