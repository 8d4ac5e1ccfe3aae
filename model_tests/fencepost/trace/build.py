"""The quick way from a parsed line to its value: one look at its fields, a few at their types.

It accepts what the models of `fencepost.trace.models` accept, and a law says so. It never explains:
a line that it does not know goes to `fencepost.trace.explain`. Every line of a long recording
passes here, so the checks are written out by hand.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import cast

from fencepost.faults import HarnessFault, TraceFault
from fencepost.trace.explain import explain
from fencepost.trace.lines import (
    FORMAT_VERSION,
    KINDS,
    LOST,
    AnyLine,
    At,
    Call,
    Disk,
    Fault,
    Footer,
    Header,
    Json,
    JsonObject,
    Lost,
    Note,
    Protocol,
    Reply,
    Report,
    Returned,
    Tick,
    Work,
    is_list,
    is_object,
)
from fencepost_spec.vocabulary import microseconds

_OUTCOMES = frozenset({"ok", "waits"})
_AUTHS = frozenset({"none", "wrong"})


def build_line(value: Json, line_number: int | None = None) -> AnyLine:
    """The line that a JSON value stands for, or a `TraceFault` that says what is wrong with it.

    >>> build_line({"seq": 3, "tick": 0.5})
    Tick(seq=3, microseconds=500000)
    """
    if is_object(value):
        builder = _BUILDERS.get(frozenset(value))
        line = None if builder is None else builder(value)
        if line is not None:
            return line
    told = explain(value)
    if told is None:
        raise HarnessFault("the models accept a line that the quick reader refuses", repr(value))
    raise TraceFault(line_number, *told)


def _is_name(value: Json) -> bool:
    return type(value) is str and value != ""


def _is_count(value: Json, least: int) -> bool:
    return type(value) is int and value >= least


def _is_refusal(value: Json) -> bool:
    return is_object(value) and _is_name(value.get("code"))


def _header(value: JsonObject) -> Header | None:
    participant, hidden = value["participant"], value["hidden"]
    if (
        type(value["fencepost"]) is int
        and value["fencepost"] == FORMAT_VERSION
        and type(value["protocol"]) is str
        and value["kind"] in KINDS.get(value["protocol"], ())
        and is_object(participant)
        and participant.keys() == {"name", "version"}
        and _is_name(participant["name"])
        and _is_name(participant["version"])
        and type(value["scenario"]) is str
        and type(value["about"]) is str
        and is_object(value["settings"])
        and is_list(hidden)
        and all(map(_is_name, hidden))
    ):
        return Header(
            protocol=cast("Protocol", value["protocol"]),
            kind=value["kind"],
            name=participant["name"],
            version=participant["version"],
            scenario=value["scenario"],
            about=value["about"],
            settings=value["settings"],
            hidden=tuple(hidden),
        )
    return None


def _footer(value: JsonObject) -> Footer | None:
    end = value["end"]
    if is_object(end) and end.keys() == {"lines"} and _is_count(end["lines"], 0):
        return Footer(end["lines"])
    return None


def _place(value: Json) -> At | None:
    if is_object(value) and value.keys() == {"kind", "instance"}:
        kind, instance = value["kind"], value["instance"]
        if _is_name(kind) and _is_name(instance):
            return At(kind, instance)
    return None


def _call(value: JsonObject) -> Call | None:
    request, op, call_id = value["request"], value["call"], value["id"]
    if not (_is_count(value["seq"], 1) and _is_name(op) and _is_name(call_id)):
        return None
    if len(value) == 4:
        return Call(value["seq"], op, call_id, request) if is_object(request) else None
    auth, text, at = value.get("auth"), value.get("text"), None
    if "at" in value and (at := _place(value["at"])) is None:
        return None
    if "auth" in value and not (type(auth) is str and auth in _AUTHS):
        return None
    if "text" in value:
        if request is not None or type(text) is not str:
            return None
    elif not is_object(request):
        return None
    return Call(value["seq"], op, call_id, request, auth, text, at)


def _status_reply(value: JsonObject) -> Reply | None:
    status, headers = value["status"], value.get("headers")
    if "headers" in value and not (
        is_object(headers) and all(type(text) is str for text in headers.values())
    ):
        return None
    if (
        _is_count(value["seq"], 1)
        and _is_name(value["reply"])
        and type(status) is int
        and 100 <= status <= 599
    ):
        return Reply(value["seq"], value["reply"], status, value["body"], None, headers)
    return None


def _ok_reply(value: JsonObject) -> Reply | None:
    if _is_count(value["seq"], 1) and _is_name(value["reply"]) and value["outcome"] == "ok":
        return Reply(value["seq"], value["reply"], None, value["body"], "ok")
    return None


def _error_reply(value: JsonObject) -> Reply | None:
    outcome = value["outcome"]
    if (
        _is_count(value["seq"], 1)
        and _is_name(value["reply"])
        and is_object(outcome)
        and type(outcome.get("error")) in {str, dict}
    ):
        return Reply(value["seq"], value["reply"], None, None, outcome)
    return None


def _lost(value: JsonObject) -> Lost | None:
    how = value["lost"]
    if _is_count(value["seq"], 1) and _is_name(value["reply"]) and type(how) is str and how in LOST:
        return Lost(value["seq"], value["reply"], how)
    return None


def _work(value: JsonObject) -> Work | None:
    event, subject, outcome, at = value["work"], value["subject"], value["outcome"], None
    detail: Json = value.get("detail", {})
    if not (_is_count(value["seq"], 1) and _is_name(event) and is_object(detail)):
        return None
    if not (outcome in _OUTCOMES if type(outcome) is str else _is_refusal(outcome)):
        return None
    if "at" in value and (at := _place(value["at"])) is None:
        return None
    if subject is None:
        return Work(value["seq"], event, None, None, detail, outcome, at)
    if not (is_object(subject) and subject.keys() == {"rollout_id", "attempt"}):
        return None
    rollout_id, attempt = subject["rollout_id"], subject["attempt"]
    if _is_name(rollout_id) and _is_count(attempt, 0):
        return Work(value["seq"], event, rollout_id, attempt, detail, outcome, at)
    if rollout_id is None and attempt is None:
        return Work(value["seq"], event, None, None, detail, outcome, at, anonymous=True)
    return None


def _returned(value: JsonObject) -> Returned | None:
    of, outcome = value["returned"], value["outcome"]
    if (
        _is_count(value["seq"], 1)
        and _is_count(of, 1)
        and (outcome == "ok" if type(outcome) is str else _is_refusal(outcome))
    ):
        return Returned(value["seq"], of, outcome)
    return None


def _report(value: JsonObject) -> Report | None:
    seq, body, internal, at = value["seq"], value["report"], value.get("internal"), None
    if not (type(seq) is int and seq >= 1 and is_object(body)):
        return None
    if "internal" in value and not is_object(internal):
        return None
    if len(value) == 2 + ("internal" in value):
        return Report(seq, body, internal)
    moving = value.get("moving", False)
    if type(moving) is not bool or ("at" in value and (at := _place(value["at"])) is None):
        return None
    return Report(seq, body, internal, moving, at)


def _fault(value: JsonObject) -> Fault | None:
    name, disk, at = value["fault"], value.get("disk"), None
    detail: Json = value.get("detail", {})
    if not (_is_count(value["seq"], 1) and _is_name(name) and is_object(detail)):
        return None
    if "at" in value and (at := _place(value["at"])) is None:
        return None
    if "disk" in value:
        if name != "replace" or disk not in ("kept", "empty"):
            return None
    elif name == "replace":
        return None
    return Fault(value["seq"], name, disk, detail, at)


def _disk(value: JsonObject) -> Disk | None:
    if _is_count(value["seq"], 1) and is_object(value["disk"]):
        return Disk(value["seq"], value["disk"])
    return None


def _tick(value: JsonObject) -> Tick | None:
    tick = value["tick"]
    if _is_count(value["seq"], 1) and type(tick) in {int, float} and tick >= 0:
        return Tick(value["seq"], microseconds(tick))
    return None


def _note(value: JsonObject) -> Note | None:
    if _is_count(value["seq"], 1) and type(value["note"]) is str:
        return Note(value["seq"], value["note"])
    return None


_Builder = Callable[[JsonObject], AnyLine | None]

_SHAPES: tuple[tuple[_Builder, str, str], ...] = (
    (_header, "fencepost protocol kind participant scenario about settings hidden", ""),
    (_footer, "end", ""),
    (_call, "seq call id request", "auth text at"),
    (_status_reply, "seq reply status body", "headers"),
    (_ok_reply, "seq reply outcome body", ""),
    (_error_reply, "seq reply outcome", ""),
    (_lost, "seq reply lost", ""),
    (_work, "seq work subject outcome", "detail at"),
    (_returned, "seq returned outcome", ""),
    (_report, "seq report", "internal moving at"),
    (_fault, "seq fault", "disk detail at"),
    (_disk, "seq disk", ""),
    (_tick, "seq tick", ""),
    (_note, "seq note", ""),
)
"""Each builder with the fields that its lines must have and may have."""


def _expand_shapes() -> Iterator[tuple[frozenset[str], _Builder]]:
    for builder, must, may in _SHAPES:
        optional = may.split()
        for size in range(len(optional) + 1):
            for chosen in combinations(optional, size):
                yield frozenset(must.split()).union(chosen), builder


_BUILDERS: dict[frozenset[str], _Builder] = dict(_expand_shapes())
