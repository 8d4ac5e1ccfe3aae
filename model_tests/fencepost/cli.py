"""The command line: one command for each thing that Fencepost does, and one guard around all.

What a command prints for a program goes to standard output, the rest to standard error. No
traceback reaches a user unless `--debug` asks for it. An exit code is that of the command's own
conclusion, or of a fault. May import the commands, and they load what they need when they run.
"""

import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from fencepost.commands.check import check
from fencepost.commands.docs import docs
from fencepost.commands.explore import explore
from fencepost.commands.mutants import mutants
from fencepost.commands.output import (
    PIPE_CLOSED,
    PipeClosed,
    Session,
    complain,
    end_streams,
    say,
    say_json,
)
from fencepost.commands.replay import replay
from fencepost.commands.rules import rules
from fencepost.commands.schemas import schemas
from fencepost.commands.trace import trace
from fencepost.commands.typed import Typed
from fencepost.faults import FencepostFault, HarnessFault, UsageFault, fault_of
from fencepost.layout import render_list
from fencepost.stopping import be_deaf, code_of, listen, word_for
from fencepost.streams import open_closed

INTERRUPTED = 130
_EMPTY = "leave it away, or look whether a variable in its place is set"

_ANSWERED = (None, 0, 2, INTERRUPTED)
"""The codes of whoever reads the arguments, when it has answered itself."""

COMMANDS = typer.Typer(
    name="fencepost",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(asked: bool) -> None:
    if asked:
        try:
            say(f"fencepost {version('fencepost')}")
        except PackageNotFoundError:
            say("fencepost (not installed)")
        raise typer.Exit


@COMMANDS.callback()
def _root(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Say the version and stop."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Judges checkpoint participants and traces by the specification.

    Exit codes: 0 conforms, 1 does not conform, 2 bad usage or input, 3 inconclusive, 4 the harness
    or the participant could not run. Interrupted it is 130, after SIGTERM 143.
    """
    session = context.find_object(Session)
    if session is not None:
        session.debug = debug


COMMANDS.add_typer(check, name="check")
COMMANDS.command("trace", short_help="Judge recorded traces.")(trace)
COMMANDS.command("replay", short_help="Run the actions of a trace again on a participant.")(replay)
COMMANDS.command("rules", short_help="List every rule, or explain one.")(rules)
COMMANDS.command("mutants", short_help="Run the oracle on references that are wrong on purpose.")(
    mutants
)
COMMANDS.command("explore", short_help="Walk every trace of a small world.")(explore)
COMMANDS.command("schemas", short_help="List, print or write the JSON Schemas.")(schemas)
COMMANDS.command("docs")(docs)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; no exception leaves, whatever happens."""
    session = Session()
    try:
        open_closed()
        _must_be_filled(sys.argv[1:] if arguments is None else arguments)
        typed = _typed(arguments, session)
        return typed if isinstance(typed, int) else _perform(typed, session)
    except PipeClosed:
        return PIPE_CLOSED
    except KeyboardInterrupt as stop:
        complain(word_for(stop))
        return code_of(stop)
    except BaseException as error:  # noqa: BLE001 - the guard: a user gets one line, no traceback
        return _blame(fault_of(error), session)


def _must_be_filled(arguments: Sequence[str]) -> None:
    """No name and no path is empty, or a `UsageFault`: nobody who typed one meant everything."""
    for before, each in zip(("", *arguments), arguments, strict=False):
        option, equals, value = each.partition("=")
        if each.startswith("--") and equals and not value.strip():
            raise UsageFault(f"{option} has an empty value", _EMPTY)
        if not each.strip():
            after = f" after {before}" if before.strip() else ""
            raise UsageFault(f"there is an empty argument{after}", _EMPTY)


def _typed(arguments: Sequence[str] | None, session: Session) -> Typed | int:
    """The command that was typed, or the code of what was answered at once: help, or bad usage."""
    try:
        command = typer.main.get_command(COMMANDS)
        command.main(arguments, prog_name="fencepost", standalone_mode=True, obj=session)
    except Typed as typed:
        return typed
    except SystemExit as left:
        return int(left.code or 0) if left.code in _ANSWERED else FencepostFault.exit_code
    raise HarnessFault("the command line has come to nothing")


def _perform(typed: Typed, session: Session) -> int:
    """Do what was typed; its code is given with its last words, and nowhere else."""
    try:
        conclusion = typed.body()
    except (PipeClosed, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - what a command raises is no verdict of its
        fault = fault_of(error)
        code = _blame(fault, session)
        if typed.unable is not None:
            say_json(typed.unable(fault))
        return code
    if conclusion.text:
        say(conclusion.text)
    return conclusion.code


def _blame(fault: FencepostFault, session: Session) -> int:
    """Say what went wrong; the exit code of it."""
    complain(str(fault))
    if fault.last_actions:
        complain(render_list("last actions", fault.last_actions), verbatim=True)
    if session.debug:
        complain(traceback.format_exc(), verbatim=True)
    return fault.exit_code


def app() -> None:
    """The entry point of the `fencepost` command."""
    listen()
    code = run()
    be_deaf()
    end_streams()
    sys.exit(code)


if __name__ == "__main__":
    app()
