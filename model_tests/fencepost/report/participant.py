"""What the pages of participants beside the agent share: ladders, operations, lists, promises."""

from collections.abc import Iterable, Mapping

from fencepost.report.markdown import bullets, code, first_line, render_table, upper_first
from fencepost_spec.operation import REPLAY, SHARE, Check, Kind, Operation, Property, Refusal
from fencepost_spec.rule import Rule

_ANSWERS = {REPLAY: "the recorded answer", SHARE: "the answer of the call under way"}

Codes = Mapping[str, Refusal]
"""The refusals of a participant, by code."""


def ladder_table(ladder: Iterable[Check], codes: Codes) -> str:
    """The checks of a ladder in the order in which they are asked."""
    rows = (
        (
            str(place),
            first_line(check.when.__doc__),
            _answer(check, codes),
            check.rule.id,
            check.rule.says,
            ", ".join(check.rule.facts),
        )
        for place, check in enumerate(ladder, start=1)
    )
    return render_table(("", "when", "answer", "rule", "because", "facts"), rows)


def _answer(check: Check, codes: Codes) -> str:
    known = _ANSWERS.get(check.answer)
    return known or f"{codes[check.answer].status} `{check.answer}`"


def operation_section(operation: Operation, codes: Codes) -> str:
    """One operation: its route, what it moves, its ladder, its effect."""
    facts = [f"`{operation.method} {operation.path}`"]
    if operation.event is not None:
        facts.append(f"moves the fence by `{operation.event}`")
    if operation.phases is not None:
        facts.append(f"acts in {', '.join(code(phase) for phase in operation.phases)}")
    effect = f"When no check answers: {operation.effect.says} ({operation.effect.id})."
    head = (f"## {operation.name}", upper_first(operation.says) + ".", bullets(facts))
    return "\n\n".join((*head, ladder_table(operation.ladder, codes), effect))


def refusal_table(refusals: Iterable[Refusal]) -> str:
    """Codes and what each proves."""
    rows = (
        (
            code(one.code),
            str(one.status),
            "yes" if one.definite else "no",
            "; ".join(one.effects) or "none",
            one.says,
        )
        for one in refusals
    )
    return render_table(("code", "status", "definite", "effects that may last", "meaning"), rows)


def property_section(properties: Iterable[Property], kind: Kind) -> str:
    """The promises of one kind."""
    rows = (
        (prop.id, prop.rule.level.value, prop.name, prop.fairness, ", ".join(prop.rule.facts))
        for prop in properties
        if prop.kind is kind
    )
    table = render_table(("rule", "level", "promise", "assumes", "facts"), rows)
    return f"## {kind.value.capitalize()}\n\n{table}"


def named_table(entries: Iterable[tuple[Rule, str]], head: str) -> str:
    """Rules that each add one thing."""
    rows = (
        (rule.id, named, rule.says, rule.source.id, ", ".join(rule.facts))
        for rule, named in entries
    )
    return render_table(("rule", head, "because", "source", "facts"), rows)


def rule_table(rules: Iterable[Rule]) -> str:
    """Rules that no chart, ladder or list carries."""
    rows = ((one.id, one.says, one.source.id, ", ".join(one.facts)) for one in rules)
    return render_table(("rule", "sentence", "source", "facts"), rows)
