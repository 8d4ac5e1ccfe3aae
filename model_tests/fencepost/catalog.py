"""Every rule of the specification under its id, and where each is used.

One list for all who ask: `fencepost rules`, the reference pages and the lock. May import:
`fencepost_spec`, attrs.
"""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import attrs

from fencepost.ledger.places import ledger_places
from fencepost.resources.places import resources_places, row_places
from fencepost_spec.receipts.agent import AGENT, agent_rules
from fencepost_spec.receipts.controller.places import controller_places, controller_rules
from fencepost_spec.receipts.controller.referee import referee_rules
from fencepost_spec.receipts.ledger.spec import ledger_rules
from fencepost_spec.receipts.operation_rules import PREPARE_RAISED, SHAPE
from fencepost_spec.receipts.policy_model.places import model_places
from fencepost_spec.receipts.policy_model.spec import model_rules
from fencepost_spec.receipts.properties import PROPERTIES, SHOULD_RULES
from fencepost_spec.receipts.resources.server import resources_rules
from fencepost_spec.receipts.running import ADMITTED, DISK_RULES, UNTRACKED
from fencepost_spec.receipts.snapshot.spec import snapshot_places, snapshot_rules
from fencepost_spec.receipts.storage_rules import (
    CHECK_RULES,
    FLOOR_RULES,
    STORAGE_RULES,
    WRITER_RULES,
)
from fencepost_spec.receipts.world import world_places, world_rules
from fencepost_spec.rule import Level, Rule

Locked = Mapping[str, Mapping[str, Any]]


class NoSuchRule(KeyError):
    """No rule has this id; the text names the ids that look like it."""

    def __init__(self, wanted: str, near: tuple[str, ...]) -> None:
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no rule has the id {wanted!r}{hint}")
        self.wanted = wanted
        self.near = near

    def __str__(self) -> str:
        return str(self.args[0])


def _agent_rules() -> tuple[Rule, ...]:
    return (*agent_rules(), *DISK_RULES, *STORAGE_RULES)


PARTS: Mapping[str, Callable[[], tuple[Rule, ...]]] = {
    "agent": _agent_rules,
    "ledger": ledger_rules,
    "model": model_rules,
    "resources": resources_rules,
    "snapshot": snapshot_rules,
    "controller": controller_rules,
    "world": world_rules,
    "storage": lambda: STORAGE_RULES,
}
"""The rules of each kind of participant, and of its directories, in reading order."""


def all_rules() -> tuple[Rule, ...]:
    """Every rule as it is declared, in reading order; a rule that is used twice may come twice."""
    return tuple(each for part in PARTS.values() for each in part())


@cache
def rules_of(part: str) -> tuple[Rule, ...]:
    """Every rule of one kind of participant once, in reading order."""
    return tuple({each.id: each for each in PARTS[part]()}.values())


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule once, in reading order."""
    seen: dict[str, Rule] = {}
    for each in all_rules():
        seen.setdefault(each.id, each)
    return tuple(seen.values())


@cache
def judged(kind: str) -> tuple[Rule, ...]:
    """The rules that a check of that kind of participant judges by, each once.

    A controller is judged from outside: by what any of them may do, not by how ours decides.
    """
    if kind == "controller":
        return tuple({each.id: each for each in referee_rules()}.values())
    return rules_of(kind)


def must_rules(kind: str) -> tuple[Rule, ...]:
    """The rules that a participant of that kind must obey."""
    return tuple(each for each in judged(kind) if each.level is Level.MUST)


def kinds_of(rule_id: str) -> tuple[str, ...]:
    """The kinds of participants, or of what else, whose rule it is."""
    return tuple(part for part in PARTS if any(each.id == rule_id for each in rules_of(part)))


@cache
def _by_id() -> dict[str, Rule]:
    return {each.id: each for each in rules()}


def rule(rule_id: str) -> Rule:
    """The rule of that id, or NoSuchRule.

    >>> rule("R-INV-7").says
    'nothing that was counted as parked moves before a later resume'
    """
    found = _by_id().get(rule_id.upper())
    if found is None:
        raise NoSuchRule(rule_id, tuple(get_close_matches(rule_id.upper(), _by_id(), 3, 0.8)))
    return found


def facts() -> dict[str, tuple[Rule, ...]]:
    """The rules that state each fact, by the number of the fact."""
    stated: dict[str, tuple[Rule, ...]] = {}
    for each in rules():
        for fact in each.facts:
            stated[fact] = (*stated.get(fact, ()), each)
    return stated


def places(rule_id: str) -> tuple[str, ...]:
    """Where the specification uses a rule, in words; more than one place is possible.

    >>> places("R-FEN-14")
    ('row of CheckpointFence: resume_called in preparing',)
    """
    return _places()[rule(rule_id).id]


@cache
def _places() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {each.id: {} for each in rules()}
    for rule_id, place in _all_places():
        found[rule_id][place] = None
    return {rule_id: tuple(each) for rule_id, each in found.items()}


def _all_places() -> Iterable[tuple[str, str]]:
    yield from ledger_places()
    yield from _agent_places()
    yield from model_places()
    yield from resources_places()
    yield from snapshot_places()
    yield from controller_places()
    yield from world_places()


def _agent_places() -> Iterable[tuple[str, str]]:
    for table in (AGENT.fence, AGENT.execution):
        yield from row_places(table)
    for operation in AGENT.operations.values():
        for check in operation.ladder:
            yield check.rule.id, f"check of {operation.name}"
        yield operation.effect.id, f"effect of {operation.name}"
    for check in AGENT.run_ladder:
        yield check.rule.id, "check of run"
    for check in AGENT.receipt_ladder:
        yield check.rule.id, "check of a receipt"
    yield ADMITTED.id, "effect of run"
    yield UNTRACKED.id, "work without identity"
    yield SHAPE.id, "the body of every answer"
    yield PREPARE_RAISED.id, "a prepare that fails before it has closed anything"
    entries = {
        "blocker": [(each.rule.id, each.name) for each in AGENT.blockers],
        "export": [(each.rule.id, each.name) for each in AGENT.exports],
        "receipt field": [(each.rule.id, each.name) for each in AGENT.receipt_fields],
        "refuses the key": [(each.rule.id, each.cause) for each in AGENT.refuses],
        "raises the watermark": [(each.rule.id, each.cause) for each in AGENT.raises],
    }
    for kind, named in entries.items():
        for rule_id, name in named:
            yield rule_id, f"{kind}: {name}"
    for prop in PROPERTIES:
        yield prop.id, f"property: {prop.kind.value}"
    for each in SHOULD_RULES:
        yield each.id, "remark that decides nothing"
    for each in DISK_RULES:
        yield each.id, "storage step"
    for what, some in (("writer", WRITER_RULES), ("reader", FLOOR_RULES), ("check", CHECK_RULES)):
        for each in some:
            yield each.id, f"directory: {what}"


@attrs.frozen
class LockFault:
    """What the lock holds against the rules, and whether writing it again is the answer."""

    text: str
    rewrite: bool


def current_lock(locked: Mapping[str, Locked]) -> dict[str, dict[str, dict[str, Any]]]:
    """What the lock must hold now: each rule, and every rule that ever was and is no more."""
    now = {each.id: _entry(each) for each in rules()}
    gone = {
        rule_id: dict(entry)
        for group in ("retired", "rules")
        for rule_id, entry in locked.get(group, {}).items()
        if rule_id not in now
    }
    return {"rules": _sorted(now), "retired": _sorted(gone)}


def _entry(each: Rule) -> dict[str, Any]:
    return {"says": each.says, "level": each.level.value, "facts": list(each.facts)}


def _sorted(entries: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {rule_id: entries[rule_id] for rule_id in sorted(entries, key=sort_key)}


def sort_key(rule_id: str) -> tuple[str, int]:
    """The order of ids: by name, then by number."""
    name, _, number = rule_id.rpartition("-")
    return name, int(number)


def lock_faults(locked: Mapping[str, Locked], now: Iterable[Rule] | None = None) -> list[LockFault]:
    """How the rules differ from the lock, each with what to do about it."""
    known, retired = locked.get("rules", {}), locked.get("retired", {})
    current = {each.id: _entry(each) for each in (rules() if now is None else now)}
    faults: list[LockFault] = []
    for rule_id, entry in current.items():
        if rule_id in retired:
            was = retired[rule_id]["says"]
            text = f"{rule_id} is retired ({was!r}) and ids are never used again: take another"
            faults.append(LockFault(text, rewrite=False))
        elif rule_id not in known:
            text = f"{rule_id} is new: write the lock again (REWRITE=1)"
            faults.append(LockFault(text, rewrite=True))
        elif dict(known[rule_id]) != entry:
            changed = ", ".join(name for name in entry if entry[name] != known[rule_id].get(name))
            faults.append(
                LockFault(
                    f"{rule_id} changed ({changed}): if it still means what it meant, write the "
                    "lock again (REWRITE=1); if not, give the new rule a new id; say in the "
                    "change log when a participant that passed may fail now",
                    rewrite=True,
                )
            )
    faults += [
        LockFault(
            f"{rule_id} is gone ({known[rule_id]['says']!r}): say so in the change log and write "
            "the lock again (REWRITE=1), which retires the id for ever",
            rewrite=True,
        )
        for rule_id in known
        if rule_id not in current
    ]
    return faults
