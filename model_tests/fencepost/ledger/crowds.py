"""Stories of many: groups that share an admission or a restart, attempts of two digits, all states.

What is done to one is done to each; a ledger that counts or sorts wrongly shows it here.
"""

from collections.abc import Iterator
from copy import deepcopy

from fencepost.ledger import samples
from fencepost.ledger.drawing import Action
from fencepost.ledger.lives import begun, record, seal
from fencepost.ledger.reading import OWED
from fencepost.ledger.samples import Plain
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.saving import saved_ledger
from fencepost_spec.vocabulary import Key

NAMES = ("v", "w", "x", "y", "z")
SAVE = Call("state_dict", {})


def crowds() -> Iterator[list[Action]]:
    """Every story of many."""
    yield _restarted()
    yield _restored()
    yield _admitted(0)
    yield _admitted(None)
    yield _canonical()
    yield _confirmed()
    yield _in_any_order()
    yield from _read_and_saved()


def _restarted() -> list[Action]:
    """A restart gives up every group that ran, whatever the other groups do."""
    running = [call for name in NAMES for call in begun(name)]
    return [*running, seal("w", 0), Call("prepare_for_restart", {}), SAVE]


def _restored() -> list[Action]:
    """Of reserved attempts those are given up that a continuation was taken from, and no other."""
    named = (("v", 1), ("x", 0), ("x", 1), ("z", 1))
    sources = [{"rollout_id": f"{name}_g{n}", "attempt_index": 0} for name, n in named]
    reserved = [Call("reserve_group", samples.reserve(name)) for name in NAMES]
    return [*reserved, Call("prepare_for_restart", {"restored_sources": sources}), SAVE]


def _admitted(step: int | None) -> list[Action]:
    """All groups of an admission are admitted, each with the step and the version that is named."""
    shared = [
        Call("reserve_group", samples.reserve(name, admitted=False, admission_id="one"))
        for name in NAMES[1:]
    ]
    alone = Call("reserve_group", samples.reserve("v", admitted=False))
    asked = {"group_id": "x", "target_step": step, "start_weight_version": 0}
    return [alone, *shared, Call("mark_group_admitted", asked), SAVE]


def _canonical() -> list[Action]:
    """Each group that is canonical already is let go, and what is owed for it is owed still."""
    lived = [one for name in NAMES for one in (*begun(name, count=1), seal(name, 0))]
    owed = [record(name, 0) for name in NAMES]
    gone = {"group_ids": ["z", "nobody", "w", "v"]}
    return [*lived, *owed, Call("discard_canonical_groups", gone), SAVE]


def _confirmed() -> list[Action]:
    """Rows of several agents and groups are confirmed together, in any order; the rest stays."""
    lived: list[Call] = []
    for number, name in enumerate(NAMES):
        agent = {"resolved_agent_name": f"agent-{number % 2}"}
        lived += [*begun(name, count=1), seal(name, 0, **agent), record(name, 0)]
    rows = [samples.row(Key(f"{NAMES[n]}_g0", 0), f"agent-{n % 2}") for n in (3, 0, 2)]
    return [
        *lived,
        Call("mark_completed_executions_acknowledged", {"acknowledgements": rows}),
        SAVE,
    ]


def _in_any_order() -> list[Action]:
    """Siblings are named in any order; a list in which one is wrong sends out none."""
    reserve = Call("reserve_group", samples.reserve("g", generations=12))

    def send(*indices: int) -> Call:
        return Call("mark_group_dispatched", {"group_id": "g", "generation_indices": list(indices)})

    sealed = [seal("g", index) for index in (11, 2)]
    return [reserve, send(11, 2), send(3, 11), send(4, 12), *sealed, send(10, 0), SAVE]


def _read_and_saved() -> Iterator[list[Action]]:
    """Attempts in every state, and more of them than have one digit, are read and saved again."""
    fresh: Plain = {
        "receipt": None,
        "completion_receipt": None,
        "reward": None,
        "mask_sample": None,
        "staging_keys": [],
    }
    state = saved_ledger(samples.lived(begun("g")))
    bind = Call("bind_runtime_prompt", {"group_id": "g", "prompt_payload": samples.payload()})
    for last in ("reserved", "dispatched", "failed", "abandoned"):
        document: Plain = {**deepcopy(state), OWED: []}
        for index, sibling in enumerate(document["groups"][0]["siblings"]):
            older = ["failed" if (n + index) % 2 else "abandoned" for n in range(10)]
            sibling["attempts"] = [
                {"attempt_index": number, "status": status, **fresh}
                for number, status in enumerate([*older, last])
            ]
        key = Key("g_g0", 10)
        named = {"group_id": "g", "generation_index": 0}
        yield [
            Call("load_state_dict", {"state": document}),
            bind,
            SAVE,
            Call("mark_sibling_sealed", named | samples.result(key)),
            record("g", 0),
            Call("prepare_for_restart", {}),
            Call("prepare_incomplete_retry", {"group_id": "g"}),
            SAVE,
        ]
