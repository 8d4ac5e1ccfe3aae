"""`fencepost schemas`: the JSON Schemas of the trace format, the wire and the saved files."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.output import Conclusion, say
from fencepost.commands.typed import command
from fencepost.faults import UsageFault


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
    """List the JSON Schemas, print one, or write one or all of them into a directory."""
    files, found = schema_texts(), ""
    if name is not None:
        found = _found(name, files)
        files = {found: files[found]}
    if write is not None:
        try:
            write.mkdir(parents=True, exist_ok=True)
            for file, text in files.items():
                (write / file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageFault(f"cannot write to {write}: {error.strerror}") from None
        say(f"{len(files)} schema{'' if len(files) == 1 else 's'} written to {write}")
    elif name is None:
        for file in files:
            say(file)
    else:
        say(files[found].rstrip("\n"))
    return Conclusion(0)


def _found(name: str, files: Iterable[str]) -> str:
    """The file that a name means, with or without its ending."""
    known = list(files)
    for wanted in (name, f"{name}.json", f"{name}.schema.json"):
        if wanted in known:
            return wanted
    near = get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`fencepost schemas` lists them all"
    raise UsageFault(f"there is no schema {name!r}", hint)


def schema_texts() -> dict[str, str]:
    """Every schema file: its name and its text."""
    from fencepost.trace.explain import SCHEMA_FILE, schema_text
    from fencepost_spec.schemas import schema_files

    return {SCHEMA_FILE: schema_text(), **schema_files()}
