"""Stories that a ledger is always told: each value that must be kept, compared or refused, once."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from fencepost.ledger import samples
from fencepost.ledger.crowds import crowds
from fencepost.ledger.drawing import Action
from fencepost.ledger.lives import bare, begun, lives, record, seal
from fencepost.ledger.reading import OWED
from fencepost.ledger.samples import Plain
from fencepost.ledger.spoiling import Path, held, places
from fencepost.ledger.varying import varied_results, varied_rows
from fencepost.mismatch import is_object
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_spec.vocabulary import Key

KEY = Key("g_g0", 0)
EARLY = "record_partial_group_acknowledgement"
CONFIRM = "mark_completed_executions_acknowledged"


def stories() -> Iterator[list[Action]]:
    """Every story."""
    yield from (life.told() for life in lives())
    yield from _owed_again()
    yield _confirmed_otherwise()
    yield from _sealed_otherwise()
    yield from _owed_otherwise()
    yield from _held_already()
    yield _many_attempts()
    yield from crowds()
    yield from missing_keys()


def _confirm(*rows: Any) -> Call:
    return Call(CONFIRM, {"acknowledgements": list(rows)})


def _early(**more: Any) -> Call:
    named = {"group_id": "g", "generation_index": 0}
    return Call(EARLY, named | {"result": samples.result(KEY) | more})


def _owed_again() -> Iterator[list[Action]]:
    """What was confirmed is recorded once more, and is owed once more."""
    row, group = samples.row(KEY), {"group_id": "g"}
    yield [*begun("g"), seal("g", 0), record("g", 0), _confirm(row), record("g", 0), _confirm(row)]
    whole = {str(n): samples.result(Key(f"g_g{n}", 0)) for n in (0, 1)}
    yield [
        *begun("g", "prompt_group"),
        *(_early(), _confirm(row), _early(), _confirm(row)),
        Call("mark_group_sealed", group | {"results": whole}),
        Call("record_sealed_group_acknowledgements", group),
        _confirm(row),
        Call("record_sealed_group_acknowledgements", group),
    ]


def _confirmed_otherwise() -> list[Action]:
    """Confirmations that differ from what is owed in one thing, and then the right one."""
    row = samples.row(KEY)
    others = [_confirm(other) for other in varied_rows(row)]
    return [*begun("g", "prompt_group"), _early(), *others, _confirm(row)]


def _sealed_otherwise() -> Iterator[list[Action]]:
    """Second seals that differ from the first in one thing, and then the same again."""
    first, named = samples.result(KEY), {"group_id": "g", "generation_index": 0}
    for right in (first, first | {"receipt": None}, first | {"completion_receipt": None}):
        others = [
            Call("mark_sibling_sealed", named | other)
            for other in (*varied_results(right), *([] if right is first else [first]))
        ]
        again = Call("mark_sibling_sealed", named | right)
        yield [*begun("g"), again, *others, again, record("g", 0)]

    def cohort(result: Plain) -> Call:
        last = samples.result(Key("g_g1", 0))
        return Call("mark_group_sealed", {"group_id": "g", "results": {"0": result, "1": last}})

    results = list(varied_results(first))
    sealed = [cohort(first), *map(cohort, results), cohort(first)]
    yield [*begun("g", "prompt_group"), *sealed]


def _owed_otherwise() -> Iterator[list[Action]]:
    """Results and saved rows that differ in one thing from what is owed, or sealed, already."""
    row = samples.row(KEY)
    others = [
        {"completion_receipt": other["receipt"], "resolved_agent_name": other["agent_name"]}
        for other in varied_rows(row)
    ]
    last = samples.result(Key("g_g1", 0))
    sealed = [
        Call("mark_group_sealed", {"group_id": "g", "results": {
            "0": samples.result(KEY) | other,
            "1": last | {"resolved_agent_name": other["resolved_agent_name"]},
        }})
        for other in others
    ]  # fmt: skip
    owing = [*begun("g", "prompt_group"), _early()]
    yield [*owing, *(_early(**other) for other in others)]
    yield [*owing, *sealed]
    saved = samples.saved()
    last_row = saved[OWED][-1]
    yield [
        action
        for other in varied_rows(last_row)
        for action in (Replace(), Call("load", {"state": saved | {OWED: [other]}}))
    ]


def _held_already() -> Iterator[list[Action]]:
    """A saved state is read where only something is owed, or only a group is held."""
    saved = samples.saved()
    ledger = {name: saved[name] for name in ("schema_version", "groups", OWED)}
    loads = [Call("load_state_dict", {"state": ledger}), Call("load", {"state": saved})]
    owing = [*begun("g"), seal("g", 0), record("g", 0)]
    discard = Call("discard_group", {"group_id": "g"})
    yield [*owing, discard, *loads, _confirm(samples.row(KEY)), loads[0]]
    yield [*begun("g"), *loads]


def _many_attempts() -> list[Action]:
    """What is owed is saved by agent, rollout and number of the attempt, however it was read."""
    keys = [Key("gone_g0", 10), Key("gone_g0", 9), Key("gone_g0", 100), Key("gone_g1", 2)]
    rows = [samples.row(key) for key in keys]
    rows.append(samples.row(Key("gone_g0", 0), "a"))
    state = {"schema_version": samples.saved()["schema_version"], "groups": [], OWED: rows}
    return [Call("load_state_dict", {"state": state}), Call("state_dict", {})]


def missing_keys() -> Iterator[list[Action]]:
    """Files without one key, tried for every key of every model, null or not."""
    for document in (samples.saved(), bare().saved()):
        paths = list(_one_of_each(document))
        for start in range(0, len(paths), 20):
            case: list[Action] = [Replace()]
            for path in paths[start : start + 20]:
                copy = deepcopy(document)
                del held(copy, path[:-1])[path[-1]]
                case.append(Call("load", {"state": copy}))
            yield case


def _one_of_each(document: Plain) -> Iterator[Path]:
    """A path to each key, once where it is null and once where it is not."""
    seen: set[tuple[Path, bool]] = set()
    for path in places(document):
        if path and is_object(held(document, path[:-1])):
            role = tuple("*" if isinstance(step, int) else step for step in path)
            kind = role, held(document, path) is None
            if kind not in seen:
                seen.add(kind)
                yield path
