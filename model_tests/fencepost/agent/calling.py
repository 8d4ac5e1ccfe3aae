"""Lines of calls: a request arrives, its answer leaves, or nobody will see an answer."""

from typing import TYPE_CHECKING

import attrs

from fencepost.agent import reading
from fencepost.agent.blaming import blamed_for_records, blamed_for_refusal, blamed_while_waiting
from fencepost.agent.comparing import came_text, code_in, reply_mismatch
from fencepost.agent.directories import certain, lies
from fencepost.agent.expecting import expected_text
from fencepost.agent.hidden import asked_to_park, let_go_early, taken
from fencepost.agent.looking import read_explained
from fencepost.agent.shapes import answer_misshapen
from fencepost.agent.stalling import never_released
from fencepost.faults import wrong_line
from fencepost.mismatch import Inconclusive, Mismatch, as_object
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import Directory, Outstanding, State
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts.properties import BY_ID, RETIRE_WAITS
from fencepost_spec.receipts.refusals import CHECKPOINT_ERROR

if TYPE_CHECKING:
    from fencepost.agent.frontier import Frontier

LEAVES = BY_ID["R-LIV-9"].rule


@attrs.frozen
class Asked:
    """What an open control call asked for."""

    checkpoint_id: str | None
    directory: str | None
    unknown_directory: bool
    actions: tuple[a.Call, ...] = ()


def explain_call(front: "Frontier", state: State, line: lines.Call) -> list[State | Mismatch]:
    """A request reaches the participant, which takes it here."""
    if line.id in state.calls or line.id in state.dead:
        raise wrong_line(line.seq, f"call id {line.id!r} is open already", "use a new id")
    if line.op == "run":
        return [front.step(state, action).state for action in reading.run_actions(line)]
    actions = reading.call_actions(line)
    request = actions[-1].request
    unknown = _is_unknown(front, state, request.directory)
    front.asked[line.id] = Asked(request.checkpoint_id, request.directory, unknown, tuple(actions))
    starts = certain(front.core, state, request.directory, line.op)
    if line.op == "commit" and request.directory is not None:
        front.directories.add(request.directory)
    if line.op == "prepare":
        starts += let_go_early(front.core, state, front.hidden)
    if line.op == "commit" and unknown and request.directory is not None:
        starts.append(lies(state, request.directory, Directory("other")))
    found: list[State | Mismatch] = []
    for start in starts:
        for action in actions:
            after: State = front.step(start, action).state
            found.append(after)
            if line.op == "prepare":
                found += asked_to_park(start, after)
    return found


def _is_unknown(front: "Frontier", state: State, directory: str | None) -> bool:
    """Whether nothing tells what lies in a directory: it may have been there from the start."""
    here = state.disk.get(directory or "")
    if here is None:
        return directory is not None and not (front.begins_empty or directory in front.directories)
    return here.kind in ("unknown", "other")


def explain_reply(front: "Frontier", state: State, line: lines.Reply) -> list[State | Mismatch]:
    """An answer leaves the participant."""
    waiting = state.calls.get(line.id)
    if waiting is None:
        came = came_text(line.status, line.body)
        return [Mismatch("no answer: the call is not open", came, LEAVES)]
    if waiting.op not in front.dialect.operations and waiting.op != "run":
        if line.status in (404, 405):
            return [_left(front, state, line.id)]
        came = came_text(line.status, line.body)
        return [Mismatch("404: not an operation of this version", came, ops.SHAPE, 3)]
    if waiting.reply is None:
        return _undecided(front, state, line, waiting)
    misshapen = answer_misshapen(waiting.op, line.status, line.body, front.dialect)
    found = reply_mismatch(waiting.reply, line.status, line.body, front.dialect)
    if found is None and misshapen is not None:
        return [misshapen]
    if found is not None and waiting.op in reading.QUERIES:
        read = read_explained(front, state, line, waiting)
        wrong = misshapen or _other_id(front, line, waiting)
        if read and wrong is not None:
            return [wrong]
        return [_left(front, one, line.id) for one in read] or [found]
    if found is not None and _missed(waiting, line):
        return [_left(front, state, line.id)]
    if found is not None:
        return [_blamed(front, state, line, waiting, found)]
    wrong = never_released(state, waiting.op, line.body, front.dialect)
    wrong = wrong or _other_digest(front, line, waiting) or _other_id(front, line, waiting)
    return [wrong or _left(front, state, line.id)]


def _blamed(
    front: "Frontier", state: State, line: lines.Reply, waiting: Outstanding, found: Mismatch
) -> Mismatch:
    """The same difference with the nearest rule; where nothing shows enough, no verdict."""
    asked = front.asked.get(line.id)
    if waiting.op == "restore" and line.status == 200 and asked and asked.unknown_directory:
        raise Inconclusive(f"line {line.seq}: nothing shows what lies in {asked.directory}")
    if waiting.op == "commit":
        missing = blamed_for_records(state, as_object(line.body).get("records"))
        found = attrs.evolve(found, rule=missing or found.rule)
    refusal = blamed_for_refusal(front.core, waiting, code_in(line.body))
    return found if refusal is None else attrs.evolve(found, rule=refusal)


def _other_digest(front: "Frontier", line: lines.Reply, waiting: Outstanding) -> Mismatch | None:
    """A commit that is answered again is answered with the same digest."""
    digest = as_object(line.body).get("manifest_digest")
    asked = front.asked.get(line.id)
    if waiting.op != "commit" or not isinstance(digest, str) or asked is None:
        return None
    place = (str(asked.checkpoint_id), str(asked.directory))
    before = front.digests.setdefault(place, digest)
    if before == digest:
        return None
    return Mismatch(f"manifest_digest {before}", digest, ops.RECORDED, 4)


def _other_id(front: "Frontier", line: lines.Reply, waiting: Outstanding) -> Mismatch | None:
    """A status answers for the id that it was asked about."""
    asked = front.asked.get(line.id)
    if waiting.op != "status" or line.status != 200 or asked is None:
        return None
    told = as_object(line.body).get("checkpoint_id")
    if told == asked.checkpoint_id:
        return None
    return Mismatch(f"checkpoint_id {asked.checkpoint_id}", f"{told}", ops.STATUS_EFFECT, 4)


def _left(front: "Frontier", state: State, call: str) -> State:
    """The state after an answer left."""
    if state.calls[call].reply is None:
        return attrs.evolve(state, calls=state.calls.delete(call))
    left: State = front.step(state, a.Leave(call)).state
    return left


def _missed(waiting: Outstanding, line: lines.Reply) -> bool:
    """Whether a retire gave up at its deadline, before its handler stopped."""
    due = waiting.op == "retire" and waiting.deadline is not None and waiting.deadline <= 0
    return due and line.status == 409 and code_in(line.body) == CHECKPOINT_ERROR


def _undecided(
    front: "Frontier", state: State, line: lines.Reply, waiting: Outstanding
) -> list[State | Mismatch]:
    """An answer to a call that waits: only a retire may speak before it is done."""
    came = came_text(line.status, line.body)
    if waiting.op == "run" and line.status is not None and line.status >= 400:
        execution = state.executions.get(waiting.key) if waiting.key is not None else None
        if execution is not None and execution.status == "retiring":
            # It is refused from now on, whether or not its handler has stopped.
            return [_left(front, state, line.id)]
    if waiting.op != "retire":
        rule = blamed_while_waiting(front.core, state, waiting, line.status)
        return [Mismatch("no answer yet: it still waits", came, rule or LEAVES)]
    results: list[State | Mismatch] = []
    for early in (False, True):
        later = taken(front.core, state, a.AnswerRetire(line.id, early))
        reply = None if later is None else later.calls[line.id].reply
        if later is None or reply is None:
            continue
        found = reply_mismatch(reply, line.status, line.body, front.dialect)
        if found is not None:
            found = attrs.evolve(found, rule=ops.RETIRE_EFFECT)
        left = found or _left(front, later, line.id)
        if early and isinstance(left, State):
            front.noted.append((left, RETIRE_WAITS, "the handler has not stopped"))
        results.append(left)
    return results


def explain_lost(front: "Frontier", state: State, line: lines.Lost) -> list[State | Mismatch]:
    """A call that will never be answered."""
    if line.id in state.dead:
        return [attrs.evolve(state, dead=state.dead - {line.id})]
    waiting = state.calls.get(line.id)
    if waiting is None:
        return [Mismatch("no lost reply: the call is not open", line.how, LEAVES)]
    if line.how in ("cancelled", "timeout"):
        return [front.step(state, a.Gone(line.id)).state]
    if waiting.op == "run":
        reply = waiting.reply
        if reply is not None and reply.loose:
            return [front.step(state, a.Leave(line.id, dropped=True)).state]
        return [front.step(state, a.Gone(line.id)).state]
    wanted = "an answer" if waiting.reply is None else expected_text(waiting.reply)
    return [Mismatch(wanted, "the server ended the call without one", ops.SHARED, 5)]
