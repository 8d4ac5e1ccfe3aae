"""The core of a recovery ledger: a value and a step. It does nothing by itself.

>>> from fencepost_reference.receipts.ledger.actions import Call
>>> core = LedgerCore()
>>> step = core.step(core.initial(), Call("discard_group", {"group_id": "g"}))
>>> step.outputs[0].code, step.state == core.initial()
('unknown_group', True)
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts.ledger import groups, loading, owing, saving, sealing
from fencepost_reference.receipts.ledger.actions import Answer, Call, Replace
from fencepost_reference.receipts.ledger.planning import Plan, refusal, refused
from fencepost_reference.receipts.ledger.reading import lenient, read, why_not
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger.facts import (
    CallFacts,
    cut_is_not_live,
    values_are_wrong,
)
from fencepost_spec.receipts.ledger.requests import REQUESTS
from fencepost_spec.receipts.ledger.spec import LEDGER, LedgerSpec

Planner = Callable[[LedgerSpec, State, Any], Plan]

# fmt: off
PLANNERS: Final[Mapping[str, Planner]] = {
    "reserve_group":                          groups.reserve,
    "mark_group_admitted":                    groups.admit,
    "mark_group_dispatched":                  groups.dispatch,
    "mark_sibling_sealed":                    sealing.seal_sibling,
    "mark_group_sealed":                      sealing.seal_group,
    "abandon_unsealed":                       sealing.abandon,
    "prepare_incomplete_retry":               sealing.retry,
    "record_sealed_sibling_acknowledgement":  owing.record_sibling,
    "record_sealed_group_acknowledgements":   owing.record_group,
    "record_partial_group_acknowledgement":   owing.record_partial,
    "mark_completed_executions_acknowledged": owing.release,
    "discard_pending_acknowledgements":       owing.discard,
    "finalization_inputs":                    groups.inputs,
    "mark_finalization_started":              groups.finalize("finalization_started"),
    "mark_finalization_unknown":              groups.finalize("finalization_lost"),
    "discard_group":                          groups.finalize("given_up"),
    "discard_canonical_groups":               groups.discard_canonical,
    "bind_runtime_prompt":                    groups.bind,
    "assert_checkpoint_safe":                 saving.check_safe,
    "state_dict":                             saving.save,
    "build_rollout_recovery_state":           saving.save_sidecar,
    "load_state_dict":                        loading.load_into,
    "load":                                   loading.load_sidecar,
    "prepare_for_restart":                    sealing.restart,
}
"""What each operation meets and does."""
# fmt: on

_CARELESS = (AttributeError, KeyError, TypeError, ValueError, IndexError)


class LedgerCore:
    """A specification of a ledger, made runnable. Holds no state of its own."""

    def __init__(self, spec: LedgerSpec = LEDGER) -> None:
        self.spec = spec
        self.planners = dict(PLANNERS)

    def initial(self) -> State:
        """An empty ledger."""
        return State()

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; a refused one changes nothing. The first output is the answer."""
        if isinstance(action, Replace):
            return Step(State())
        if not isinstance(action, Call) or action.op not in self.spec.operations:
            raise NotEnabled(action, "no operation of a ledger")
        answer, after, moves = self._call(state, action)
        rules = (answer.rule, *(move.rule for move in moves))
        return Step(after if answer.ok else state, (answer, *moves), rules)

    def own(self, _state: State) -> tuple[Own, ...]:
        """What the ledger may do by itself: nothing."""
        return ()

    def _call(self, state: State, call: Call) -> tuple[Answer, State, tuple[Any, ...]]:
        """The answer of a call, the ledger after it, and why each thing in it moved."""
        operation = self.spec.operations[call.op]
        model = REQUESTS[call.op]
        request: Any = read(model, call.request)
        front = CallFacts(
            cut_is_live=call.cut or not operation.cut, well_formed=request is not None
        )
        for check in operation.ladder:
            if check.when in (cut_is_not_live, values_are_wrong) and check.when(front):
                wrong = check.when is values_are_wrong
                where = f"{call.op}: {why_not(model, call.request)}" if wrong else ""
                return refused(check, where), state, ()
        careless = request is None
        try:
            plan = self.planners[call.op](
                self.spec, state, lenient(model, call.request) if careless else request
            )
            answer = refusal(self.spec, operation, plan)
            done = plan.do() if answer is None else answer
        except _CARELESS:
            if not careless:
                raise
            return Answer(False, operation.effect), state, ()
        if isinstance(done, Answer):
            return done, state, ()
        return Answer(True, operation.effect, done.body), done.state, done.moves
