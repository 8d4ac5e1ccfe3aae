"""`fencepost rules [ID]`: lists the rules, or explains one."""

from typing import Annotated

import typer

from fencepost.commands.output import say, say_json, text_width
from fencepost.faults import UsageFault
from fencepost.layout import render_list, render_row
from fencepost.verdict import rule_as_json


def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="ID", help="One rule.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON for each rule.")
    ] = False,
) -> None:
    """List every rule, or explain one: what it demands, who says so, where it is used."""
    from fencepost import catalog

    if rule_id is None:
        for each in catalog.rules():
            if as_json:
                say_json(rule_as_json(each))
            else:
                say(render_row(f"{each.id}  {each.level.value}", each.says, text_width()))
        return
    try:
        found = catalog.rule(rule_id)
    except catalog.NoSuchRule as error:
        raise UsageFault(str(error), "`fencepost rules` lists them all") from None
    places = catalog.places(found.id)
    if as_json:
        say_json({**rule_as_json(found), "title": found.source.title, "places": list(places)})
        return
    width = text_width()
    say(render_row(f"{found.id}  {found.level.value}", found.says, width))
    say(render_row("source", f"{found.source.id}: {found.source.title}", width))
    if found.facts:
        say(render_list("facts", found.facts, width, most=100))
    say(render_list("used in", places, width, most=100))
