"""Whether a status body shows the executions of a view, each where it stands."""

from typing import Any

from fencepost.agent.directories import only_looked_at
from fencepost.agent.expecting import blamed_for_view
from fencepost.mismatch import RECEIPT_NAMES, Mismatch, is_object
from fencepost_reference.receipts.state import FROZEN, MOVING, Boundary, Execution, View
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_STATES = {
    "parked_with_boundary": ("parked", "parked_with_boundary"),
    "parked_without_boundary": ("parked", "parked_without_boundary"),
    "external_wait_frozen": ("external_wait_frozen", "external_wait_frozen"),
    "model_wait_frozen": ("model_wait_frozen", "model_wait_frozen"),
    "completed_unacknowledged": ("completed", None),
    "running": ("running", None),
    "park_requested": ("park_requested", None),
    "retiring": ("retired", None),
}


def status_mismatch(body: Any, view: View, dialect: Dialect, rule: Rule | None) -> Mismatch | None:
    """Compare a status body with the executions of a view; the first difference is told."""
    if not is_object(body):
        return Mismatch("a status body", str(body), rule, 3)
    missing = dialect.status_fields - body.keys()
    if missing:
        return Mismatch(f"the fields {', '.join(sorted(missing))}", "a body without them", rule, 4)
    state = "accepting" if view.accepting else "preparing"
    if body["state"] != state:
        return Mismatch(f"state={state}", f"state={body['state']}", rule, 5)
    return _entries_mismatch(body, view, dialect, rule) or _counters_mismatch(
        body, view, dialect, rule
    )


def _entries_mismatch(
    body: dict[str, Any], view: View, dialect: Dialect, rule: Rule | None
) -> Mismatch | None:
    """Every live key is listed as it stands; a retired handler may be listed or not."""
    unseen = dict(view.executions)
    for entry in body["executions"]:
        key = Key(entry["rollout_id"], entry["attempt_index"])
        execution = unseen.pop(key, None)
        if execution is None and dialect.lists_retired and entry["state"] == "retired":
            continue
        if execution is None:
            came = f"{key.rollout_id} attempt {key.attempt} is {entry['state']}"
            return Mismatch("no such execution", came, rule, 6, key=key)
        found = entry_mismatch(key, entry, execution, dialect)
        if found is not None:
            return found
    for key, execution in unseen.items():
        if execution.status != "retiring":
            wanted = f"{key.rollout_id} attempt {key.attempt} is {execution.status}"
            return Mismatch(wanted, "it is not listed", execution.why or rule, 6)
    return None


def entry_mismatch(
    key: Key, entry: dict[str, Any], execution: Execution, dialect: Dialect
) -> Mismatch | None:
    """Compare one entry of a status."""
    name = f"{key.rollout_id} attempt {key.attempt}"
    shown, parked = _STATES[execution.status]
    # No fact names the state of a retired handler that runs on; it may be shown as before.
    stops = execution.status == "retiring" and entry["state"] in MOVING
    if not stops and (entry["state"] != shown or entry["parked_boundary_state"] != parked):
        came = entry["parked_boundary_state"] or entry["state"]
        return Mismatch(f"{name} is {execution.status}", f"{name} is {came}", execution.why, 6)
    boundary = execution.boundary
    allowed = {None if boundary is None else boundary.index}
    if boundary is None and execution.continuation is not None:
        allowed.add(execution.continuation.index)
    if entry["boundary_index"] not in allowed:
        wanted = f"{name} at boundary {None if boundary is None else boundary.index}"
        return Mismatch(wanted, f"at boundary {entry['boundary_index']}", execution.why, 6)
    if entry["generation"] != execution.generation:
        return Mismatch(f"generation {execution.generation}", f"{entry['generation']}", None, 6)
    if "turn_index" not in dialect.entry_fields:
        return None
    wrong = _record_mismatch(name, entry, execution)
    return wrong or _receipt_mismatch(key, entry, execution)


def _record_mismatch(name: str, entry: dict[str, Any], execution: Execution) -> Mismatch | None:
    """An entry tells the turn, the kind and the revisions of its record, or that it has none.

    Work that has only a continuation may tell that of it, or none (R-EXP-2).
    """
    told = _told(entry)
    if execution.boundary is not None:
        wanted = [_tells(execution.boundary)]
    else:
        wanted = [_NO_RECORD]
        if execution.continuation is not None:
            wanted.append(_tells(execution.continuation))
            if only_looked_at(execution.continuation):
                return None  # A look does not show so much of it.
    if told in wanted:
        return None
    return Mismatch(f"{name}: {wanted[-1]}", f"{told}", execution.why, 6)


_NO_RECORD: tuple[Any, ...] = (None, None, {})


def _told(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["turn_index"], entry["boundary_kind"], entry["resource_state_revisions"]


def _tells(record: Boundary) -> tuple[Any, ...]:
    """What an entry tells of a record."""
    return record.turn_index, record.kind, dict(record.revisions)


def _receipt_mismatch(key: Key, entry: dict[str, Any], execution: Execution) -> Mismatch | None:
    """A finished key shows its receipt, and no other key shows one."""
    name = f"{key.rollout_id} attempt {key.attempt}"
    told, receipt = entry.get("completion_receipt"), execution.receipt
    if receipt is None or told is None:
        if (receipt is None) == (told is None):
            return None
        wanted = f"{name} with {'no' if receipt is None else 'its'} receipt"
        return Mismatch(wanted, f"completion_receipt={told}", execution.why, 6)
    if (told.get("rollout_id"), told.get("attempt_index")) != (key.rollout_id, key.attempt):
        return Mismatch(f"the receipt of {name}", f"{told}", execution.why, 6)
    for field in RECEIPT_NAMES:
        if told.get(field) != getattr(receipt, field):
            wanted = f"{name}: {field}={getattr(receipt, field)!r}"
            return Mismatch(wanted, f"{field}={told.get(field)!r}", execution.why, 6)
    return None


def _counters_mismatch(
    body: dict[str, Any], view: View, dialect: Dialect, rule: Rule | None
) -> Mismatch | None:
    running = with_boundary = without_boundary = completed = retiring = 0
    for execution in view.executions.values():
        status = execution.status
        running += status in MOVING
        with_boundary += status == "parked_with_boundary" or status in FROZEN
        without_boundary += status == "parked_without_boundary"
        completed += status == "completed_unacknowledged"
        retiring += status == "retiring"
    slack = retiring + view.untracked
    active = running + with_boundary + without_boundary
    exact: tuple[tuple[str, int | bool, int], ...] = (
        ("running", running, slack),
        ("parked", with_boundary + without_boundary, 0),
        ("parked_with_boundary", with_boundary, 0),
        ("parked_without_boundary", without_boundary, 0),
        ("completed_unacknowledged", completed, 0),
        ("active", active, slack),
        ("acknowledged_completed", view.acknowledged, 0),
    )
    for name, value, more in exact:
        found = body.get(name)
        if name in dialect.status_fields and (
            not isinstance(found, int) or not value <= found <= value + more
        ):
            return Mismatch(f"{name}={value}", f"{name}={found}", rule, 5)
    if body["ready_to_commit"] is not view.ready:
        wrong = blamed_for_view(view) or rule
        return Mismatch(
            f"ready_to_commit={view.ready}", f"ready_to_commit={body['ready_to_commit']}", wrong, 5
        )
    return _lists_mismatch(body, view, dialect, rule)


def _named(entries: Any) -> set[tuple[str, int]]:
    return {(entry["rollout_id"], entry["attempt_index"]) for entry in entries}


def _lists_mismatch(
    body: dict[str, Any], view: View, dialect: Dialect, rule: Rule | None
) -> Mismatch | None:
    """The lists of a status name the keys that its states say."""
    where: dict[str, set[tuple[str, int]]] = {"runs": set(), "parked": set(), "done": set()}
    every: set[tuple[str, int]] = set()
    for key, execution in view.executions.items():
        name = (key.rollout_id, key.attempt)
        every.add(name)
        if execution.status in MOVING:
            where["runs"].add(name)
        elif execution.status == "completed_unacknowledged":
            where["done"].add(name)
        elif execution.status == "parked_with_boundary" or execution.status in FROZEN:
            where["parked"].add(name)
    blocking = _named(body["blocking_attempts"])
    if not where["runs"] <= blocking or blocking & where["parked"] or blocking - every:
        return Mismatch(f"blocking {sorted(where['runs'])}", f"{sorted(blocking)}", rule, 5)
    wrong = _listed_mismatch(body, "blocking_attempts", view, dialect, rule)
    if wrong is not None:
        return wrong
    done = body["completed_unacknowledged_attempts"]
    if _named(done) != where["done"]:
        return Mismatch(f"completed {sorted(where['done'])}", f"{sorted(_named(done))}", rule, 5)
    wrong = _listed_mismatch(body, "completed_unacknowledged_attempts", view, dialect, rule)
    if wrong is not None:
        return wrong
    if "selected_boundaries" in dialect.status_fields:
        return _selected_mismatch(body["selected_boundaries"], view, where["parked"], rule)
    return None


def _listed_mismatch(
    body: dict[str, Any], name: str, view: View, dialect: Dialect, rule: Rule | None
) -> Mismatch | None:
    """Each key is listed once, and stands there as it stands."""
    entries: list[dict[str, Any]] = body[name]
    if not entries:
        return None
    if len(_named(entries)) != len(entries):
        return Mismatch("each key listed once", f"{len(entries)} entries", rule, 5)
    told: list[dict[str, Any]] = body["executions"]
    for entry in entries:
        if entry in told:
            continue  # It was compared there.
        key = Key(entry["rollout_id"], entry["attempt_index"])
        wrong = entry_mismatch(key, entry, view.executions[key], dialect)
        if wrong is not None:
            return wrong
    return None


def _selected_mismatch(
    selected: list[dict[str, Any]], view: View, parked: set[tuple[str, int]], rule: Rule | None
) -> Mismatch | None:
    """What prepare promises to write: each parked key at its boundary, or at its continuation."""
    if _named(selected) != parked or len(selected) != len(parked):
        return Mismatch(f"selected {sorted(parked)}", f"{sorted(_named(selected))}", rule, 5)
    for entry in selected:
        execution = view.executions[Key(entry["rollout_id"], entry["attempt_index"])]
        record = execution.record
        indices: set[int | None] = set() if record is None else {record.index}
        if execution.boundary is None:
            indices.add(None)  # It has no boundary of its own to name.
        if record is not None and entry["boundary_index"] not in indices:
            wanted = f"selected boundary {record.index}"
            return Mismatch(wanted, f"boundary {entry['boundary_index']}", execution.why, 5)
        unseen = record is None or (execution.boundary is None and only_looked_at(record))
        if record is not None and not unseen and _told(entry) != _tells(record):
            return Mismatch(f"{_tells(record)}", f"{_told(entry)}", execution.why, 5)
    return None
