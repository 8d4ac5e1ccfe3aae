"""The page of the referee: what any controller may do, deed by deed, and what it leaves undone."""

from collections.abc import Iterable

from fencepost.report.markdown import code, render_page, render_table, upper_first
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.controller.calls import Deed
from fencepost_spec.receipts.controller.properties import PROPERTIES
from fencepost_spec.receipts.controller.referee import REFEREE
from fencepost_spec.rule import Rule


def render_referee() -> str:
    """The page of what is asked of a controller that is only watched."""
    return render_page(
        "The referee of a controller",
        "A controller is judged by the calls that it makes to participants, by what it hands to "
        "the finalizer and the disk, and by what it has not done when everything is at rest. "
        "Nothing is asked of how it is built; what the reference decides is "
        "[another page](controller.md).",
        "Each call and deed climbs its ladder from the top. The first check whose answer is yes "
        "refuses it, or is only reported where its level is should.",
        *(_of_deed(deed) for deed in REFEREE.deeds.values()),
        "## A report",
        "What must be so in every report of the controller.",
        _asked(REFEREE.at_report),
        "## At rest",
        "What must have come about when nobody has anything left to do by themselves; "
        "what has not is a stall.",
        _asked(REFEREE.at_rest),
        "## Possible",
        "What a controller has to be able to do; each has a witness among the traces.",
        render_table(
            ("rule", "says", "source", "facts"),
            (
                (prop.id, upper_first(prop.name), prop.rule.source.id, ", ".join(prop.rule.facts))
                for prop in PROPERTIES
                if prop.kind is Kind.SOMETIMES
            ),
        ),
    )


def _of_deed(deed: Deed) -> str:
    asked = f" Asked of: {', '.join(deed.at)}." if deed.at else ""
    done = f"When none refuses: {deed.effect.says} ({deed.effect.id})."
    rows = ((rung.rule, rung.asks.says) for rung in deed.ladder)
    said = f"{upper_first(deed.says)}.{asked}"
    return f"## {code(deed.name)}\n\n{said}\n\n{_table(rows)}\n\n{done}"


def _asked(some: Iterable[tuple[str, Rule]]) -> str:
    return _table((rule, None) for _, rule in some)


def _table(rows: Iterable[tuple[Rule, str | None]]) -> str:
    """Rules; in a ladder also the question whose yes breaks each."""
    shown = list(rows)
    asked = any(when is not None for _, when in shown)
    heads = ("rule", "level", *(("when",) if asked else ()), "because", "source", "facts")
    return render_table(heads, (_row(rule, when) for rule, when in shown))


def _row(rule: Rule, when: str | None) -> tuple[str, ...]:
    asked = () if when is None else (upper_first(when),)
    return (rule.id, rule.level.value, *asked, rule.says, rule.source.id, ", ".join(rule.facts))
