"""What an exploration came to, as text for people and as JSON for programs."""

from collections.abc import Iterable, Iterator

from fencepost.exploring.findings import Counterexample, Findings, Progressed
from fencepost.exploring.lasso import Lasso
from fencepost.exploring.progress import Answer
from fencepost.exploring.small_world import Deed
from fencepost.exploring.telling import Witness
from fencepost.layout import DOT, paint, render_list, render_row
from fencepost.trace.lines import JsonObject
from fencepost_spec.operation import Property
from fencepost_spec.wording import counted

_COLOURS = {0: "green", 1: "red", 3: "yellow"}


def render_findings(found: Findings, *, subject: str, colour: bool, width: int) -> str:
    """The verdict, what is wrong with its shortest trace, then what was asked and what left out."""
    return "\n".join(_lines(found, subject, colour, width))


def _lines(found: Findings, subject: str, colour: bool, width: int) -> Iterator[str]:
    verdict = paint(found.verdict, _COLOURS[found.exit_code], on=colour)
    yield f"{verdict}{' ' * max(1, 20 - len(found.verdict))}{subject}, {found.world.name}"
    yield render_row("scope", found.world.says, width)
    yield render_row("walked", _walked(found), width)
    if found.stopped is not None:
        yield render_row("stopped", f"{found.stopped}; promises of progress are not asked", width)
    for one in found.always:
        if one.broken is not None:
            yield from _wrong(one.property, width)
            yield from _trace(one.broken, width)
    if found.deadlock is not None:
        stuck = counted(found.deadlocks, "state")
        yield render_row("deadlock", f"nothing can happen in {stuck}", width)
        yield from _trace(found.deadlock, width)
    for progressed in found.eventually:
        if progressed.lasso is not None:
            yield from _wrong(progressed.asked.property, width)
            yield from _lasso(progressed.lasso, progressed.asked.property.fairness, width)
    yield from _summary(found, width)


def _walked(found: Findings) -> str:
    apart = "" if found.whole == found.states else f" ({found.whole:,} with names told apart)"
    rate = found.transitions / found.seconds if found.seconds else 0.0
    return DOT.join(
        (
            f"{counted(found.states, 'state')}{apart}",
            counted(found.transitions, "transition"),
            f"{counted(found.depth, 'action')} deep",
            f"{found.seconds:.1f} s, {rate:,.0f} transitions a second",
        )
    )


def _wrong(promise: Property, width: int) -> Iterator[str]:
    yield render_row(f"{promise.id}  {promise.rule.level.value}", promise.name, width)


def _trace(example: Counterexample, width: int) -> Iterator[str]:
    yield render_list("shortest", names_of(example.deeds), width, most=60)
    yield render_row("state before", example.state, width)


def _lasso(lasso: Lasso, fairness: str, width: int) -> Iterator[str]:
    yield render_row("owed for ever", lasso.subject, width)
    yield render_list("first", names_of(lasso.way) or ["nothing"], width, most=60)
    again = names_of(lasso.round) or ["nothing more happens, and nothing that is owed is possible"]
    yield render_list("then for ever", again, width, most=60)
    yield render_row("state between", lasso.state, width)
    yield render_row("although", fairness, width)


def names_of(deeds: Iterable[Deed]) -> list[str]:
    """Deeds in words; what the participant does by itself stands in brackets."""
    return [f"({deed.name})" if deed.own else deed.name for deed in deeds]


def _summary(found: Findings, width: int) -> Iterator[str]:
    kept = [one.property.id for one in found.always if one.broken is None]
    yield render_list("always", kept or ["none was asked"], width, most=30)
    by_answer: dict[Answer, list[str]] = {}
    for progressed in found.eventually:
        by_answer.setdefault(progressed.asked.answer, []).append(_asked(progressed))
    for answer in (Answer.HOLDS, Answer.CUT, Answer.NEVER):
        if answer in by_answer:
            label = {"holds": "eventually", "cut": "cut, so open"}.get(answer.value, answer.value)
            yield render_list(label, by_answer[answer], width)
    for shown in found.sometimes:
        yield render_row(shown.property.id, _witness(shown, found), width)
    if found.cut:
        cut = [f"{bound}, {counted(times, 'time')}" for bound, times in found.cut.items()]
        yield render_list("cut off", cut, width)
    unused = [rule.id for rule in found.unused]
    if unused:
        yield render_list(f"{counted(len(unused), 'rule')} unused", unused, width, most=12)


def _asked(progressed: Progressed) -> str:
    asked = progressed.asked
    if asked.answer is Answer.CUT:
        return f"{asked.property.id} (in {counted(asked.cut, 'state')} only a bound is in the way)"
    return asked.property.id if not asked.owed else f"{asked.property.id} ({asked.owed:,})"


def _witness(shown: Witness, found: Findings) -> str:
    if shown.deeds is None:
        later = ", so far" if found.stopped is not None else ""
        return f"no trace shows that {shown.property.name}{later}"
    return f"{shown.property.name}: " + DOT.join(names_of(shown.deeds))


def findings_as_json(found: Findings, subject: str) -> JsonObject:
    """Everything that was found, without what depends on the machine but the time."""
    return {
        "verdict": found.verdict,
        "exit_code": found.exit_code,
        "subject": subject,
        "scope": found.world.name,
        "says": found.world.says,
        "states": found.states,
        "states_told_apart": found.whole,
        "transitions": found.transitions,
        "actions_deep": found.depth,
        "seconds": round(found.seconds, 3),
        "stopped": found.stopped,
        "always": [{"id": one.property.id, "broken": _example(one.broken)} for one in found.always],
        "eventually": [_progressed(one) for one in found.eventually],
        "sometimes": [
            {
                "id": one.property.id,
                "witness": None if one.deeds is None else list(names_of(one.deeds)),
            }
            for one in found.sometimes
        ],
        "deadlocks": found.deadlocks,
        "deadlock": _example(found.deadlock),
        "cut": dict(found.cut),
        "unused_rules": [rule.id for rule in found.unused],
    }


def _example(example: Counterexample | None) -> JsonObject | None:
    if example is None:
        return None
    return {
        "deeds": list(names_of(example.deeds)),
        "actions": example.actions,
        "state": example.state,
    }


def _progressed(progressed: Progressed) -> JsonObject:
    asked, lasso = progressed.asked, progressed.lasso
    shown: JsonObject = {
        "id": asked.property.id,
        "answer": asked.answer.value,
        "owed_in": asked.owed,
        "cut_in": asked.cut,
        "fairness": asked.property.fairness,
        "lasso": None,
    }
    if lasso is not None:
        shown["lasso"] = {
            "subject": lasso.subject,
            "first": list(names_of(lasso.way)),
            "then_for_ever": list(names_of(lasso.round)),
            "state": lasso.state,
        }
    return shown
