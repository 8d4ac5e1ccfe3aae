"""`fencepost docs`: renders the reference pages from the specification."""

from pathlib import Path
from typing import Annotated

import typer

from fencepost.commands.files import must_hold_files
from fencepost.commands.output import Conclusion, say
from fencepost.commands.typed import command
from fencepost.faults import UsageFault


@command()
def docs(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The docs folder.")] = Path(
        "docs"
    ),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when a page is stale.")
    ] = False,
) -> Conclusion:
    """Render the reference pages, or say which of them are stale.

    Exit codes: 0 written, or none is stale; 1 a page is stale (with --check), 2 bad usage, 4 the
    pages could not be rendered or written.
    """
    if not folder.is_dir():
        raise UsageFault(f"there is no folder {folder}", "run this where the repository is")
    from fencepost.report.render import render_docs

    if not check:
        must_hold_files(folder / "reference")
    changed = render_docs(folder, check=check)
    for path in changed:
        say(f"{'stale' if check else 'written'}: {path}")
    return Conclusion(1 if check and changed else 0)
