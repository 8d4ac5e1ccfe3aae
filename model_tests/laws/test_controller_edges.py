"""What a controller has heard counts, whatever became of the process that it asked."""

from fencepost.controller.all_cases import judged
from fencepost.controller.tale_bodies import result_of
from fencepost.controller.tales import A, Tale
from fencepost_spec.vocabulary import Key

KEY = Key("g_g0", 0)


def answered_after_a_replacement() -> Tale:
    """Return a tale in which a run was on its way when its agent's process went."""
    tale = Tale()
    tale.submit("g")
    call = tale.run()
    tale.replace(A)
    tale.reply(call, result_of(KEY))
    return tale


def test_a_result_that_the_next_process_of_an_agent_gives_is_trained_on() -> None:
    """The run arrived after the replacement; its result and its receipt are here."""
    tale = answered_after_a_replacement()
    tale.fetch()
    tale.acknowledge()
    tale.train()
    tale.report(gate="open", active_checkpoint_id=None, outbox=[])

    assert judged(tale) is None


def test_of_a_result_that_nobody_gave_a_receipt_for_nothing_is_trained() -> None:
    """The answer may have been on its way when the process went, and nobody keeps the result."""
    tale = answered_after_a_replacement()
    tale.train()

    refused = judged(tale)
    assert refused is not None
    assert refused[0] == "R-CTL-105"


def test_a_result_that_may_have_gone_with_its_process_may_be_made_again() -> None:
    """A controller that hears of no receipt numbers the next attempt, and trains on that."""
    tale = answered_after_a_replacement()
    tale.retire()
    tale.complete("g_g0", 1)
    tale.train("g", ("g_g0", 1))

    assert judged(tale) is None


def test_a_run_that_a_replacement_leaves_unanswered_gives_no_row() -> None:
    """Nothing was heard of it, so there is no result."""
    tale = Tale()
    tale.submit("g")
    tale.run()
    tale.replace(A)
    tale.train()

    refused = judged(tale)
    assert refused is not None
    assert refused[0] == "R-CTL-105"


def test_a_snapshot_may_hold_what_came_and_went_stale_after_the_commits() -> None:
    """The controller looked at its groups in between, at a moment that nobody sees."""
    tale = Tale()
    tale.held()
    tale.written()
    tale.submit("g")
    snapshot = tale.snapshot()
    tale.work("stale", group_id="g")
    tale.store("sidecars", snapshot)

    assert judged(tale) is None


def test_a_snapshot_does_not_hold_what_went_stale_before_the_commits() -> None:
    """What has ended before anybody could look is not in it."""
    tale = Tale()
    tale.submit("g")
    tale.held()
    snapshot = tale.snapshot()
    tale.work("stale", group_id="g")
    tale.written()
    tale.store("sidecars", snapshot)

    refused = judged(tale)
    assert refused is not None
    assert refused[0] == "R-CTL-121"
