"""What every part promises, and every word by which one refuses: the lists of all parts at once.

A part is what can be judged by itself; a world is all of them together. Each has a page of its own.
"""

from collections.abc import Iterable, Mapping

from fencepost.report.markdown import bullets, code, render_page, render_table
from fencepost_spec.operation import Kind, Property, Refusal
from fencepost_spec.receipts import properties as agent
from fencepost_spec.receipts import refusals as agent_refusals
from fencepost_spec.receipts import world
from fencepost_spec.receipts.controller import properties as controller
from fencepost_spec.receipts.ledger import properties as ledger
from fencepost_spec.receipts.ledger import refusals as ledger_refusals
from fencepost_spec.receipts.policy_model import properties as model
from fencepost_spec.receipts.policy_model import refusals as model_refusals
from fencepost_spec.receipts.properties import SHOULD_RULES
from fencepost_spec.receipts.resources import properties as resources
from fencepost_spec.receipts.resources import refusals as resources_refusals
from fencepost_spec.receipts.snapshot import refusals as snapshot_refusals

PROMISED: Mapping[str, tuple[Property, ...]] = {
    "agent": agent.PROPERTIES,
    "policy model": model.MODEL_PROPERTIES,
    "resources server": resources.PROPERTIES,
    "ledger": ledger.PROPERTIES,
    "controller": controller.PROPERTIES,
    "world": world.PROPERTIES,
}
"""The promises of each part."""

REFUSED: Mapping[str, tuple[Refusal, ...]] = {
    "agent": agent_refusals.REFUSALS,
    "policy model": model_refusals.ANSWERED,
    "resources server": resources_refusals.REFUSALS,
}
"""The codes that each kind of server may answer with."""

REFUSED_BY_LIBRARIES: Mapping[str, tuple[Refusal, ...]] = {
    "ledger": ledger_refusals.REFUSALS,
    "snapshot": snapshot_refusals.REFUSALS,
}
"""The words by which a library refuses a call or a directory."""

_OWN_PAGES = {
    "agent": "operations.md",
    "policy model": "policy-model.md",
    "resources server": "resources-server.md",
    "ledger": "ledger.md",
    "snapshot": "snapshot.md",
    "controller": "referee.md",
    "world": "worlds.md",
}

_PROMISES = {
    Kind.ALWAYS: "Holds after every step. One step that breaks it is enough.",
    Kind.EVENTUALLY: "Comes about in every run that is fair in the sense named.",
    Kind.SOMETIMES: "Can happen at all: a test has a witness of each.",
}


def _pages(parts: Iterable[str]) -> str:
    """A list of parts, each with its own page."""
    named = ((part, _OWN_PAGES[part]) for part in parts)
    return bullets(f"[{part}]({page})" for part, page in named)


def render_properties() -> str:
    """The page of what must hold, come about, and be possible."""
    return render_page(
        "Properties",
        "What every part promises, and a world of all of them together. "
        "Each part has a page of its own:",
        _pages(PROMISED),
        *(_of_kind(kind) for kind in Kind),
        "## Remarks",
        "Rules of level should beside the machines: breaking one is reported and decides nothing.",
        render_table(
            ("rule", "because", "source", "facts"),
            ((one.id, one.says, one.source.id, ", ".join(one.facts)) for one in SHOULD_RULES),
        ),
    )


def _of_kind(kind: Kind) -> str:
    head = ("rule", "of", "level", "promise", "source", "facts")
    fair = kind is Kind.EVENTUALLY
    rows = (
        _promise(one, part, fair)
        for part, promises in PROMISED.items()
        for one in promises
        if one.kind is kind
    )
    table = render_table((*head, "assumes") if fair else head, rows)
    return f"## {kind.value.capitalize()}\n\n{_PROMISES[kind]}\n\n{table}"


def _promise(one: Property, part: str, fair: bool) -> tuple[str, ...]:
    rule = one.rule
    shown = (one.id, part, rule.level.value, one.name, rule.source.id, ", ".join(rule.facts))
    return (*shown, one.fairness) if fair else shown


def render_refusals() -> str:
    """The page of every code that somebody may answer with."""
    return render_page(
        "Refusals",
        "A definite refusal proves that the operation did not happen. "
        "What may last all the same stands under effects.\n"
        "Codes are compared; the texts beside them never are.\n"
        "Which call is refused by which stands on the page of each part:",
        _pages((*REFUSED, *REFUSED_BY_LIBRARIES)),
        "## Of servers",
        render_table(
            ("code", "status", "of", "definite", "effects that may last", "meaning"),
            (_refusal(one, parts) for one, parts in _merged(REFUSED)),
        ),
        "## Of libraries",
        "Every one of them is definite, and nothing lasts.",
        render_table(
            ("code", "of", "meaning"),
            (
                (code(one.code), part, one.says)
                for part, some in REFUSED_BY_LIBRARIES.items()
                for one in some
            ),
        ),
        "## Of controllers",
        "A controller is asked nothing, so it has no codes. "
        "What it may not do stands [with the referee](referee.md), each with its rule.",
    )


def _merged(refused: Mapping[str, Iterable[Refusal]]) -> list[tuple[Refusal, list[str]]]:
    """Each refusal once, with the parts that answer with it."""
    found: dict[Refusal, list[str]] = {}
    for part, some in refused.items():
        for one in some:
            found.setdefault(one, []).append(part)
    return list(found.items())


def _refusal(one: Refusal, parts: Iterable[str]) -> tuple[str, ...]:
    return (
        code(one.code),
        str(one.status),
        ", ".join(parts),
        "yes" if one.definite else "no",
        "; ".join(one.effects) or "none",
        one.says,
    )
