"""The known faults, each a small change of the right participant.

Numbers A, B, C and D are those of the bug lists. A fault stands here when an agent's core can
have it; what only a runtime can have is looked for with a live participant.
"""

import attrs

from fencepost.mutants.mutant import Mutant, core_with, faulty, less, operation_with
from fencepost.mutants.named_control import (
    acknowledgement_forgets_after_retire,
    missed_prepare_frees_its_id,
    null_result_cannot_be_acknowledged,
    prepare_outlives_resume,
    repeated_prepare_is_refused,
    retire_answers_at_once,
    stale_prepare_ends,
    wake_is_left_to_the_task,
)
from fencepost.mutants.named_work import (
    duplicate_run_ends_the_first,
    failing_wait_ends_the_run,
    late_wake_moves,
    null_result_is_not_replayed,
    park_in_place_sees_no_continuation,
    park_sees_no_continuation,
    prepare_sees_no_continuation,
    reply_reaches_a_frozen_wait,
    retired_result_is_answered,
    untracked_run_is_always_admitted,
    wait_at_a_park_request_fails,
    wake_is_owed,
)
from fencepost_reference.receipts import actions as a
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.guards import has_no_record, has_record
from fencepost_spec.table import Table


def _late_parks() -> Table:
    """The chart in which running work parks, whether or not a prepare is active."""
    (row,) = AGENT.execution.candidates("running", "park_called")
    with_it = attrs.evolve(row, target="parked_with_boundary", guards=(has_record,))
    without_it = attrs.evolve(row, target="parked_without_boundary", guards=(has_no_record,))
    others = tuple(one for one in AGENT.execution.rows if one != row)
    return attrs.evolve(AGENT.execution, rows=(*others, with_it, without_it))


def _without(name: str, *rules: str) -> object:
    ladder = AGENT.operations[name].ladder
    return operation_with(name, ladder=tuple(c for c in ladder if c.rule.id not in rules))


def _never_freed() -> Table:
    """The chart in which nothing but its own run frees a restored record."""
    rows = tuple(
        row
        for row in AGENT.execution.rows
        if (row.source, row.event) != ("pending_restored", "superseded")
    )
    return attrs.evolve(AGENT.execution, rows=rows)


NAMED: tuple[Mutant, ...] = (
    Mutant(
        "resume leaves a waiting prepare at work",
        "the prepare ends later, and its end leaves the fence preparing with no id",
        ("A2", "I17", "R3"),
        lambda: faulty({a.Call: prepare_outlives_resume, a.Conclude: stale_prepare_ends}),
        frozenset({"prepare", "resume"}),
    ),
    Mutant(
        "a stale wake moves work that a later prepare counted",
        "resume only sets an event, and the task makes itself running when it wakes",
        ("A3", "I7", "R4"),
        lambda: faulty(
            {a.Call: wake_is_left_to_the_task, a.LetGo: late_wake_moves}, owes=wake_is_owed
        ),
        frozenset({"prepare", "resume"}),
    ),
    Mutant(
        "restore over live work",
        "a restore does not ask whether anything is live",
        ("A4", "I20", "R16"),
        lambda: core_with(operations=_without("restore", "R-OPS-11")),
        frozenset({"restore"}),
    ),
    Mutant(
        "work parks when no prepare is active",
        "a refusal that arrives after resume parks its work, and nobody wakes it",
        ("A5", "R21", "P3"),
        lambda: core_with(execution=_late_parks()),
        frozenset({"park"}),
    ),
    Mutant(
        "no watermark",
        "only the exact attempt that was restored is refused, not those before it",
        ("A6", "I4", "R17"),
        lambda: core_with(raises=()),
        frozenset({"run"}),
    ),
    Mutant(
        "a restored record that nobody claimed is not written",
        "a commit writes live executions only",
        ("A7", "I21", "C10"),
        lambda: core_with(exports=less(AGENT.exports, "pending")),
        frozenset({"restore", "commit"}),
    ),
    Mutant(
        "a failing wait ends its run inside a checkpoint",
        "a refusal that ends a frozen wait is an exception in the handler",
        ("C2", "R12", "I14"),
        lambda: faulty({a.Work: failing_wait_ends_the_run}),
        frozenset({"wait", "prepare"}),
    ),
    Mutant(
        "a refused duplicate run ends the live one",
        "the refused request cleans up what is not its own",
        ("C3", "I1"),
        lambda: faulty({a.Run: duplicate_run_ends_the_first}),
        frozenset({"run"}),
    ),
    Mutant(
        "an unclaimed restored record is neither written nor freed",
        "a commit leaves it out, and a later attempt does not take its place",
        ("C10", "A7", "I21"),
        lambda: core_with(exports=less(AGENT.exports, "pending"), execution=_never_freed()),
        frozenset({"restore", "commit"}),
    ),
    Mutant(
        "a prepare that missed its deadline forgets its id and stays closed",
        "the fence says idle, and every run is refused",
        ("D1", "R1", "R-FEN-4"),
        lambda: faulty({a.Conclude: missed_prepare_frees_its_id}),
        frozenset({"prepare", "tick"}),
    ),
    Mutant(
        "a started replacement parks without its continuation",
        "it has no record until its own first boundary, and none is written for it",
        ("D2", "R8", "I21"),
        lambda: faulty(
            {
                a.Call: prepare_sees_no_continuation,
                a.Work: park_sees_no_continuation,
                a.ParkInPlace: park_in_place_sees_no_continuation,
            },
            exports=less(AGENT.exports, "continuation"),
        ),
        frozenset({"restore", "run"}),
    ),
    Mutant(
        "a null result can never be released",
        "it is neither given again nor acknowledged",
        ("D3", "R18", "P4"),
        lambda: faulty(
            {a.Run: null_result_is_not_replayed, a.Call: null_result_cannot_be_acknowledged}
        ),
        frozenset({"run", "finish"}),
    ),
    Mutant(
        "a repeated prepare is refused after the commit",
        "the phase is asked before the recorded answer",
        ("D5", "R6", "R23"),
        lambda: faulty({a.Call: repeated_prepare_is_refused}),
        frozenset({"prepare", "commit"}),
    ),
    Mutant(
        "a commit into another directory answers as the first did",
        "and writes nothing there",
        ("D6", "R5"),
        lambda: core_with(operations=_without("commit", "R-OPS-5")),
        frozenset({"commit"}),
    ),
    Mutant(
        "a wait entered while a park is requested fails the run",
        "the wait is refused, the handler fails, and its key is refused",
        ("D7", "R22"),
        lambda: faulty({a.Work: wait_at_a_park_request_fails}),
        frozenset({"wait", "prepare"}),
    ),
    Mutant(
        "a frozen model wait lets its reply through",
        "the work moves inside a prepared checkpoint",
        ("D8", "R12", "C7"),
        lambda: faulty({a.Work: reply_reaches_a_frozen_wait}),
        frozenset({"model_wait", "prepare"}),
    ),
    Mutant(
        "a retired run still answers with its result",
        "the handler swallows the cancellation, and its result goes out",
        ("D10", "R14", "I28"),
        lambda: faulty({a.Work: retired_result_is_answered}),
        frozenset({"retire", "finish"}),
    ),
    Mutant(
        "retire forgets a handler that still runs",
        "it answers at once, and the handler is in nobody's way",
        ("D11", "R14", "I24", "C4"),
        lambda: faulty({a.Call: retire_answers_at_once}, blockers=less(AGENT.blockers, "retiring")),
        frozenset({"retire", "prepare"}),
    ),
    Mutant(
        "an acknowledgement cannot be repeated after a retire",
        "the refused key hides the acknowledged one",
        ("D13", "I10"),
        lambda: faulty({a.Call: acknowledgement_forgets_after_retire}),
        frozenset({"retire", "acknowledge"}),
    ),
    Mutant(
        "runs without identity are neither fenced nor counted",
        "they start while admission is closed, and block nothing",
        ("D14", "R19", "I5"),
        lambda: faulty(
            {a.Run: untracked_run_is_always_admitted},
            blockers=less(AGENT.blockers, "untracked"),
        ),
        frozenset({"untracked"}),
    ),
)
