"""Text in two columns: a label, and what it labels, wrapped under itself.

What comes from a trace may hold anything; nothing of it reaches a terminal as a control character.
Imports the standard library only.
"""

import textwrap
from collections.abc import Iterable, Sequence

LABEL_WIDTH = 20
WIDTH = 100
DOT = " · "

# fmt: off
_COLOURS = {"red": "31", "green": "32", "yellow": "33", "bold": "1"}
# fmt: on


def clean(text: str) -> str:
    """The text on one line, with each character that cannot be printed shown as an escape.

    >>> clean("r1\\x1b[2J\\nnext")
    'r1\\\\x1b[2J\\\\nnext'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def paint(text: str, colour: str, *, on: bool) -> str:
    """The text in a colour, or as it is."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if on else text


def render_row(label: str, text: str, width: int = WIDTH) -> str:
    """One labelled text, wrapped between words under its own column."""
    wrapped = textwrap.wrap(
        clean(text),
        max(width - LABEL_WIDTH, 20),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return _under(label, wrapped)


def _fitting(text: str, room: int) -> list[str]:
    """A text on one line, or on several where one is not wide enough."""
    if len(text) <= room:
        return [text]
    return textwrap.wrap(text, max(room, 20), break_long_words=False, break_on_hyphens=False)


def render_list(label: str, items: Iterable[str], width: int = WIDTH, most: int = 12) -> str:
    """One labelled list, its items kept whole where one fits; beyond `most` they are counted."""
    shown = [clean(item) for item in items]
    if len(shown) > most:
        shown[most:] = [f"… and {len(shown) - most} more"]
    lines: list[str] = []
    # A line that is continued ends in a dot, which needs its place too.
    room = width - LABEL_WIDTH - len(DOT.rstrip())
    for item in shown:
        if lines and len(lines[-1]) + len(DOT) + len(item) <= room:
            lines[-1] += DOT + item
        else:
            if lines:
                lines[-1] += DOT.rstrip()
            lines += _fitting(item, room)
    return _under(label, lines)


def _under(label: str, lines: Sequence[str]) -> str:
    head = f"{label:<{LABEL_WIDTH}}"
    # A label that fills its column still stands apart from the text.
    head = head if head.endswith(" ") else f"{head} "
    indent = " " * LABEL_WIDTH
    return "\n".join(
        (head if number == 0 else indent) + line for number, line in enumerate(lines or [""])
    ).rstrip()
