"""A small graph as a picture in Mermaid: states as boxes, deeds on the arrows."""

from fencepost.exploring.graph import CUT, Graph
from fencepost.faults import UsageFault

STATES_MAX = 150
"""A picture of more states shows nothing to anybody."""


def must_be_drawable(graph: Graph) -> None:
    """A graph is small enough, whole or not, or a `UsageFault`."""
    if graph.states > STATES_MAX:
        raise UsageFault(
            f"{graph.world.name} has more than {STATES_MAX} states, too many for a picture",
            "walk it without --picture, or draw another scope",
        )


def mermaid(graph: Graph) -> str:
    """The text of the picture, or a `UsageFault` when there is too much to draw.

    What leads from a state back to itself is left out; arrows of the participant are dotted.
    """
    must_be_drawable(graph)
    lines = ["flowchart TD"]
    for node in range(graph.states):
        shown = graph.world.show(graph.parts(node)).replace('"', "'")
        lines.append(f'    s{node}["{shown}"]')
    for node in range(graph.states):
        arrows: dict[tuple[int, bool], list[str]] = {}
        cut: set[str] = set()
        for edge in graph.edges(node):
            deed, target = graph.deeds[graph.done[edge]], graph.targets[edge]
            if target == CUT:
                cut.update(deed.marks)
            elif target != node:
                arrows.setdefault((target, deed.own), []).append(deed.name)
        for (target, own), names in arrows.items():
            arrow = "-.->" if own else "-->"
            lines.append(f'    s{node} {arrow}|"{"; ".join(dict.fromkeys(names))}"| s{target}')
        if cut:
            lines.append(f'    s{node} --x|"cut: {", ".join(sorted(cut))}"| c{node}(( ))')
    return "\n".join(lines) + "\n"
