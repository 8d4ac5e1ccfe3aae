"""`fencepost schemas`: the JSON Schemas of the trace format, the wire and the saved files."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.files import must_be_writable, must_hold_files, write_file
from fencepost.commands.output import Conclusion, say
from fencepost.commands.typed import command
from fencepost.naming import unknown
from fencepost_spec.wording import counted


@command()
def schemas(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Just this one; without, list them.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="DIR", help="Write them there: all, or the one named."),
    ] = None,
) -> Conclusion:
    """List the JSON Schemas, print one, or write one or all of them into a directory.

    Exit codes: 0 told or written, 2 there is no such schema or none can be written there, 4 the
    output could not be written.
    """
    files, found = schema_texts(), ""
    if name is not None:
        found = _found(name, files)
        files = {found: files[found]}
    if write is not None:
        _write(write, files)
        say(f"{counted(len(files), 'schema')} written to {write}")
    elif name is None:
        for file in files:
            say(file)
    else:
        say(files[found].rstrip("\n"))
    return Conclusion(0)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder; none, where one of them cannot be written."""
    must_hold_files(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        must_be_writable(folder / file)
    for file, text in files.items():
        write_file(folder / file, text.encode())


def _found(name: str, files: Iterable[str]) -> str:
    """The file that a name means, with or without its ending."""
    known = list(files)
    for wanted in (name, f"{name}.json", f"{name}.schema.json"):
        if wanted in known:
            return wanted
    raise unknown("schema", name, known, "`fencepost schemas`")


def schema_texts() -> dict[str, str]:
    """Every schema file: its name and its text."""
    from fencepost.trace.explain import SCHEMA_FILE, schema_text
    from fencepost_spec.schemas import schema_files

    return {SCHEMA_FILE: schema_text(), **schema_files()}
