"""Modules and functions stay small enough to be read at one sitting."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE_LINES_MAX = 300
FUNCTION_LINES_MAX = 60


def sources() -> Iterator[Path]:
    """Yield every Python file of the project, tests too."""
    for folder in ("spec", "reference", "model_tests"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def long_functions(source: str, lines_max: int = FUNCTION_LINES_MAX) -> Iterator[tuple[str, int]]:
    """Yield the name and length of each function that is longer than allowed."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > lines_max:
                yield node.name, lines


def test_no_module_is_longer_than_300_lines() -> None:
    """A module is at most 300 lines long."""
    lengths = {path: len(path.read_text().splitlines()) for path in sources()}
    too_long = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for path, lines in lengths.items()
        if lines > MODULE_LINES_MAX
    ]

    assert too_long == []


def test_no_function_is_longer_than_60_lines() -> None:
    """A function is at most 60 lines long, from its def to its last line."""
    too_long = [
        f"{path.relative_to(ROOT)}: {name} has {lines} lines"
        for path in sources()
        for name, lines in long_functions(path.read_text())
    ]

    assert too_long == []


def test_the_measure_sees_a_long_function() -> None:
    """A function of four lines is too long where three are allowed, nested or not."""
    source = (
        "class A:\n    async def f(self):\n        a = 1\n        b = 2\n        return a + b\n"
    )

    assert list(long_functions(source, lines_max=3)) == [("f", 4)]
    assert list(long_functions(source, lines_max=4)) == []
