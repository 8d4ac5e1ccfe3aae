"""Imports run one way, and what is pure stays pure.

Goal: the specification can be read and run without the rest, and a core can be explored because
nothing it imports touches the world. Method: a walk over the syntax tree of every module.
"""

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    "fencepost_spec": ROOT / "spec",
    "fencepost_reference": ROOT / "reference",
    "fencepost": ROOT / "model_tests",
}
# A module may import what stands before its own package in this row, and its own package.
DIRECTION = tuple(SOURCES)

WORLD = frozenset(
    (
        *("asyncio", "concurrent", "multiprocessing", "signal", "subprocess", "threading"),
        *("datetime", "random", "secrets", "time", "uuid"),
        *("glob", "importlib", "io", "logging", "mmap", "os", "pathlib", "shutil", "tempfile"),
        *("http", "select", "selectors", "socket", "socketserver", "sqlite3", "ssl", "urllib"),
    )
)
WORLDLY_CALLS = frozenset(("open", "print", "input", "breakpoint", "exec", "eval", "__import__"))
SPEC_LIBRARIES = frozenset(("attrs", "pydantic", "statemachine"))
GENERATIONS = ("receipts", "episodes")


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Yield the dotted name and the file of every module of a package."""
    for path in sorted((SOURCES[package] / package).rglob("*.py")):
        parts = path.relative_to(SOURCES[package]).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(source: str, module: str = "") -> set[str]:
    """Return every dotted name that a module may load, wherever in it the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


def calls(source: str) -> set[str]:
    """Return the plain names that a module calls."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def within(name: str, packages: Iterable[str]) -> bool:
    """Is this dotted name one of the packages, or inside one?"""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def top(name: str) -> str:
    """Return the first part of a dotted name."""
    return name.partition(".")[0]


def is_core(module: str) -> bool:
    """Is this module of the reference a pure core, rather than its runtime or its storage?"""
    rest = module.removeprefix("fencepost_reference").lstrip(".")
    return top(rest) in {"", "model", "world", *GENERATIONS}


def offenders(package: str, banned: Iterable[str]) -> list[str]:
    """List "module imports name" for each import of a banned name in a package."""
    banned = frozenset(banned)
    return [
        f"{module} imports {name}"
        for module, path in modules(package)
        for name in sorted(imports(path.read_text(), module))
        if within(name, banned)
    ]


@pytest.mark.parametrize("package", DIRECTION)
def test_no_package_imports_one_that_is_built_on_it(package: str) -> None:
    """The specification knows neither reference nor oracle, the reference knows no oracle."""
    later = DIRECTION[DIRECTION.index(package) + 1 :]

    assert offenders(package, later) == []


def test_the_specification_touches_no_clock_file_socket_or_task() -> None:
    """The specification reads no clock, opens no file, draws no number and runs no task."""
    worldly = [
        f"{module} calls {name}"
        for module, path in modules("fencepost_spec")
        for name in sorted(calls(path.read_text()) & WORLDLY_CALLS)
    ]

    assert offenders("fencepost_spec", WORLD) + worldly == []


def test_the_specification_needs_three_libraries_and_no_more() -> None:
    """Beside the standard library the specification imports attrs, pydantic and statemachine."""
    allowed = SPEC_LIBRARIES | sys.stdlib_module_names | {"fencepost_spec"}
    strangers = [
        f"{module} imports {name}"
        for module, path in modules("fencepost_spec")
        for name in sorted(imports(path.read_text(), module))
        if top(name) not in allowed
    ]

    assert strangers == []


def test_the_cores_touch_no_clock_file_socket_or_task() -> None:
    """A core of the reference is a function of its arguments: it imports nothing that is not."""
    banned = {*WORLD, "fencepost_reference.runtime"}
    worldly = [
        f"{module} {verb} {name}"
        for module, path in modules("fencepost_reference")
        if is_core(module)
        for verb, names in (
            ("imports", {n for n in imports(path.read_text(), module) if within(n, banned)}),
            ("calls", calls(path.read_text()) & WORLDLY_CALLS),
        )
        for name in sorted(names)
    ]

    assert worldly == []


@pytest.mark.parametrize("package", ["fencepost_spec", "fencepost_reference"])
@pytest.mark.parametrize("generation", GENERATIONS)
def test_neither_generation_of_the_protocol_imports_the_other(
    package: str, generation: str
) -> None:
    """The two protocols share what is common to both, and know nothing of each other."""
    (other,) = {*GENERATIONS} - {generation}
    crossing = [
        f"{module} imports {name}"
        for module, path in modules(package)
        if within(module, [f"{package}.{generation}"])
        for name in sorted(imports(path.read_text(), module))
        if within(name, [f"{earlier}.{other}" for earlier in DIRECTION])
    ]

    assert crossing == []


def test_every_third_party_import_is_a_declared_dependency() -> None:
    """What the packages import is installed with them, and not by luck of another dependency."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    wanted = [*project["dependencies"]]
    for extra in extras.keys() - {"dev", "test"}:
        wanted += extras[extra]
    declared = {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in wanted}
    providers = importlib.metadata.packages_distributions()
    undeclared = [
        f"{module} imports {name}"
        for package in DIRECTION
        for module, path in modules(package)
        for name in sorted(imports(path.read_text(), module))
        if top(name) not in sys.stdlib_module_names and top(name) not in DIRECTION
        if declared.isdisjoint(p.lower() for p in providers.get(top(name), []))
    ]

    assert undeclared == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os.path", "os.path"),
        ("from os import path", "os"),
        ("def late():\n    import asyncio", "asyncio"),
        ("from .sibling import name", "pkg.part.sibling"),
        ("from .. import other", "pkg.other"),
    ],
)
def test_the_walk_sees_every_form_of_import(source: str, found: str) -> None:
    """An import is seen whole or from, at the top or inside a function, absolute or relative."""
    assert found in imports(source, "pkg.part.module")


def test_the_walk_sees_every_package() -> None:
    """The walk finds modules to look at: an empty walk would agree with everything."""
    assert all(any(modules(package)) for package in DIRECTION)
