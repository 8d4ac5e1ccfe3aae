"""`fencepost docs`: renders the reference pages from the specification."""

from pathlib import Path
from typing import Annotated

import typer

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
    """Render the reference pages, or say which of them are stale."""
    if not folder.is_dir():
        raise UsageFault(f"there is no folder {folder}", "run this where the repository is")
    from fencepost.report.render import stale, write

    changed = stale(folder) if check else write(folder)
    for path in changed:
        say(f"{'stale' if check else 'written'}: {path}")
    return Conclusion(1 if check and changed else 0)
