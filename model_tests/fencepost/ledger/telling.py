"""The cases that are played in every check, before anything is drawn."""

from collections.abc import Iterator
from copy import deepcopy

from fencepost.ledger import samples
from fencepost.ledger.drawing import Action, Finished
from fencepost.ledger.relations import RELATIONS
from fencepost.ledger.stories import stories
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_spec.vocabulary import Key


def told() -> Iterator[list[Action]]:
    """The cases that are played each time: a whole life, every spoiled file, every value."""
    yield list(samples.calls())
    yield _half_done()
    yield from _conflicts()
    saved = samples.saved()
    for start in range(0, len(RELATIONS), 10):
        case: list[Action] = []
        for _, spoil in RELATIONS[start : start + 10]:
            copy = deepcopy(saved)
            spoil(copy)
            case += [Replace(), Call("load", {"state": copy})]
        yield case
    yield from stories()


def _conflicts() -> Iterator[list[Action]]:
    """Results and rows that contradict what is owed already."""
    key, named = Key("g_g0", 0), {"group_id": "g", "generation_index": 0}
    cohort = {str(index): samples.result(Key(f"g_g{index}", 0)) for index in (0, 1)}
    other = samples.result(key, completion_receipt=samples.completion(key, "another"))
    begun = [
        Call("reserve_group", samples.reserve("g", "prompt_group")),
        Call("mark_group_dispatched", {"group_id": "g"}),
        Call("record_partial_group_acknowledgement", named | {"result": samples.result(key)}),
    ]
    early = "record_partial_group_acknowledgement"
    yield [*begun, Call(early, named | {"result": other})]
    confirm = "mark_completed_executions_acknowledged"
    right, changed = samples.row(key), samples.row(key, identity="another")
    yield [
        *begun,
        Call(confirm, {"acknowledgements": [right, right]}),
        Call(confirm, {"acknowledgements": [changed]}),
        Call(confirm, {"acknowledgements": [right]}),
    ]
    wrong = cohort | {"0": other}
    yield [*begun, Call("mark_group_sealed", {"group_id": "g", "results": wrong})]
    yield [*begun, Call(early, {"group_id": "g", "generation_index": 1,
                                "result": samples.result(Key("g_g1", 0), "other")})]  # fmt: skip


def _half_done() -> list[Action]:
    """One sibling of a cohort finishes, the other fails: the finished one can be acknowledged."""
    key, named = Key("g_g0", 0), {"group_id": "g"}
    asked = named | {"generation_index": 0, "result": samples.result(key)}
    return [
        Call("reserve_group", samples.reserve("g", "prompt_group")),
        Call("mark_group_dispatched", named),
        Finished(key),
        Call("record_partial_group_acknowledgement", asked),
        Call("abandon_unsealed", named),
        Call("prepare_incomplete_retry", named),
        Call("mark_completed_executions_acknowledged", {"acknowledgements": [samples.row(key)]}),
    ]
