"""The states that explain a trace of a resources server so far, and what a line does to them."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.agent.comparing import code_in
from fencepost.faults import wrong_line
from fencepost.feeding import explanations
from fencepost.mismatch import Inconclusive, Mismatch, as_object
from fencepost.resources import reading
from fencepost.resources.comparing import (
    came_text,
    expected_text,
    reply_mismatch,
    report_shape_mismatch,
    view_mismatch,
)
from fencepost.resources.hidden import Start, Wanted, about, alternatives, everything, nothing
from fencepost.resources.stalling import outstanding_at_rest
from fencepost.trace import lines
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.control import view_of
from fencepost_reference.receipts.resources.preparing import in_the_way
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.serving import request_facts
from fencepost_reference.receipts.resources.state import Directory, State
from fencepost_reference.receipts.state import Outstanding
from fencepost_spec.receipts.resources import handling as h
from fencepost_spec.receipts.resources import operations as ops
from fencepost_spec.receipts.resources import routes
from fencepost_spec.receipts.resources.properties import BY_ID
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

BUDGET = 256
GOES_ON = BY_ID["R-RLI-4"].rule
PREPARES = BY_ID["R-RLI-1"].rule
UNCHANGED = BY_ID["R-RIN-13"].rule

Outcome = tuple[State, tuple[Rule, ...]] | Mismatch


@attrs.define
class Frontier:
    """The states in which the server could be. Empty only after a refusal."""

    core: ResourcesCore
    states: tuple[State, ...]
    strict: bool
    rules: dict[str, int] = attrs.field(factory=dict[str, int])
    notes: list[tuple[int, Rule, str]] = attrs.field(factory=list[tuple[int, Rule, str]])
    budget: int = BUDGET

    def read(self, line: lines.Line) -> Mismatch | None:
        """Take one line in, or say why no state explains it; then nothing changes."""
        explain = _EXPLAIN[type(line)]
        found: dict[State, None] = {}
        used: list[Rule] = []
        best: Mismatch | None = None
        for state in self.states:
            for start in self._starts(state, line):
                for outcome in explanations(explain, self, start.state, line, ops.SHAPE):
                    if isinstance(outcome, Mismatch):
                        best = outcome if best is None or outcome.weight > best.weight else best
                        continue
                    used += [*start.rules, *outcome[1]]
                    found[outcome[0]] = None
                if len(found) > self.budget:
                    raise Inconclusive(f"more than {self.budget} states explain line {line.seq}")
        if not found:
            return best or Mismatch("no such line", "the line", None)
        for rule in dict.fromkeys(used):
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1
        self.states = tuple(found)
        return None

    def _starts(self, state: State, line: lines.Line) -> tuple[Start, ...]:
        wanted = _wanted(state, line)
        return alternatives(self.core, state, wanted, self.budget)


def _wanted(state: State, line: lines.Line) -> Wanted:
    """Which hidden steps a line may need."""
    if isinstance(line, lines.Tick | lines.Note):
        return nothing
    name = None
    if isinstance(line, lines.Work):
        name = str(line.detail.get("request"))
    elif isinstance(line, lines.Reply):
        waiting = state.calls.get(line.id)
        name = line.id if waiting is not None and waiting.op == "request" else None
    if name is not None and name in state.calls:
        return about(state.calls[name].key)
    if isinstance(line, lines.Call) and line.op == "request":
        return _about_request(line)
    return everything


def _about_request(line: lines.Call) -> Wanted:
    request = line.request or {}
    try:
        key: Key | None = routes.identity_of(
            request.get("rollout"), as_object(request.get("headers"))
        )
    except routes.NoIdentity:
        key = None
    return about(key)


Explain = Callable[[Frontier, State, Any], Outcome | list[Outcome]]


def _stepped(front: Frontier, state: State, action: Any) -> Outcome:
    step = front.core.step(state, action)
    return step.state, step.rules


def explain_call(front: Frontier, state: State, line: lines.Call) -> list[Outcome]:
    """A request reaches the server, which takes it here."""
    if line.id in state.calls or line.id in state.dead or line.id in state.requests:
        raise wrong_line(line.seq, f"call id {line.id!r} is taken", "use a new id")
    if line.op == "request":
        step = front.core.step(state, reading.ask_action(line, state.settings))
        return [(step.state, (*step.rules, *reading.rules_of_reading(line, state.settings)))]
    return [_stepped(front, state, action) for action in reading.control_actions(line)]


def explain_reply(front: Frontier, state: State, line: lines.Reply) -> Outcome:
    """An answer leaves the server."""
    waiting = state.calls.get(line.id)
    came = came_text(line.status, line.body, line.headers)
    if waiting is None:
        return Mismatch("no answer: the call is not open", came, GOES_ON)
    if waiting.reply is None:
        return _undecided(front, state, line, waiting)
    found = reply_mismatch(waiting.reply, waiting.op, line, front.strict)
    if found is not None and waiting.op in ("status", "capabilities"):
        later = front.core.step(state, shared.Call("\0again", waiting.op, shared.Request()))
        body: Any = view_of(front.core.spec, state)
        if waiting.op == "capabilities":
            reply = later.state.calls["\0again"].reply
            body = reply.body if reply is not None else None
        if waiting.reply.status == 200:
            now = attrs.evolve(waiting.reply, body=body)
            found = reply_mismatch(now, waiting.op, line, front.strict)
    if found is not None:
        return found
    return _stepped(front, state, shared.Leave(line.id))


def _undecided(front: Frontier, state: State, line: lines.Reply, waiting: Outstanding) -> Mismatch:
    """An answer came for a call that has to wait."""
    came = came_text(line.status, line.body, line.headers)
    spec = front.core.spec
    request = state.requests.get(line.id)
    if request is not None:
        checks = (*spec.arrival, *spec.under_lock)
        code = code_in(line.body)
        rule = next((c.rule for c in checks if c.answer == code), h.SERVED)
        if request.kind == routes.UNGATED:
            rule = h.FREE
        if request.stage == "waiting":
            return Mismatch("it waits for its lock, or its handler starts", came, rule, 2)
        return Mismatch("its handler runs", came, rule if code else h.PUBLISHED, 2)
    if waiting.op == "prepare":
        blocker = in_the_way(spec, state)
        rule = PREPARES if blocker is None or line.status != 200 else blocker.rule
        return Mismatch("the prepare waits", came, rule, 2)
    return Mismatch(f"{waiting.op} still runs", came, spec.operations[waiting.op].effect, 1)


def explain_lost(front: Frontier, state: State, line: lines.Lost) -> Outcome:
    """Nobody will see an answer."""
    if line.id in state.dead:
        return attrs.evolve(state, dead=state.dead - {line.id}), ()
    if line.id not in state.calls:
        raise wrong_line(line.seq, f"call {line.id!r} is not open", "open calls are lost once")
    return _stepped(front, state, shared.Gone(line.id))


def explain_work(front: Frontier, state: State, line: lines.Work) -> Outcome:
    """A handler starts or ends."""
    name = str(line.detail["request"])
    if line.event == "handled":
        if name not in state.requests or state.requests[name].stage != "running":
            raise wrong_line(line.seq, f"no handler of {name!r} runs", "a handler line comes first")
        return _stepped(front, state, reading.handled_action(line))
    if line.event != "handler":
        raise wrong_line(line.seq, f"no work of a resources server is {line.event!r}", "handler")
    request = state.requests.get(name)
    if request is None or request.stage != "waiting":
        waiting = state.calls.get(name)
        reply = None if waiting is None else waiting.reply
        wanted = "no handler" if reply is None else expected_text(reply)
        return Mismatch(wanted, "its handler starts", reply.rule if reply else h.SERVED, 3)
    subject = None if request.kind == routes.UNGATED else request.key
    named = None if line.rollout_id is None else Key(line.rollout_id, line.attempt or 0)
    if subject is not None and named != subject:
        return Mismatch(f"for {subject.capture_key}", f"for {named}", routes.IDENTITY, 3)
    try:
        step = front.core.step(state, a.TakeLock(name))
    except NotEnabled:
        alone = BY_ID["R-RIN-9"].rule
        return Mismatch("it waits: the lock is held", "its handler starts", alone, 3)
    if not step.outputs:
        facts = request_facts(front.core.spec, state, request)
        check = next(c for c in front.core.spec.under_lock if c.when(facts))
        return Mismatch(check.answer, "its handler starts", check.rule, 4)
    return step.state, step.rules


def explain_report(front: Frontier, state: State, line: lines.Report) -> Outcome:
    """A status report: at rest nothing may be outstanding, and everything stands as told."""
    shape = report_shape_mismatch(line.body, front.strict)
    found = view_mismatch(view_of(front.core.spec, state), line.body, ops.STATUS)
    outstanding = None if line.moving else outstanding_at_rest(front.core, state)
    wrong = outstanding or found or shape
    return wrong if wrong is not None else (state, ())


def explain_fault(front: Frontier, state: State, line: lines.Fault) -> Outcome:
    """Something that the harness did."""
    return _stepped(front, state, reading.fault_action(line, state.disk))


def explain_disk(_front: Frontier, state: State, line: lines.Disk) -> Outcome:
    """A look at a directory of the server."""
    look = line.look
    here = state.disk.get(str(look["path"])) or Directory("partial")
    committed = bool(look.get("manifest"))
    if here.kind in ("damaged", "unknown"):
        return state, ()
    if committed != (here.kind == "committed"):
        rule = UNCHANGED if here.kind == "committed" else ops.COMMIT
        return Mismatch(here.kind, "committed" if committed else "no manifest", rule, 3)
    if not committed:
        return state, ()
    wanted = tuple((key, snapshot.revision) for key, snapshot in here.records)
    came = tuple((key, snapshot.revision) for key, snapshot in reading.look_records(look))
    owner = (look.get("checkpoint_id"), look.get("server_name"))
    if owner != (here.source, here.name):
        return Mismatch(f"of {(here.source, here.name)}", f"of {owner}", UNCHANGED, 3)
    if wanted == came:
        return state, ()
    shown = [f"{key.capture_key}@{revision}" for key, revision in wanted]
    seen = [f"{key.capture_key}@{revision}" for key, revision in came]
    return Mismatch(f"sessions {shown}", f"sessions {seen}", ops.COMMIT, 3)


def explain_returned(_front: Frontier, _state: State, line: lines.Returned) -> Outcome:
    """Nothing of a resources server waits as an event."""
    raise wrong_line(line.seq, "no event of a resources server returns", "see the trace format")


_EXPLAIN: dict[type, Explain] = {
    lines.Call: explain_call,
    lines.Reply: explain_reply,
    lines.Lost: explain_lost,
    lines.Work: explain_work,
    lines.Returned: explain_returned,
    lines.Report: explain_report,
    lines.Fault: explain_fault,
    lines.Disk: explain_disk,
    lines.Tick: lambda f, s, line: _stepped(f, s, shared.Tick(line.microseconds)),
    lines.Note: lambda _front, state, _line: (state, ()),
}
