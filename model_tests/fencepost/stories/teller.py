"""Tells a story: the world acts, the reference core answers, and both are lines of a trace.

Nothing here is random and no clock is read, so the same story is always the same text. May import:
the specification, the reference, the trace format, how the oracle reads lines, and `showing`.
"""

from typing import Any

import attrs

from fencepost import showing
from fencepost.agent import reading
from fencepost.mismatch import is_object
from fencepost.trace import (
    Call,
    Disk,
    Fault,
    Header,
    JsonObject,
    Line,
    Lost,
    Note,
    Reply,
    Report,
    Tick,
    Work,
)
from fencepost_reference.model import Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Directory, State
from fencepost_reference.receipts.work import may_return
from fencepost_spec.receipts.agent import AGENT, AgentSpec
from fencepost_spec.receipts.dialects import dialect_of
from fencepost_spec.vocabulary import Key, digest_of, microseconds

INSTANCE = "agent-a"
DEADLINE_S = 5.0


class Story:
    """One trace while it is told. `settle` lets the participant do what it does by itself."""

    def __init__(
        self, name: str, about: str, version: str = "fencepost-1", spec: AgentSpec = AGENT
    ) -> None:
        settings: JsonObject = {"instance_name": INSTANCE}
        self.header = Header("receipts", "agent", "story", version, name, about, settings, ())
        self.lines: list[Line] = []
        self.core = AgentCore(spec)
        self.state: State = self.core.initial(INSTANCE)
        # The line that the core would not have written, where there is one.
        self.wrong_at: int | None = None
        self._dialect = dialect_of(version)
        self._calls: dict[str, Call] = {}
        self._results: dict[str, Any] = {}
        self._looks: dict[str, JsonObject] = {}

    # The world.

    def run(self, key: Key | None, *, settle: bool = True) -> str:
        """A client's `/run` arrives; without a key it has no identity."""
        body: JsonObject = {}
        if key is not None:
            body = {"_ng_rollout_id": key.rollout_id, "_ng_attempt_index": key.attempt}
        return self._call("run", body, settle=settle)

    def call(self, op: str, *, settle: bool = True, auth: str | None = None, **request: Any) -> str:
        """A control call arrives; what needs a deadline gets one."""
        if op in ("prepare", "commit", "restore", "resume", "retire") or op.startswith("discard"):
            request.setdefault("deadline_in", DEADLINE_S)
        return self._call(op, request, settle=settle, auth=auth)

    def _call(self, op: str, request: JsonObject, *, settle: bool, auth: str | None = None) -> str:
        line = Call(self._next(), op, f"q{len(self._calls) + 1}", request, auth)
        self._calls[line.id] = line
        self.lines.append(line)
        self._step(reading.run_action(line) if op == "run" else reading.call_action(line))
        if settle:
            self.settle()
        return line.id

    def gone(self, call: str) -> None:
        """The caller of an open call goes away."""
        self.lines.append(Lost(self._next(), call, "cancelled"))
        self._step(a.Gone(call))

    def work(self, event: str, key: Key | None, *, settle: bool = True, **detail: Any) -> int:
        """The work moves; the number of the line, by which a later return is known."""
        name, attempt = (None, None) if key is None else (key.rollout_id, key.attempt)
        line = Work(self._next(), event, name, attempt, detail, "ok", anonymous=key is None)
        step = self._step(reading.work_action(line, self._untracked()))
        self.lines.append(attrs.evolve(line, outcome=self._outcome(key, step)))
        if settle:
            self.settle()
        return line.seq

    def _untracked(self) -> str | None:
        return next(iter(self.state.untracked), None)

    def _outcome(self, key: Key | None, outputs: tuple[Any, ...]) -> str | JsonObject:
        """What an event of the work is answered, or that it waits."""
        if not outputs and key is not None:
            if not may_return(self.state.executions[key]):
                return "waits"
            outputs = self._step(a.LetGo(key))
        return showing.outcome_of(outputs[0].code)

    def boundary(self, key: Key, index: int, *, settle: bool = True, call: bool = True) -> int:
        """The work records where it could continue."""
        model_call = {"model_call_id": f"call-{index}"} if call else {}
        detail = {"boundary_index": index, "turn_index": index, "boundary_kind": "turn_complete"}
        return self.work("boundary", key, settle=settle, **detail, **model_call)

    def finish(self, key: Key, result: Any = None, outcome: str = "completed") -> int:
        """The handler ends."""
        detail: JsonObject = {"outcome": outcome}
        if outcome == "completed":
            detail["result"] = result
            self._results[digest_of(result)] = result
        return self.work("finish", key, **detail)

    def crash(self) -> None:
        """The process dies and another starts; the disk stays."""
        self.lines.append(Fault(self._next(), "replace", "kept", {}))
        opened = sorted(self.state.calls, key=lambda call: int(call[1:]))
        self._step(a.Replace())
        for call in opened:
            self.lines.append(Lost(self._next(), call, "disconnected"))
            self.state = attrs.evolve(self.state, dead=self.state.dead - {call})

    def tick(self, seconds: float) -> None:
        """Time passes."""
        self.lines.append(Tick(self._next(), microseconds(seconds)))
        self._step(a.Tick(microseconds(seconds)))
        self.settle()

    def hold(self, op: str) -> None:
        """The storage of an operation is held."""
        self.lines.append(Fault(self._next(), "hold", None, {"of": op}))
        self._step(a.Hold(op))

    def release(self, op: str) -> None:
        """The held storage goes on."""
        self.lines.append(Fault(self._next(), "release", None, {"of": op}))
        self._step(a.Release(op))
        self.settle()

    def damage(self, directory: str, change: str) -> None:
        """A file of a directory changes."""
        detail = {"path": f"{directory}/agent/manifest.json", "change": change}
        self.lines.append(Fault(self._next(), "damage", None, detail))
        self._step(a.SetDirectory(directory, Directory("damaged")))

    # The participant.

    def settle(self) -> None:
        """Everything that has to happen by itself happens, and shows."""
        while due := [own for own in self.core.own(self.state) if own.must]:
            self.show(min(due, key=_turn).action)

    def report(self, *, moving: bool = False) -> None:
        """The participant reports how it stands; `moving` says that it is not at rest."""
        body = self._shown(rendering.status_body(view_of(self.core.spec, self.state)))
        self.lines.append(Report(self._next(), body, moving=moving))

    def look(self, directory: str) -> None:
        """Somebody looks at what lies in a directory.

        Unlike `showing.look_line` no file is named, and a damaged manifest counts as none.
        """
        here = self.state.disk.get(directory, Directory("partial"))
        body: JsonObject = {"path": directory, "manifest": here.kind == "committed"}
        if here.kind == "committed":
            body |= {"checkpoint_id": here.source, "instance_name": here.instance}
            body["records"] = [showing.record_look(*record) for record in here.records]
        self.lines.append(Disk(self._next(), body))

    def note(self, text: str) -> None:
        """A remark for the reader."""
        self.lines.append(Note(self._next(), text))

    def wrong(self, line: Line) -> None:
        """A line that no participant may make; what follows it is not judged."""
        if self.wrong_at is None:
            self.wrong_at = self._next()
        self.lines.append(attrs.evolve(line, seq=self._next()))

    def _next(self) -> int:
        return len(self.lines) + 1

    def _step(self, action: Any) -> tuple[Any, ...]:
        step = self.core.step(self.state, action)
        self.state = step.state
        return step.outputs

    def show(self, action: Any) -> None:
        """Take a step of the participant and write down what becomes visible."""
        for shown in self._step(action):
            match shown:
                case a.Answered():
                    self.lines.append(self.reply_of(shown.call, shown.reply))
                case a.Began():
                    self.lines.append(showing.began_line(self._next(), shown))
                case a.Returned():
                    self.lines.append(showing.returned_line(self._next(), shown))
                case _:
                    pass

    def reply_of(self, call: str, reply: Any) -> Reply:
        """The line of an answer, as a participant of the story's version sends it."""
        line = self._calls[call]
        request = line.request or {}
        stored = {}
        if line.op in ("commit", "restore") and reply.status == 200:
            stored = _stored(line.op, dict(reply.body[1])["continuations"], request)
        known = rendering.Known(
            request.get("checkpoint_id"),
            result=self._results.get(reply.body[1]) if _is_result(line.op, reply) else None,
            stored=stored,
            faults=({"loc": ["body"], "type": "missing"},),
        )
        status, body = rendering.rendered(line.op, reply, known)
        return Reply(self._next(), call, status, self._shown(body))

    def _shown(self, body: Any) -> Any:
        """A status body without what the version does not show."""
        if not is_object(body) or "executions" not in body or self._dialect.shape:
            return body
        fields = self._dialect.status_fields | {"checkpoint_id"}
        kept: JsonObject = {name: value for name, value in body.items() if name in fields}
        for name in ("executions", "blocking_attempts", "completed_unacknowledged_attempts"):
            kept[name] = [
                {field: entry[field] for field in entry if field in self._dialect.entry_fields}
                for entry in kept[name]
            ]
        return kept


_TURNS = (a.Conclude, a.Store, a.Leave, a.Begin, a.BeginUntracked, a.LetGo, a.ReturnOrphan)


def _turn(own: Own) -> tuple[int, int, str]:
    """When a step takes its turn: persistent maps have no order of their own, a story has one."""
    subject = str(own.subject)
    return _TURNS.index(type(own.action)), len(subject), subject


def _is_result(op: str, reply: Any) -> bool:
    return op == "run" and reply.status == 200


def _stored(op: str, continuations: int, request: JsonObject) -> JsonObject:
    """What only files can tell, made up from the name of the directory."""
    name = f"{request['checkpoint_dir']} {INSTANCE}"
    index: JsonObject = {
        "schema_version": 1,
        "relative_path": f"agent/instance-{digest_of(INSTANCE)}/continuations.jsonl",
        "sha256": digest_of(f"{name} continuations"),
        "records": continuations,
        "bytes": 146 * continuations,
    }
    if op == "restore":
        return {"continuation_index": index}
    return {"continuation_index": index, "manifest_digest": digest_of(f"{name} manifest")}
