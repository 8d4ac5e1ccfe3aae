"""Markdown by small steps: headings, tables, anchors. Text in, text out."""

from collections.abc import Iterable, Sequence

RENDERED = "<!-- Rendered "
"""How the notice begins that every page has which nobody wrote by hand."""

NOTICE = f"{RENDERED}from the specification by `make docs`; changes made here are lost. -->"


def render_page(title: str, *parts: str) -> str:
    """A page: title, notice, and its parts with one empty line between them."""
    return "\n\n".join((f"# {title}", NOTICE, *(part.strip("\n") for part in parts if part))) + "\n"


def render_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar inside a cell is kept from ending it.

    >>> print(render_table(("a", "b"), [("1", "x|y")]))
    | a | b |
    | --- | --- |
    | 1 | x\\|y |
    """
    lines = [_line(head), _line(["---"] * len(head))]
    lines += [_line(row) for row in rows]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def code(text: str) -> str:
    """The text as code, or nothing where there is none.

    >>> code("idle"), code("")
    ('`idle`', '')
    """
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str], between: str = ", ") -> str:
    """Several texts as code."""
    return between.join(code(text) for text in texts)


def bullets(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {line}" for line in lines)


def first_line(docstring: str | None) -> str:
    """The first line of a docstring without its full stop."""
    return (docstring or "").strip().splitlines()[0].removesuffix(".") if docstring else ""


def upper_first(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def words(name: str) -> str:
    """A name of the code as words."""
    return name.replace("_", " ")
