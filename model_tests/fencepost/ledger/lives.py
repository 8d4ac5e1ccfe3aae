"""Short lives of a ledger in which every kind of value is kept: null, zero, odd, many, and alike.

After each life the ledger is saved, read into a new process, and saved once more.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.ledger import samples
from fencepost.ledger.drawing import Action
from fencepost.ledger.samples import Plain
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_spec.vocabulary import Key

MANY = 12
"""So many siblings that the order of their numbers is not that of their names."""


@attrs.frozen
class Life:
    """Calls that are all accepted, and what is saved beside the ledger after them."""

    calls: tuple[Call, ...]
    beside: Plain

    def saved(self) -> Plain:
        """The file after this life, as the specification has it."""
        asked = Call("build_rollout_recovery_state", self.beside)
        body: Plain = LedgerCore().step(samples.lived(list(self.calls)), asked).outputs[0].body
        return body

    def told(self) -> list[Action]:
        """The life, and what another process makes of its file."""
        groups = samples.lived(list(self.calls)).ordered()
        named = [{"group_id": group.group_id} for group in groups]
        save = Call("state_dict", {}), Call("build_rollout_recovery_state", self.beside)
        prompts = [samples.payload(int(one.prompt_id), one.task_name) for one in groups]
        bound = [
            Call("bind_runtime_prompt", name | {"prompt_payload": prompt})
            for name, prompt in zip(named, prompts, strict=True)
        ]
        ready = [Call("finalization_inputs", name) for name in named]
        loaded = Call("load", {"state": self.saved()})
        return [*self.calls, *save, *ready, Replace(), loaded, *bound, *save, *ready]


def begun(group_id: str, granularity: str = "sibling", count: int = 2, **more: Any) -> list[Call]:
    """A group that runs."""
    return [
        Call("reserve_group", samples.reserve(group_id, granularity, count, **more)),
        Call("mark_group_dispatched", {"group_id": group_id}),
    ]


def seal(group_id: str, index: int, **more: Any) -> Call:
    """The first attempt of a sibling is sealed."""
    named = {"group_id": group_id, "generation_index": index}
    right = samples.result(Key(f"{group_id}_g{index}", 0), **more)
    return Call("mark_sibling_sealed", named | right)


def record(group_id: str, index: int) -> Call:
    """What is owed for a sealed sibling is recorded."""
    named = {"group_id": group_id, "generation_index": index}
    return Call("record_sealed_sibling_acknowledgement", named)


def unpaired(key: Key) -> Plain:
    """A completion receipt without lineage."""
    nothing = {"manifest_capture_key": None, "terminal_model_call_id": None}
    return samples.completion(key) | nothing


def bare() -> Life:
    """All that may be null is null."""
    empty: Plain = {"receipt": None, "completion_receipt": None}
    cohort = {str(n): samples.result(Key(f"p_g{n}", 0), **empty) for n in (0, 1)}
    calls = [
        *begun("s", task_source=None, target_step=None),
        seal("s", 0, receipt=None, completion_receipt=unpaired(Key("s_g0", 0))),
        record("s", 0),
        *begun("p", "prompt_group", task_source=None),
        Call("mark_group_sealed", {"group_id": "p", "results": cohort}),
        Call("abandon_unsealed", {"group_id": "s"}),
        Call("reserve_group", samples.reserve("r", admitted=False, task_source=None)),
    ]
    return Life(tuple(calls), {"batch_shortfall": {}, "sampler_stamps_target_steps": False})


def least() -> Life:
    """All that may be zero, false or empty is so, and is kept as that."""
    nothing: Plain = {"target_step": 0, "start_weight_version": 0}
    prompt: Plain = {"prompt_id": "0", "prompt_payload": samples.payload(0)}
    free: Plain = {"text": "", "list": [], "map": {}, "number": 0, "null": None, "truth": False}
    gate: Plain = {"rollout_id": "z_g0", "manifest": [], **free}
    calls = [
        *begun("z", count=1, **nothing, **prompt),
        seal("z", 0, receipt=gate, reward=0.0),
        record("z", 0),
    ]
    beside = {"batch_shortfall": {0: 0, 5: 0, 6: 1}, "sampler_stamps_target_steps": False}
    return Life(tuple(calls), beside)


def odd() -> Life:
    """Rewards of full precision, and receipts with more in them than the named members."""
    entries = [
        {"staging_key": f"o_g0/{name}", "tokens": [1, 2**60], "more": {"weight": 0.1, "of": None}}
        for name in ("b", "a", "10", "2")
    ]
    more = {"rollout_id": "o_g0", "manifest": entries, "terminal_selection": "déclaré"}
    calls = [
        *begun("o", count=4, start_weight_version=2**40, target_step=12),
        seal("o", 0, reward=0.1, receipt=more),
        seal("o", 1, reward=1e300, mask_sample=True),
        seal("o", 2, reward=-5e-324),
        seal("o", 3, reward=2.0**53 + 2),
        Call("record_sealed_group_acknowledgements", {"group_id": "o"}),
    ]
    beside = {"batch_shortfall": {12: 40, 3: 2**40, 100: 1}, "sampler_stamps_target_steps": True}
    return Life(tuple(calls), beside)


def many() -> Life:
    """More siblings than have one digit, their results handed over the last first."""
    results = {
        str(n): samples.result(Key(f"m_g{n}", 0), reward=float(n), mask_sample=n % 3 == 0)
        for n in reversed(range(MANY))
    }
    calls = [
        *begun("m", "prompt_group", MANY),
        Call("mark_group_sealed", {"group_id": "m", "results": results}),
        Call("record_sealed_group_acknowledgements", {"group_id": "m"}),
    ]
    return Life(tuple(calls), {"batch_shortfall": {}, "sampler_stamps_target_steps": True})


def alike() -> Life:
    """Groups whose names begin with one another's, and one that is gone and still owed."""
    names = ("a", "a_g0", "a_g0_g0", "a-a1")
    calls: list[Call] = []
    for name in names:
        source: Plain = {"task_source": name, "admission_id": f"of {name}"}
        prompt: Plain = {
            "prompt_id": str(len(name)),
            "prompt_payload": samples.payload(len(name), name),
        }
        calls += [*begun(name, count=1, **source, **prompt), seal(name, 0), record(name, 0)]
    calls.append(Call("discard_group", {"group_id": "a_g0"}))
    return Life(tuple(calls), {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True})


def lives() -> Iterator[Life]:
    """Every life, an ordinary one first."""
    beside = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}
    yield Life(tuple(samples.calls()), beside)
    yield from (bare(), least(), odd(), many(), alike())
