"""Mutants that nobody thought of: the specification with one thing deleted, for every thing in it.

Every row and guard of both charts, every check of every ladder, every entry of every list, and
every phase of an operation that does not move the fence (that one also with each phase added).
"""

from collections.abc import Callable, Iterator

import attrs

from fencepost.mutants.mutant import Mutant, core_with
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.operation import Check, Operation
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row, Table

_ACKNOWLEDGE = ("acknowledge", "acknowledge-completed")
_LISTS = ("blockers", "exports", "receipt_fields", "refuses", "raises")


def generated() -> tuple[Mutant, ...]:
    """Every mechanical mutant, in the order of the specification."""
    return (
        *_of_table("fence", AGENT.fence),
        *_of_table("execution", AGENT.execution),
        *(one for op in AGENT.operations.values() for one in _of_operation(op)),
        *_of_ladder("run", AGENT.run_ladder, ("run",), "run_ladder"),
        *_of_ladder("receipt", AGENT.receipt_ladder, _ACKNOWLEDGE, "receipt_ladder"),
        *_of_lists(),
        *(one for op in AGENT.operations.values() for one in _of_phases(op)),
    )


Part = tuple[str, ...]


def _mutant(
    name: str,
    says: str,
    rule: Rule,
    make: Callable[[], AgentCore],
    parts: tuple[Part, ...] | None,
    *needs: str,
) -> Mutant:
    asked = None if parts is None else frozenset(parts)
    return Mutant(name, says, (rule.id, *rule.facts), make, frozenset(needs), asked, True)


def _of_table(part: str, table: Table) -> Iterator[Mutant]:
    """Each row gone, and each guard of each row gone."""
    for row in table.rows:
        where = f"{row.event} in {row.source}" + _which(table, row)
        needs = (*_NEEDS.get(row.event, ()), *_STATE_NEEDS.get(row.source, ()))
        yield _mutant(
            f"{part} without {where}",
            f"no row for {row.event} in {row.source} to {row.target}",
            row.rule,
            _table_maker(part, table.without(row)),
            ((table.name, row.source, row.event),),
            *needs,
        )
        for guard in row.guards:
            yield _mutant(
                f"{part} with {where} whatever {guard.__name__}",
                f"{row.event} in {row.source} leads to {row.target} whether or not: "
                f"{(guard.__doc__ or '').strip()}",
                row.rule,
                _table_maker(part, table.without_guard(row, guard)),
                ((table.name, row.source, row.event),),
                *needs,
            )


def _which(table: Table, row: Row) -> str:
    """What tells a row from others for the same event in the same state."""
    alike = table.candidates(row.source, row.event)
    if len(alike) == 1:
        return ""
    one_rule = [other for other in alike if other.rule == row.rule]
    return f" ({row.rule.id})" if len(one_rule) == 1 else f" to {row.target}"


def _table_maker(part: str, table: Table) -> Callable[[], AgentCore]:
    return lambda: core_with(**{part: table})


_NEEDS: dict[str, tuple[str, ...]] = {
    "run_called": ("run",),
    "record_installed": ("restore",),
    "source_restored": ("restore",),
    "continuation_discarded": ("discard-restored-continuation",),
    "superseded": ("restore", "run", "directory"),
    "boundary_recorded": ("boundary",),
    "park_called": ("park",),
    "wait_entered": ("wait",),
    "wait_left": ("wait",),
    "prepare_called": ("prepare",),
    "parked_in_place": ("prepare", "resume"),
    "prepare_withdrawn": ("prepare", "tick"),
    "resume_called": ("resume",),
    "finish_completed": ("finish",),
    "finish_failed": ("finish",),
    "finish_cancelled": ("finish",),
    "retire_called": ("retire",),
    "handler_ended": ("retire", "finish"),
    "acknowledge_called": ("acknowledge",),
    "prepare_ready": ("prepare",),
    "prepare_missed": ("prepare", "tick"),
    "commit_called": ("commit",),
    "commit_finished": ("commit",),
    "commit_failed": ("commit", "fail"),
    "restore_called": ("restore",),
    "restore_installed": ("restore",),
    "restore_refused": ("restore",),
}


_STATE_NEEDS: dict[str, tuple[str, ...]] = {
    "prepared": ("prepare",),
    "committing": ("commit",),
    "committed_paused": ("commit",),
    "restoring": ("restore",),
    "restored_paused": ("restore",),
    "restore_failed_paused": ("restore",),
    "pending_restored": ("restore",),
    "running": ("run",),
    "park_requested": ("run", "prepare"),
    "parked_with_boundary": ("boundary", "prepare"),
    "parked_without_boundary": ("park", "prepare"),
    "external_wait_frozen": ("external_wait", "prepare"),
    "model_wait_frozen": ("model_wait", "prepare"),
    "completed_unacknowledged": ("finish",),
    "acknowledged": ("acknowledge",),
    "retiring": ("retire",),
    "retired": ("finish", "boundary", "tick"),
}


def _of_operation(operation: Operation) -> Iterator[Mutant]:
    """Each check of a ladder gone."""
    for check in operation.ladder:
        yield _mutant(
            f"{operation.name} without {_check_name(operation.ladder, check)}",
            f"{operation.name} does not ask: {(check.when.__doc__ or '').strip()}",
            check.rule,
            _operation_maker(operation.without(check)),
            # The ladder of restore is asked again when its records are installed.
            None if operation.name == "restore" else ((operation.name,),),
            operation.name,
            *_CHECK_NEEDS.get(check.rule.id, ()),
        )


# What a check needs beside its operation.
_CHECK_NEEDS: dict[str, tuple[str, ...]] = {
    "R-OPS-1": ("front",),
    "R-OPS-2": ("front",),
    "R-OPS-3": ("resume",),
    "R-OPS-4": ("resume",),
    "R-OPS-10": ("commit",),
    "R-OPS-11": ("run",),
    "R-OPS-12": ("finish",),
    "R-OPS-13": ("directory",),
    "R-OPS-14": ("directory",),
}


def _check_name(ladder: tuple[Check, ...], check: Check) -> str:
    alike = [one for one in ladder if one.rule == check.rule]
    return check.rule.id if len(alike) == 1 else f"{check.rule.id} {check.when.__name__}"


def _operation_maker(operation: Operation) -> Callable[[], AgentCore]:
    return lambda: core_with(operations={**AGENT.operations, operation.name: operation})


def _of_ladder(
    name: str, ladder: tuple[Check, ...], asked: tuple[str, ...], part: str
) -> Iterator[Mutant]:
    """Each check of a ladder of the participant gone."""
    for check in ladder:
        kept = tuple(one for one in ladder if one is not check)
        yield _mutant(
            f"{name} without {_check_name(ladder, check)}",
            f"{name} does not ask: {(check.when.__doc__ or '').strip()}",
            check.rule,
            _part_maker(part, kept),
            tuple((op,) for op in asked),
            asked[0],
        )


def _of_lists() -> Iterator[Mutant]:
    """Each entry of each list gone."""
    for part in _LISTS:
        entries = getattr(AGENT, part)
        for entry in entries:
            kept = tuple(one for one in entries if one is not entry)
            name = entry.cause if hasattr(entry, "cause") else entry.name
            yield _mutant(
                f"{part} without {name}",
                f"it is not so that {entry.rule.says}",
                entry.rule,
                _part_maker(part, kept),
                _LIST_PARTS.get(part),
                *_LIST_NEEDS.get((part, name), ()),
            )


# Which operations ask a list, where no other step does.
_LIST_PARTS: dict[str, tuple[Part, ...]] = {
    "exports": (("commit",),),
    "receipt_fields": tuple((op,) for op in _ACKNOWLEDGE),
}
_LIST_NEEDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("blockers", "parked_without_boundary"): ("park", "prepare"),
    ("blockers", "completed_unacknowledged"): ("finish",),
    ("blockers", "retiring"): ("retire", "finish"),
    ("blockers", "untracked"): ("untracked",),
    ("exports", "own_boundary"): ("boundary", "commit"),
    ("exports", "continuation"): ("restore", "run", "commit"),
    ("exports", "pending"): ("restore", "commit"),
    ("refuses", "failed"): ("finish",),
    ("refuses", "cancelled"): ("finish",),
    ("refuses", "retired"): ("retire",),
    ("refuses", "source"): ("restore", "directory"),
    ("refuses", "orphan"): ("prepare", "resume", "finish"),
    ("refuses", "superseded"): ("directory", "discard-restored-continuation"),
    ("raises", "begin"): ("run",),
    ("raises", "restore"): ("restore", "directory"),
}


def _part_maker(part: str, kept: object) -> Callable[[], AgentCore]:
    return lambda: core_with(**{part: kept})


def _of_phases(operation: Operation) -> Iterator[Mutant]:
    """Each phase of an operation gone, and each that it lacks added."""
    if operation.phases is None:
        return
    phase_rule = next(check.rule for check in operation.ladder if check.rule.id == "R-OPS-9")
    for phase in AGENT.fence.states:
        has = phase in operation.phases
        phases = (
            tuple(p for p in operation.phases if p != phase) if has else (*operation.phases, phase)
        )
        changed = attrs.evolve(operation, phases=phases)
        yield _mutant(
            f"{operation.name} {'refused' if has else 'allowed'} in {phase}",
            f"{operation.name} is {'refused' if has else 'allowed'} in {phase}",
            phase_rule,
            _operation_maker(changed),
            ((operation.name,),),
            operation.name,
            *_STATE_NEEDS.get(phase, ()),
        )
