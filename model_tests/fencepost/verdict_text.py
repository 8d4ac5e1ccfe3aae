"""A verdict as people read it: two columns, the first thing to know in the first line."""

from fencepost.layout import LABEL_WIDTH, WIDTH, clean, paint, render_list, render_row
from fencepost.verdict import Kind, Verdict
from fencepost_spec.rule import Rule
from fencepost_spec.wording import counted

# fmt: off
_HEADS: dict[Kind, tuple[str, str]] = {
    "conforms":     ("conforms",          "green"),
    "violates":     ("does not conform",  "red"),
    "stalls":       ("stalls",            "red"),
    "out_of_date":  ("list out of date",  "red"),
    "bad_input":    ("bad input",         "red"),
    "inconclusive": ("inconclusive",      "yellow"),
    "harness":      ("could not run",     "red"),
}
# fmt: on


def render_text(verdict: Verdict, *, colour: bool = False, width: int = WIDTH) -> str:
    """A verdict in plain text, without a newline at its end; colour marks the first word only."""
    head, shade = _HEADS[verdict.kind]
    where = verdict.file
    if verdict.line is not None:
        counted = "file line" if verdict.kind == "bad_input" else "line"
        where = f"{where}, {counted} {verdict.line}"
    # Never wrapped, so that whoever searches for a file and its line finds them.
    first = f"{paint(head, shade, on=colour)}{' ' * (LABEL_WIDTH - len(head))}{clean(where)}"
    return "\n".join([first, *_body(verdict, width)])


def head_of(verdict: Verdict) -> str:
    """The first words of a verdict."""
    return _HEADS[verdict.kind][0]


def _body(verdict: Verdict, width: int) -> list[str]:
    """Every row under the first, in the order in which a reader asks."""
    rows: list[str] = []
    if verdict.rule is not None:
        rows += render_rule_rows(verdict.rule, width)
    texts = (
        (f"line {verdict.line}", verdict.line_text),
        ("expected", verdict.expected),
        ("came", verdict.came),
        ("state before", verdict.state_before),
    )
    rows += [render_row(label, text, width) for label, text in texts if text]
    if verdict.legal_here:
        rows.append(render_list("legal here", verdict.legal_here, width))
    if verdict.shortest:
        rows.append(render_list("shortest", verdict.shortest, width, most=40))
    if verdict.replay:
        rows.append(render_row("replay", verdict.replay, width))
    if verdict.reason:
        rows.append(render_row("because", verdict.reason, width))
    for one in verdict.raised:
        rows.append(render_row("raised", f"{one.error}, in a task of its own", width))
        rows += raised_rows(one.where, width)
    if verdict.not_sent:
        rows.append(render_list("not sent", verdict.not_sent, width))
    rows += [
        render_row(f"{note.rule.id}  should", f"line {note.line}: {note.text}", width)
        for note in verdict.notes
    ]
    if verdict.rules_exercised:
        rows.append(render_row("exercised", counted(len(verdict.rules_exercised), "rule"), width))
    return rows


def raised_rows(where: tuple[str, ...], width: int) -> list[str]:
    """The frames of an adapter, one under the other."""
    return [
        render_row("" if number else "raised at", frame, width)
        for number, frame in enumerate(where)
    ]


def render_rule_rows(rule: Rule, width: int = WIDTH) -> list[str]:
    """A rule in two rows: what it demands, and who says so with which facts."""
    source = rule.source.id
    if rule.facts:
        source = f"{source} ({', '.join(rule.facts)})"
    return [
        render_row(f"{rule.id}  {rule.level.value}", rule.says, width),
        render_row("source", source, width),
    ]
