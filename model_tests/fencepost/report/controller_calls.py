"""The page of what a controller may do: its calls and deeds with their ladders, its promises."""

from fencepost.report.markdown import code, render_page, render_table, upper_first
from fencepost.report.participant import property_section
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.controller.calls import Deed
from fencepost_spec.receipts.controller.properties import AT_REPORT, AT_REST, PROPERTIES
from fencepost_spec.receipts.controller.referee import REFEREE
from fencepost_spec.rule import Rule


def render_controller_calls() -> str:
    """The page of every call and visible deed of a controller."""
    return render_page(
        "What a controller may do",
        "Whatever a controller is built like, its calls and visible deeds are asked this, one "
        "check after the other.\n"
        "The first check that says yes refuses; one of level should is only reported.",
        *(_section(deed) for deed in REFEREE.deeds.values()),
        "## At rest",
        "Each report is asked the first list; what the second names is left undone there.",
        _asked(AT_REPORT),
        _asked(AT_REST),
        *(property_section(PROPERTIES, kind) for kind in Kind),
    )


def _section(deed: Deed) -> str:
    at = f", asked of: {', '.join(deed.at)}" if deed.at else ""
    rows = (
        (
            str(place),
            upper_first(rung.asks.says),
            rung.rule.id,
            rung.rule.level.value,
            rung.rule.says,
            ", ".join(rung.rule.facts),
        )
        for place, rung in enumerate(deed.ladder, start=1)
    )
    table = render_table(("", "refused when", "rule", "level", "because", "facts"), rows)
    effect = f"When no check answers: {deed.effect.says} ({deed.effect.id})."
    return f"## {deed.name}\n\n{upper_first(deed.says)}{at}.\n\n{table}\n\n{effect}"


def _asked(questions: tuple[tuple[str, Rule], ...]) -> str:
    rows = ((code(name), rule.id, rule.says) for name, rule in questions)
    return render_table(("question", "rule", "otherwise it holds that"), rows)
