"""The kill matrix as text for a terminal, and as a page of the documentation."""

import statistics
from collections.abc import Iterator

from fencepost.kill_matrix.part import MECHANICAL, TITLES, Part
from fencepost.kill_matrix.row import FAILURES, Row, Status
from fencepost.kill_matrix.tally import Tally
from fencepost.layout import DOT, LABEL_WIDTH, render_list, render_row
from fencepost.report.markdown import code, render_table
from fencepost_spec.wording import counted

_NOTICE = (
    "<!-- Rendered by the test of the kill matrix with REWRITE=1; changes made here are lost. -->"
)


def render_text(
    part: Part, rows: tuple[Row, ...], tally: Tally, *, whole: bool, seconds: float
) -> str:
    """Failures first, then what was counted, then every mutant."""
    parts = list(_failures(rows))
    parts += _counted(rows, tally, seconds)
    if whole:
        parts += _rules(part, tally)
    for group, title in TITLES.items():
        listed = [row for row in rows if row.group == group]
        if listed:
            parts += ["", title.upper() if group == "bugs" else title]
            parts += [_row_text(row) for row in listed]
    return "\n".join(parts)


def _failures(rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows:
        if row.status in FAILURES:
            told = row.why or f"{row.rule or 'no rule'} in {counted(row.actions, 'action')}"
            yield render_row(row.status.value.upper(), f"{row.name}: {told}")
            if row.sequence:
                yield render_list("", row.sequence)


def _counted(rows: tuple[Row, ...], tally: Tally, seconds: float) -> list[str]:
    killed, differing = tally.count(Status.KILLED), tally.differing
    share = "" if not differing else f", {100 * killed / differing:.1f} %"
    times = [row.seconds for row in rows]
    longest = max(rows, key=lambda row: row.seconds)
    nearest = sum(row.nearest for row in rows)
    return [
        render_row("killed", f"{killed} of {differing} mutants that differ{share}"),
        render_row("blame", f"{nearest} by a rule that states the very fault"),
        render_row("equivalent", f"{tally.count(Status.EQUIVALENT)}, walked whole, no difference"),
        render_row("argued", f"{tally.count(Status.ARGUED)}, by name"),
        render_row(
            "time",
            f"median {statistics.median(times):.3f} s, longest {longest.seconds:.1f} s "
            f"({longest.name}), {seconds:.0f} s in all",
        ),
    ]


def _rules(part: Part, tally: Tally) -> Iterator[str]:
    yield render_row("rules named", f"{len(tally.named)} in a refusal of a mutant")
    yield render_list("rules noticed", tally.noticed, most=len(tally.noticed) + 1)
    yield render_row("", "broken by a mutant, and another rule is named")
    if tally.unbroken:
        yield render_row("NEVER BROKEN", f"{len(tally.unbroken)} rules:")
    for rule in tally.unbroken:
        yield render_row(f"  {rule}", part.unbroken.get(rule, "NOBODY SAYS WHY"))


def _row_text(row: Row) -> str:
    indent = " " * LABEL_WIDTH
    name = render_row(row.cites[0] if row.cites else "", row.name)
    if row.status is Status.EQUIVALENT:
        where = f"{counted(row.places, 'place')} of {counted(len(row.scopes), 'scope')}"
        return f"{name}\n{indent}equivalent: {where}, no difference"
    if row.status is not Status.KILLED:
        return f"{name}\n{render_row('', f'{row.status.value}: {row.why or row.rule}')}"
    told = f"{row.rule} in {counted(row.actions, 'action')}, {row.seconds:.2f} s"
    if row.group == "builds":
        return f"{name}\n{render_row('', f'refused by the build: {row.rule_says}')}"
    return f"{name}\n{render_row('', told)}\n{render_list('', row.sequence)}"


def render_markdown(part: Part, rows: tuple[Row, ...], tally: Tally) -> str:
    """The page of a part: everything but times."""
    return "\n\n".join(_markdown(part, rows, tally)) + "\n"


def _markdown(part: Part, rows: tuple[Row, ...], tally: Tally) -> Iterator[str]:
    killed = tally.count(Status.KILLED)
    yield f"# {part.title}"
    yield _NOTICE
    yield (
        f"{len(rows)} participants that are wrong on purpose. {killed} are refused, "
        f"{tally.count(Status.EQUIVALENT)} are shown to do nothing otherwise, and "
        f"{tally.count(Status.ARGUED)} differ in what the rules leave open.\n"
        f"`{part.command}` runs them. {part.says}"
    )
    for group, title in TITLES.items():
        listed = [row for row in rows if row.group == group and row.status is Status.KILLED]
        if listed and group != "builds":
            yield f"## {title}"
            yield _killed_table(listed, cited=group != MECHANICAL)
        elif listed:
            yield f"## {title}"
            yield render_table(
                ("build", "what it would do", "the build says"),
                [(row.name, row.says, code(row.rule_says)) for row in listed],
            )
    yield "## Not refused"
    yield _excused(rows)
    yield "## Rules"
    yield f"Named in a refusal: {', '.join(tally.named)}."
    yield f"Broken, while another rule is named: {', '.join(tally.noticed)}."
    yield "Broken by no mutant:"
    yield render_table(
        ("rule", "why"),
        [(rule, part.unbroken.get(rule, "**nobody says why**")) for rule in tally.unbroken],
    )
    yield from part.more()


def _killed_table(rows: list[Row], *, cited: bool) -> str:
    return render_table(
        ("mutant", "stands for", "refused by", "actions", "shortest sequence"),
        [
            (
                row.name,
                ", ".join(row.cites if cited else row.cites[:1]),
                row.rule or "",
                str(row.actions),
                DOT.join(row.sequence),
            )
            for row in rows
        ],
    )


def _excused(rows: tuple[Row, ...]) -> str:
    listed = [row for row in rows if row.status is not Status.KILLED]
    return render_table(
        ("mutant", "what became of it", "why"),
        [(row.name, row.status.value, _excuse(row)) for row in listed],
    )


def _excuse(row: Row) -> str:
    """Why a mutant is not refused: the argument, and where it was walked."""
    walked = f"the same in {row.places} places of: {', '.join(row.scopes)}"
    said = [row.why] if row.why else []
    return "; ".join([*said, walked] if row.places else said)
