"""`fencepost rules [ID]`: lists the rules, or explains one."""

from typing import Annotated

import typer

from fencepost.commands.output import Conclusion, as_line, text_width
from fencepost.commands.typed import command
from fencepost.faults import UsageFault
from fencepost.layout import render_list, render_row
from fencepost.naming import unknown
from fencepost.verdict import rule_as_json
from fencepost_spec.rule import Rule

KINDS = ("agent", "ledger", "model", "resources", "controller")
"""What can be checked."""


@command()
def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="ID", help="One rule.")] = None,
    judging: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(KINDS), help="Only those that a check of such a participant judges by."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One line of JSON for each rule.")
    ] = False,
) -> Conclusion:
    """List every rule, or explain one: what it demands, who says so, where it is used.

    Exit codes: 0 told, 2 there is no such rule, 4 the output could not be written.
    """
    from fencepost import catalog

    if rule_id is None:
        if judging is not None and judging not in KINDS:
            raise unknown("kind of participant", judging, KINDS, "`fencepost check --help`")
        every = catalog.rules() if judging is None else catalog.judged(judging)
        rows = [as_line(rule_as_json(one)) for one in every] if as_json else map(_row, every)
        return Conclusion(0, "\n".join(rows))
    if judging is not None:
        raise UsageFault("one rule is explained, or those of a kind are listed", "leave one away")
    try:
        found = catalog.rule(rule_id)
    except catalog.NoSuchRule as error:
        raise UsageFault(str(error), "`fencepost rules` lists them all") from None
    places = catalog.places(found.id)
    if as_json:
        whole = {**rule_as_json(found), "title": found.source.title, "places": list(places)}
        return Conclusion(0, as_line(whole))
    width = text_width()
    rows = [
        _row(found),
        render_row("source", f"{found.source.id}: {found.source.title}", width),
        *([render_list("facts", found.facts, width, most=100)] if found.facts else []),
        render_list("used in", places, width, most=100),
    ]
    return Conclusion(0, "\n".join(rows))


def _row(rule: Rule) -> str:
    return render_row(f"{rule.id}  {rule.level.value}", rule.says, text_width())
