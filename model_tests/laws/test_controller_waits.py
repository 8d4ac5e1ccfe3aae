"""What a controller may wait for at rest: nobody is called a stall who waits for an answer.

Goal: each wait that the decisions allow is legal, and none is that has nothing to wait for. Method:
told traces, judged as a whole.
"""

from collections.abc import Callable
from typing import Any

from fencepost.controller.all_cases import judged
from fencepost.controller.tales import A, B, Tale

REST: dict[str, Any] = {
    "active_checkpoint_id": None,
    "outbox": [],
    "groups": [],
    "running": [],
}


def released_with_a_commit_under_way(gate: str, ending: Callable[[Tale, str], None]) -> Tale:
    """Tell of a checkpoint that one agent gave up, everybody released, one commit not answered."""
    tale = Tale(A, B)
    tale.submit()
    run = tale.run()
    tale.held()
    waits = tale.control("commit", "c1", A, checkpoint_dir="d1")
    tale.refuse(tale.control("commit", "c1", B, checkpoint_dir="d1"), "storage_failed", 500)
    tale.released()
    tale.lose(run)
    tale.work("stale", group_id="g")
    ending(tale, waits)
    tale.report(**(REST | {"gate": gate}))
    return tale


def test_what_nobody_wants_waits_for_the_answer_to_a_commit() -> None:
    """Nothing is retired before the last checkpoint has answered, also after its release."""
    assert judged(released_with_a_commit_under_way("closed", lambda _tale, _waits: None)) is None


def test_what_nobody_wants_waits_no_longer_than_that() -> None:
    """Once the answer is here, what was let go has to be let go by its agent, too."""
    found = judged(
        released_with_a_commit_under_way(
            "open", lambda tale, waits: tale.refuse(waits, "stale_checkpoint")
        )
    )

    assert found is not None
    assert found[0] == "R-CEV-8"
