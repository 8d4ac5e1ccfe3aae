"""A crash cuts off a commit: until somebody looks, its directory holds nothing or everything.

Goal: both are told apart by what comes later, and cost one state as long as nothing does.
"""

import pytest

from fencepost.agent.oracle import Oracle
from fencepost.generating.stories import script_of
from fencepost.trace import Call, Fault, Header, Line, Reply, Report

HEADER = Header("receipts", "agent", "mine", "fencepost-1", "s", "", {"disk": "empty"}, ())
REFUSED = {"error": {"code": "agent_checkpoint_error", "detail": "it is damaged"}}
PLACES = ("nothing", "the manifest")


def cut_off() -> Oracle:
    """An oracle that has read of a commit without an answer, and of a crash."""
    oracle = Oracle(HEADER)
    feed(oracle, "prepare c1; commit c1 d1; replace")
    return oracle


def feed(oracle: Oracle, story: str) -> None:
    """Read the calls and faults of a story, without its points of rest."""
    for line in script_of(story):
        if not isinstance(line, Report):
            read(oracle, line)


def read(oracle: Oracle, line: Line) -> None:
    """Read a line that has to be explained."""
    refusal = oracle.feed(line)
    assert refusal is None, refusal


def test_a_crash_in_a_commit_leaves_one_state() -> None:
    """However far the commit had come, its directory is open and nothing else differs."""
    oracle = cut_off()

    (state,) = oracle.frontier.states
    assert state.disk["d1"].kind == "uncertain"


def test_a_commit_may_have_been_answered_before_the_crash() -> None:
    """Whether the last call of the process before acted makes no difference to the next one."""
    oracle = Oracle(HEADER)
    feed(oracle, "prepare c1; commit c1 d1")
    read(oracle, Call(3, "status", "q1", {"checkpoint_id": "c1"}))
    before = len(oracle.frontier.states)

    feed(oracle, "replace")

    assert before > 1
    assert len(oracle.frontier.states) == 1


@pytest.mark.parametrize("holds", PLACES)
def test_what_was_damaged_may_have_held_nothing(holds: str) -> None:
    """A file of a directory that may be empty is damaged: a restore is refused in either case."""
    oracle = cut_off()
    read(oracle, Fault(4, "damage", None, {"directory": "d1", "file": "agent/manifest.json"}))

    kinds = {state.disk["d1"].kind for state in oracle.frontier.states}
    assert kinds == {"partial", "damaged"}

    prepare = {"checkpoint_id": "c2", "deadline_in": 5.0}
    commit = {"checkpoint_id": "c2", "checkpoint_dir": "d1", "deadline_in": 5.0}
    read(oracle, Call(5, "prepare", "q2", prepare))
    read(oracle, Call(6, "commit", "q3", commit))
    status, body = (409, REFUSED) if holds == "the manifest" else (200, committed())
    read(oracle, Reply(7, "q3", status, body))


def committed() -> dict[str, object]:
    """The body of a commit that wrote no record."""
    index = {"schema_version": 1, "relative_path": "agent/continuations.jsonl", "bytes": 0}
    return {
        "records": 0,
        "manifest_digest": "0" * 64,
        "continuation_index": {**index, "sha256": "0" * 64, "records": 0},
    }
