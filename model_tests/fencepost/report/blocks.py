"""Fenced blocks of pages: found by kind, run as doctests, and written again with what comes out."""

import doctest
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

import attrs

_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

Names = dict[str, object]


def blocks(page: str, kind: str) -> Iterator[str]:
    """The texts of the fenced blocks of that kind, in order.

    >>> list(blocks("```pycon\\n>>> 1\\n1\\n```", "pycon"))
    ['>>> 1\\n1\\n']
    """
    for block in _BLOCK.finditer(page):
        if block["kind"] == kind:
            yield block["text"]


@attrs.frozen
class Ran:
    """What came of a block: how it differs from what it shows, and how it should read."""

    faults: tuple[str, ...]
    text: str


def run_block(text: str, names: Names, where: str) -> Ran:
    """Run one block with the names of the blocks before it, and leave it those that it made."""
    examples = doctest.DocTestParser().get_examples(text, where)
    if not examples:
        return Ran((f"{where}: a block without an example shows nothing",), text)
    faults: list[str] = []
    written = ""
    for example in examples:
        got, error = _run(example.source, names, where)
        if error is not None:
            faults.append(f"{where}: {example.source}raised {error!r}")
            got = example.want
        elif got != example.want:
            faults.append(f"{where}: {example.source}expected:\n{example.want}got:\n{got}")
        written += _prompted(example.source) + got
    return Ran(tuple(faults), written)


def _run(source: str, names: Names, where: str) -> tuple[str, Exception | None]:
    """What one example prints, or what it raises."""
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            # The source stands in a page of this repository.
            exec(compile(source, where, "single"), names)  # noqa: S102 - running it is the test
        except Exception as error:  # noqa: BLE001 - whatever a page raises is a fault of the page
            return "", error
    return printed.getvalue(), None


def _prompted(source: str) -> str:
    """The source of an example with its prompts."""
    first, *more = source.rstrip("\n").split("\n")
    return "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in more)]) + "\n"
