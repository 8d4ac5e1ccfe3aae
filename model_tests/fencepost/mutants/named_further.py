"""Further faults, one for each promise that no numbered bug breaks."""

from typing import Any

import attrs

from fencepost.mutants.further import (
    admission_stays_closed_after_resume,
    admission_stays_open,
    boundary_repeats_the_continuation,
    continuation_is_handed_over_and_kept,
    damaged_directory_is_read_as_empty,
    existing_directory_is_overwritten,
    failed_manifest_is_visible,
    first_record_only,
    refused_replacement_is_installed,
)
from fencepost.mutants.further_calls import (
    acknowledged_key_is_only_refused,
    answer_leaves_twice,
    batch_tells_only_the_new,
    caller_takes_its_prepare_along,
    capabilities_say_idle,
    failed_step_is_taken_for_done,
    id_is_forgotten_at_resume,
    live_work_is_called_finished,
    one_refused_receipt_releases_the_others,
    raised_prepare_goes_on,
    receipt_waits_for_rest,
    record_is_made_up,
    repeated_retire_is_an_error,
    restore_tells_its_own_id,
    retire_drops_a_result,
    retire_gives_up_at_its_deadline,
    stored_result_is_another,
)
from fencepost.mutants.mutant import Mutant, core_with, faulty, idle, operation_with
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.counting import counts_of, is_ready
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.facts import (
    ControlFacts,
    answer_is_recorded,
    recorded_for_another_directory,
)

FURTHER: tuple[Mutant, ...] = (
    Mutant(
        "an admitted run never starts its handler",
        "its client waits for a result that nobody works for",
        ("I1", "R-RUN-9"),
        lambda: idle(lambda _, own: type(own.action) is a.Begin),
        frozenset({"run"}),
    ),
    Mutant(
        "a prepare waits past its deadline",
        "nothing ends it but readiness",
        ("P1", "R1", "R-LIV-2"),
        lambda: idle(lambda state, own: type(own.action) is a.Conclude and not _ready(state)),
        frozenset({"prepare", "tick"}),
    ),
    Mutant(
        "resumed work is never woken",
        "resume says that it runs, and its task sleeps on",
        ("P3", "A5"),
        lambda: idle(
            lambda state, own: type(own.action) is a.LetGo and bool(state.history.finished)
        ),
        frozenset({"prepare", "resume"}),
    ),
    Mutant(
        "a commit stops between two storage steps",
        "and its callers wait for ever",
        ("P2", "6", "R-LIV-3"),
        lambda: idle(lambda state, own: type(own.action) is a.Store and _is_half(state)),
        frozenset({"commit"}),
    ),
    Mutant(
        "resume leaves admission closed",
        "the fence is idle, and every run is refused",
        ("P2", "I22", "R-OPS-24"),
        lambda: faulty({a.Call: admission_stays_closed_after_resume}),
        frozenset({"prepare", "resume"}),
    ),
    Mutant(
        "prepare leaves admission open",
        "new work starts inside the checkpoint",
        ("I5", "R-FEN-1"),
        lambda: faulty({a.Call: admission_stays_open}),
        frozenset({"prepare", "run"}),
    ),
    Mutant(
        "a commit overwrites what lies in its directory",
        "whoever committed it",
        ("I18", "R7"),
        lambda: faulty({a.Store: existing_directory_is_overwritten}),
        frozenset({"commit", "directory"}),
    ),
    Mutant(
        "a damaged directory is restored as if it were empty",
        "what cannot be read is left out",
        ("R20", "R25", "I19"),
        lambda: faulty({a.Store: damaged_directory_is_read_as_empty}),
        frozenset({"restore", "fail"}),
    ),
    Mutant(
        "a record is restored under a refused attempt",
        "nobody can ever claim it",
        ("R16", "P8"),
        lambda: faulty({a.Store: refused_replacement_is_installed}),
        frozenset({"restore", "retire"}),
    ),
    Mutant(
        "a manifest that could not be written is visible",
        "the commit says that it failed, and a restore finds it",
        ("I18", "R-RUN-23"),
        lambda: faulty({a.Store: failed_manifest_is_visible}),
        frozenset({"commit", "fail"}),
    ),
    Mutant(
        "a restore installs the first record only",
        "the others are in neither process",
        ("I19", "R-OPS-23"),
        lambda: faulty({a.Store: first_record_only}),
        frozenset({"restore", "directory"}),
    ),
    Mutant(
        "a restore tells its own id for its source",
        "a controller cannot tell which checkpoint it got",
        ("3.8", "R-OPS-23"),
        lambda: faulty({a.Store: restore_tells_its_own_id}),
        frozenset({"restore", "directory"}),
    ),
    Mutant(
        "a commit into another directory writes again",
        "one id has two checkpoints",
        ("I16", "R5", "R-OPS-5"),
        lambda: core_with(operations=_commits_again()),
        frozenset({"commit"}),
    ),
    Mutant(
        "a commit writes a step ahead of the boundary",
        "a record that nobody declared",
        ("I13", "I18"),
        lambda: faulty({a.Call: record_is_made_up}),
        frozenset({"boundary", "commit"}),
    ),
    Mutant(
        "a storage step that fails is taken for done",
        "the commit answers that everything is written",
        ("R-RUN-23", "I18"),
        lambda: faulty({a.Store: failed_step_is_taken_for_done}),
        frozenset({"commit", "fail"}),
    ),
    Mutant(
        "a replacement's first boundary repeats the index of its continuation",
        "indices rise only within the new execution",
        ("R9", "I12"),
        lambda: faulty({a.Work: boundary_repeats_the_continuation}),
        frozenset({"restore", "boundary"}),
    ),
    Mutant(
        "a continuation is handed over and kept",
        "the record waits on, and is written beside its replacement's",
        ("I3", "R-EXE-2"),
        lambda: faulty({a.Run: continuation_is_handed_over_and_kept}),
        frozenset({"restore", "run"}),
    ),
    Mutant(
        "retire drops a finished result",
        "and refuses its key",
        ("I9", "B3"),
        lambda: faulty({a.Call: retire_drops_a_result}),
        frozenset({"retire", "finish"}),
    ),
    Mutant(
        "a repeated retire is an error",
        "a controller whose reply was lost cannot go on",
        ("3.6", "D13"),
        lambda: faulty({a.Call: repeated_retire_is_an_error}),
        frozenset({"retire"}),
    ),
    Mutant(
        "a retire that reaches its deadline loses its handler",
        "it says that the handler has not stopped, and forgets it",
        ("C4", "R14"),
        lambda: faulty({a.AnswerRetire: retire_gives_up_at_its_deadline}),
        frozenset({"retire", "tick"}),
    ),
    Mutant(
        "a refused batch releases its good receipts",
        "each is looked at by itself",
        ("I10", "R-OPS-27"),
        lambda: faulty({a.Call: one_refused_receipt_releases_the_others}),
        frozenset({"acknowledge-completed"}),
    ),
    Mutant(
        "a batch tells only what it released now",
        "what was acknowledged before is left out of the answer",
        ("I10", "R-OPS-27"),
        lambda: faulty({a.Call: batch_tells_only_the_new}),
        frozenset({"acknowledge-completed"}),
    ),
    Mutant(
        "a repeated run gets another result",
        "the work's last answer, and not the one its receipt names",
        ("I9", "R-RUN-5"),
        lambda: faulty({a.Run: stored_result_is_another}),
        frozenset({"run", "finish"}),
    ),
    Mutant(
        "a receipt is told only while the fence is at rest",
        "a client that lost its reply cannot release it during a prepare",
        ("P4", "R-OPS-28"),
        lambda: faulty({a.Call: receipt_waits_for_rest}),
        frozenset({"completion-receipt", "prepare"}),
    ),
    Mutant(
        "a retire of live work says that it has finished",
        "the controller adopts a result that there is not",
        ("B3", "R-OPS-25"),
        lambda: faulty({a.Call: live_work_is_called_finished}),
        frozenset({"retire", "run"}),
    ),
    Mutant(
        "an acknowledged key is only refused",
        "nothing remembers the receipt that released it",
        ("3.7", "R-EXE-45"),
        lambda: faulty({a.Call: acknowledged_key_is_only_refused}),
        frozenset({"acknowledge"}),
    ),
    Mutant(
        "an answer is given twice",
        "the second goes to whoever has the connection by then",
        ("I16", "R-LIV-9"),
        lambda: faulty({a.Leave: answer_leaves_twice}),
        frozenset({"status"}),
    ),
    Mutant(
        "a prepare that cannot close admission says that it did",
        "the error is swallowed",
        ("R1", "R-OPS-32"),
        lambda: faulty({a.Call: raised_prepare_goes_on}),
        frozenset({"prepare", "admission"}),
    ),
    Mutant(
        "a prepare ends with the caller that began it",
        "whoever shares it waits for ever",
        ("R11", "I16"),
        lambda: faulty({a.Gone: caller_takes_its_prepare_along}),
        frozenset({"prepare", "gone"}),
    ),
    Mutant(
        "a resumed id can be used again",
        "a delayed prepare opens it once more",
        ("I15", "2.3"),
        lambda: faulty({a.Call: id_is_forgotten_at_resume}),
        frozenset({"resume"}),
    ),
    Mutant(
        "capabilities say idle while a checkpoint is open",
        "a controller that looks there finds nothing to resume",
        ("D1", "R-OPS-30"),
        lambda: faulty({a.Call: capabilities_say_idle}),
        frozenset({"capabilities"}),
    ),
)


def _commits_again() -> dict[str, Any]:
    ladder = [
        attrs.evolve(check, when=_has_no_place) if check.rule.id == "R-OPS-9" else check
        for check in AGENT.operations["commit"].ladder
        if check.when not in (recorded_for_another_directory, answer_is_recorded)
    ]
    return operation_with("commit", ladder=tuple(ladder))


def _has_no_place(facts: ControlFacts) -> bool:
    """The operation has no place in the phase, and was not done before."""
    return not facts.phase_allows and not facts.recorded


def _is_half(state: State) -> bool:
    storing = state.fence.storing
    return storing is not None and storing.op == "commit" and storing.stage == "written"


def _ready(state: State) -> bool:
    return is_ready(AGENT, counts_of(state))
