"""The page of worlds: what must hold of a controller and its participants together."""

from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.report.markdown import code, render_page, render_table
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.world import CARRIES, DISK_ANSWERS, PROPERTIES

_HEADS = {
    Kind.ALWAYS: "## What always holds",
    Kind.EVENTUALLY: "## What comes about",
    Kind.SOMETIMES: "## What is possible",
}


def render_worlds() -> str:
    """The promises that no process can keep alone, and the worlds in which they are asked."""
    return render_page(
        "Worlds",
        "A controller, its participants, a network and a disk, each step of each on its own. "
        "[What a crash costs](crash-costs.md) is played in one.",
        *(f"{_HEADS[kind]}\n\n{_promises(kind)}" for kind in Kind),
        "## What everybody may count on",
        render_table(("rule", "says"), ((rule.id, rule.says) for rule in (CARRIES, DISK_ANSWERS))),
        "## Named worlds",
        "`fencepost explore NAME` walks one. "
        "`--mutant` takes the name of a fault of [the controller](controller.md).",
        render_table(
            ("name", "what is in it"), ((code(scope.name), scope.says) for scope in WORLD_SCOPES)
        ),
    )


def _promises(kind: Kind) -> str:
    some = [one for one in PROPERTIES if one.kind is kind]
    if kind is Kind.EVENTUALLY:
        rows = ((one.id, one.name, one.fairness) for one in some)
        return render_table(("rule", "promise", "assuming that"), rows)
    return render_table(("rule", "promise"), ((one.id, one.name) for one in some))
