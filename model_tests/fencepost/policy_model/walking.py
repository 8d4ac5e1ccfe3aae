"""A walk of a policy model's core: watched by its promises, and read by the oracle.

A walk that meets anything wrong raises `WentWrong`, which tells the actions that lead there.
"""

from typing import Any

import attrs

from fencepost.judges import Refusal
from fencepost.mismatch import Inconclusive
from fencepost.policy_model import showing
from fencepost.policy_model.enabled import DEADLINE_US, Look, World, chosen
from fencepost.policy_model.oracle import ModelOracle
from fencepost.trace import Header, Line
from fencepost.walking import WentWrong
from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.promises import Ghost, broken, remembered
from fencepost_reference.receipts.policy_model.state import State, view_of
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import Property
from fencepost_spec.receipts.policy_model.properties import BY_ID

OWN_STEPS_MAX = 200


def header_of(role: str = "policy", ledger: str = "file") -> Header:
    """The header of the trace of a walk."""
    settings = {"server_name": "policy", "role": role, "ledger": ledger}
    about = "a core that is led through random actions"
    return Header("receipts", "model", "core", "fencepost-1", "walk", about, settings, ())


class ModelWalk:
    """One walk, from the start of a process on an empty disk; `judged` has the oracle read it."""

    def __init__(
        self,
        core: ModelCore | None = None,
        *,
        role: str = "policy",
        ledger: str = "file",
        judged: bool = True,
    ) -> None:
        self.core = core or ModelCore()
        self.state: State = self.core.initial("policy", role, has_ledger=ledger == "file")
        self.world = World()
        self.ghost = Ghost()
        self.actions: list[Any] = []
        # After which of the actions nothing moved by itself any more.
        self.rests: list[int] = []
        self.lines: list[Line] = []
        self.answers: dict[str, Reply] = {}
        self.rules: dict[str, int] = {}
        self.undecided = False
        self._oracle = ModelOracle(header_of(role, ledger)) if judged else None
        self._asked: dict[str, str | None] = {}

    def go(self, number: int) -> None:
        """Take the enabled action that a number stands for."""
        self.take(chosen(self.core, self.state, self.world, number))

    def take(self, action: Any) -> None:
        """Take an action, ask every promise, and show what came of it."""
        self.actions.append(action)
        before = self.state
        if isinstance(action, Look):
            self._read(showing.look_line(action.path, before.disk[action.path]))
            return
        step = self.core.step(before, action)
        self.promised(broken(before, action, step, self.ghost))
        self.ghost = remembered(self.ghost, before, action, step)
        for rule in step.rules:
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1
        self.state = step.state
        self._show(before, action, step)
        self.world = self.world.after(action)
        if self.at_rest:
            self.rests.append(len(self.actions) - 1)
            self.rest()

    def rest(self) -> None:
        """Have the oracle read a report."""
        self._read(showing.report_line(view_of(self.state)))

    def promised(self, lost: tuple[Property, ...]) -> None:
        """Promises that a step broke: a core that conforms breaks none."""
        if lost:
            raise WentWrong(self.told("; ".join(f"{one.id} {one.name}" for one in lost)))

    def alarmed(self, refusal: Refusal) -> None:
        """The oracle refused a line: of a core that conforms it refuses none."""
        found, seq = refusal.mismatch, refusal.line.seq
        rule = "no rule" if found.rule is None else found.rule.id
        text = f"expected {found.expected!r}, came {found.came!r}"
        raise WentWrong(self.told(f"false alarm at line {seq}: {rule}: {text}"))

    def _show(self, before: State, action: Any, step: Step) -> None:
        if isinstance(action, a.Call):
            self._asked[action.id] = action.request.checkpoint_id
        if not isinstance(action, a.Admit):
            line = showing.action_line(action, before)
            if line is not None:
                self._read(line)
        for output in step.outputs:
            if isinstance(output, a.Passed) and isinstance(action, a.Admit):
                self._read(showing.gate_line(action, output.code))
            elif isinstance(output, a.Cancelled):
                self._read(showing.cancel_line(output.ticket, before.tickets[output.ticket]))
            elif isinstance(output, a.Answered):
                self.answers[output.call] = output.reply
                op, asked = before.calls[output.call].op, self._asked.get(output.call)
                self._read(showing.reply_line(output.call, op, output.reply, asked))
        if isinstance(action, a.Replace):
            for call in sorted(before.calls):
                self._read(showing.lost_line(call))
            self.state = change(self.state, dead=frozenset())

    def _read(self, line: Line) -> None:
        """Number a line and have the oracle read it."""
        numbered: Line = attrs.evolve(line, seq=len(self.lines) + 1)
        self.lines.append(numbered)
        if self._oracle is None or self.undecided:
            return
        try:
            refusal = self._oracle.feed(numbered)
        except Inconclusive:
            self.undecided = True
            return
        if refusal is not None:
            self.alarmed(refusal)

    @property
    def at_rest(self) -> bool:
        """Whether everything that has to happen by itself has happened."""
        return not any(own.must for own in self.core.own(self.state))

    def settle(self) -> None:
        """Let the participant do what it has to do by itself."""
        for _ in range(OWN_STEPS_MAX):
            due = [own for own in self.core.own(self.state) if own.must]
            if not due:
                return
            self.take(due[0].action)
        raise WentWrong(self.told("it never comes to rest"))

    def told(self, what: str) -> str:
        """What went wrong, and the actions that led there."""
        steps = "\n".join(f"  {number}. {one}" for number, one in enumerate(self.actions, 1))
        return f"{what}\n{steps}"

    # How a run comes to its end once the faults have stopped.

    def wind_down(self) -> None:
        """Bring a run to rest; on the way every `eventually` has to come about."""
        for op in sorted(self.state.holds):
            self.take(a.FreeStorage(op))
        self.settle()
        self._expect(self.state.fence.storing is None, "R-PML-3", "storage is still under way")
        for name in sorted(self.state.tickets):
            self.take(a.Release(name))
        self.settle()
        self._expect(self.state.admission != "draining", "R-PML-1", "it still drains")
        self.take(a.Tick(DEADLINE_US))
        self.settle()
        self._expect(not self.state.calls, "R-PML-2", "a call is not answered after its deadline")
        answer = self._asked_for("resume", self.state.fence.active or self.world.checkpoint)
        if self.state.role != "policy":
            return
        self._expect(answer.status == 200, "R-PML-4", f"resume answered {answer.code}")
        self._expect(self.state.admission == "accepting", "R-PML-4", "it is closed after resume")
        checkpoint = self.world.checkpoint
        answer = self._asked_for("pause", checkpoint)
        self._expect(answer.status == 200, "R-PML-4", f"a new pause answered {answer.code}")
        self._asked_for("resume", checkpoint)

    def _asked_for(self, op: str, checkpoint: str) -> Reply:
        call = a.Call(self.world.call, op, a.Request(checkpoint, DEADLINE_US))
        self.take(call)
        self.settle()
        self._expect(call.id in self.answers, "R-PML-5", f"{op} is not answered")
        return self.answers[call.id]

    def _expect(self, kept: bool, promise: str, found: str) -> None:
        if not kept:
            raise WentWrong(self.told(f"{promise} {BY_ID[promise].name}: {found}"))
