"""The command line of the oracle."""

import typer

app = typer.Typer(no_args_is_help=True, help="Judges checkpoint participants and traces.")


@app.callback()
def main() -> None:
    """Judges checkpoint participants and traces by the specification."""
