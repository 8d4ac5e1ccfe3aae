"""Calls that a ledger has to refuse, of the kinds that a scope asks for."""

from collections.abc import Iterator

from fencepost.exploring.core_world import Doing, deed
from fencepost.exploring.ledger import calls
from fencepost.exploring.ledger.around import Around
from fencepost.exploring.ledger.calls import of_group
from fencepost.exploring.ledger.scope import LedgerScope, text_of
from fencepost.ledger import samples
from fencepost.ledger.varying import varied_results, varied_rows
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.state import Group, State


def wrongly(scope: LedgerScope, state: State, around: Around) -> Iterator[Doing]:
    """Everything of these kinds that may be said now, in a stable order."""
    found: list[tuple[str, Call]] = []
    if "values" in scope.wrong:
        found += calls.malformed()
        if not state.is_empty:
            found.append(("load into this ledger", Call("load_state_dict", {"state": {}})))
    if "fields" in scope.wrong and state.owed:
        row = state.owed[min(state.owed)].model_dump()
        for how, value in calls.otherwise(row, varied_rows(row)):
            found.append((f"release with another {how}", calls.release([value])))
    for group in state.ordered():
        found += _of_group(scope, state, around, group)
    if "rows" in scope.wrong and state.owed:
        rows = [row.model_dump() for row in state.rows()]
        found += [(f"release {how}", calls.release(given)) for how, given in calls.wrong_rows(rows)]
    for words, call in found:
        yield Doing(deed(words), around, call)


def _of_group(
    scope: LedgerScope, state: State, around: Around, group: Group
) -> Iterator[tuple[str, Call]]:
    name = group.group_id
    if "values" in scope.wrong:
        yield f"reserve {name} again", calls.reserve(scope, name)
        other = samples.payload(8)
        yield (
            f"bind {name} to another prompt",
            of_group("bind_runtime_prompt", name, prompt_payload=other),
        )
        yield (
            f"dispatch nobody of {name}",
            of_group("mark_group_dispatched", name, generation_indices=[9]),
        )
    if "cuts" in scope.wrong:
        for op in ("mark_group_dispatched", "abandon_unsealed", "discard_group"):
            yield f"{op} {name} outside a cut", Call(op, {"group_id": name}, cut=False)
    if "results" in scope.wrong:
        yield from _with_results(scope, state, group)
    if "fields" in scope.wrong and not group.whole_cohorts:
        yield from _sealed_otherwise(scope, group)
    for key in group.executions() if "rows" in scope.wrong else ():
        done = around.finished.get(key)
        if done is not None and done.over and key not in state.owed:
            rows = [samples.row(key, done.agent)]
            yield f"release {text_of(key)} once more", calls.release(rows)


def _sealed_otherwise(scope: LedgerScope, group: Group) -> Iterator[tuple[str, Call]]:
    """What was sealed is sealed again with one field another."""
    for index, key in enumerate(group.executions()):
        if group.current[index].status == "sealed":
            right = calls.result(scope, key, scope.agent_names[0])
            for how, value in calls.otherwise(right, varied_results(right)):
                words = f"seal {text_of(key)} with another {how}"
                yield words, calls.seal_sibling(group.group_id, index, value)


def _with_results(scope: LedgerScope, state: State, group: Group) -> Iterator[tuple[str, Call]]:
    """Results of somebody else, too few, or told as a group of the other granularity."""
    name, agent = group.group_id, scope.agent_names[0]
    keys = group.executions()
    right = {str(index): calls.result(scope, key, agent) for index, key in enumerate(keys)}
    for index, key in enumerate(keys):
        status = group.current[index].status
        if status not in ("dispatched", "sealed"):
            continue
        # Of the first that is told of an execution nothing is known that it could differ from.
        known = status == "sealed" or key in state.owed
        for what, result in calls.wrong_results(key, agent):
            if what in ("agent", "identity") and not known:
                continue
            words = f"{text_of(key)} with another {what}"
            if group.whole_cohorts:
                yield f"record {words}", calls.partial(name, index, result)
                yield f"seal {words}", calls.seal_group(group, right | {str(index): result})
            else:
                yield f"seal {words}", calls.seal_sibling(name, index, result)
    if group.whole_cohorts:
        yield f"seal a part of {name}", calls.seal_group(group, {"0": right["0"]})
        yield f"seal one of {name}", calls.seal_sibling(name, 0, right["0"])
    else:
        yield f"seal {name} as a cohort", calls.seal_group(group, right)
        yield f"record one of the cohort {name}", calls.partial(name, 0, right["0"])
