"""What is not shown costs states; past a budget the oracle says that it does not know."""

import pytest

from fencepost.agent.oracle import Oracle
from fencepost.oracle import Inconclusive
from fencepost.trace import Call, Header

HEADER = Header("receipts", "agent", "mine", "3349", "s", "", {"disk": "empty"}, ())


def _commit_under_way(oracle: Oracle) -> None:
    prepare = {"checkpoint_id": "c1", "deadline_in": 5.0}
    commit = {"checkpoint_id": "c1", "checkpoint_dir": "d1", "deadline_in": 5.0}
    assert oracle.feed(Call(1, "prepare", "q1", prepare)) is None
    assert oracle.feed(Call(2, "commit", "q2", commit)) is None


def test_a_commit_under_way_leaves_several_states() -> None:
    """While nobody has seen the answer of a commit, each of its storage steps may have happened."""
    oracle = Oracle(HEADER)

    _commit_under_way(oracle)
    assert oracle.feed(Call(3, "status", "q3", {"checkpoint_id": "c1"})) is None

    phases = {state.fence.phase for state in oracle.frontier.states}
    assert phases == {"preparing", "prepared", "committing", "committed_paused"}


def test_past_its_budget_the_oracle_does_not_know() -> None:
    """A budget that is too small ends in inconclusive, never in a verdict."""
    oracle = Oracle(HEADER, budget=2)
    _commit_under_way(oracle)
    status = Call(3, "status", "q3", {"checkpoint_id": "c1"})

    with pytest.raises(Inconclusive, match="more than 2 states explain line 3"):
        oracle.feed(status)
