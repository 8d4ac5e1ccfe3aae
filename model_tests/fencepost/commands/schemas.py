"""`fencepost schemas`: the JSON Schemas of the trace format, the wire and the saved files."""

from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.output import say
from fencepost.faults import UsageFault


def schemas(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print this one; without, list them.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="DIR", help="Write them all there.")
    ] = None,
) -> None:
    """List the JSON Schemas, print one, or write them all into a directory."""
    files = schema_texts()
    if write is not None:
        try:
            write.mkdir(parents=True, exist_ok=True)
            for file, text in files.items():
                (write / file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageFault(f"cannot write to {write}: {error.strerror}") from None
        say(f"{len(files)} schemas written to {write}")
    elif name is None:
        for file in files:
            say(file)
    elif name in files:
        say(files[name].rstrip("\n"))
    else:
        raise UsageFault(f"there is no schema {name!r}", "`fencepost schemas` lists them all")


def schema_texts() -> dict[str, str]:
    """Every schema file: its name and its text."""
    from fencepost.trace.explain import SCHEMA_FILE, schema_text
    from fencepost_spec.schemas import schema_files

    return {SCHEMA_FILE: schema_text(), **schema_files()}
