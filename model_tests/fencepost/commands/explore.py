"""`fencepost explore`: walks every trace of a small world and asks every promise of it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from fencepost.commands.engine import engine
from fencepost.commands.files import must_be_writable, write_file
from fencepost.commands.output import (
    Conclusion,
    Progress,
    complain,
    say,
    say_json,
    text_width,
    wants_colour,
)
from fencepost.commands.typed import command
from fencepost.faults import UsageFault
from fencepost.naming import unknown
from fencepost_spec.wording import counted

_MEBIBYTE = 2**20
_OF_WALKS = (
    "--no-symmetry",
    "--plain",
    "--max-memory",
    "--max-seconds",
    "--mutant",
    "--picture",
)
_PICTURE = "Draw the graph there, in Mermaid: of one scope, and of 150 states at most."
_WORST = (1, 3, 0)


Plain = Annotated[
    bool,
    typer.Option("--plain", help="Remember nothing of what was asked: slower, the same answer."),
]
Mebibytes = Annotated[
    int | None,
    typer.Option(min=1, metavar="MEBIBYTES", help="Stop when the process has used so much."),
]
Seconds = Annotated[
    float | None,
    typer.Option(min=0.001, metavar="SECONDS", help="Stop a scope after so long."),
]


@command()
def explore(
    scopes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCOPE",
            help="Which scopes: names, sizes (tiny, small, medium, large) or parts (agent, ledger, "
            "resources, model, world; without their large ones); by default agent-tiny.",
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the scopes and stop.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for each scope.")
    ] = False,
    no_symmetry: Annotated[
        bool, typer.Option("--no-symmetry", help="Tell names apart that may be exchanged.")
    ] = False,
    plain: Plain = False,
    max_memory: Mebibytes = None,
    max_seconds: Seconds = None,
    mutant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Walk a mutant in place of the reference.")
    ] = None,
    mutants: Annotated[
        bool,
        typer.Option("--mutants", help="Show where each named mutant is seen first; by part."),
    ] = False,
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help=_PICTURE)] = None,
) -> Conclusion:
    """Walk every trace of a small world, and ask every promise of it.

    Exit codes: 0 nothing is wrong, 1 something is, 2 bad usage, 3 a budget ended the walk before
    its end, 4 the explorer itself failed.
    """
    given = (no_symmetry, plain, max_memory, max_seconds, mutant, picture)
    walks: dict[str, object] = dict(zip(_OF_WALKS, given, strict=True))
    if listed:
        _must_stand_alone("--list", walks | {"a scope": scopes, "--mutants": mutants})
        _list(as_json)
        return Conclusion(0)
    if mutants:
        _must_stand_alone("--mutants", walks)
        return _firsts(scopes or [], as_json=as_json)
    named = _named(scopes or [engine("fencepost.exploring.scopes", "DEFAULT")], picture)
    budget = _budget(max_seconds, max_memory, drawn=picture is not None)
    how = {"symmetry": not no_symmetry, "plain": plain}
    codes = _walk(named, mutant, picture, budget, how, as_json=as_json)
    return Conclusion(next(code for code in _WORST if code in codes))


def _must_stand_alone(option: str, others: dict[str, object]) -> None:
    """Nothing was typed beside an option that does without it, or a `UsageFault`."""
    typed = [name for name, given in others.items() if given not in (None, False, [])]
    if typed:
        raise UsageFault(
            f"{option} does nothing with {' or '.join(typed)}", f"leave {option} or the rest away"
        )


def _budget(seconds: float | None, mebibytes: int | None, *, drawn: bool) -> Any:
    """What a walk may use; of more states than can be drawn, no picture is made anyway."""
    memory = None if mebibytes is None else mebibytes * _MEBIBYTE
    states = engine("fencepost.exploring.picture", "STATES_MAX") if drawn else None
    budget = engine("fencepost.exploring.breadth", "Budget")
    return budget(seconds=seconds, memory=memory, states=states)


def _walk(
    named: list[Any],
    mutant: str | None,
    picture: Path | None,
    budget: Any,
    how: dict[str, bool],
    *,
    as_json: bool,
) -> set[int]:
    """Walk scopes one by one, say what is found in each, and tell all exit codes."""
    cores = [None if mutant is None else one.part.core_of(mutant) for one in named]
    codes: set[int] = set()
    for one, core in zip(named, cores, strict=True):
        found = _explored(one.world(core), budget, how, silent=as_json)
        if picture is not None:
            engine("fencepost.exploring.picture", "must_be_drawable")(found.graph)
        subject = "the reference" if mutant is None else f"mutant: {mutant}"
        _show(found, subject, as_json=as_json)
        codes.add(found.exit_code)
        if picture is not None:
            _draw(found, picture)
    return codes


def _firsts(parts: list[str], *, as_json: bool) -> Conclusion:
    """What shows each mutant first, as it is found; 1 when one is not shown where it should be."""
    known = engine("fencepost.exploring.scopes", "PARTS")
    for name in parts:
        if name not in known:
            raise unknown("part of mutants", name, known, "`fencepost explore --help`")
    progress = Progress(silent=as_json)
    found: list[Any] = []
    for one in engine("fencepost.exploring.firsts.finding", "firsts")(parts or known):
        found.append(one)
        if as_json:
            say_json(one.to_json())
            continue
        progress.end()
        say(one.to_text())
        progress.tell(counted(len(found), "mutant"))
    progress.end()
    if not as_json:
        say(engine("fencepost.exploring.firsts.seen", "render_times")(found))
    return Conclusion(1 if any(one.missed for one in found) else 0)


def _named(names: list[str], picture: Path | None) -> list[Any]:
    """The scopes that names stand for, each once; just one, where a picture is drawn."""
    found = engine("fencepost.exploring.scopes", "scopes_named")
    named = list({one.name: one for name in names for one in found(name)}.values())
    if picture is not None and len(named) != 1:
        raise UsageFault("a picture is drawn of one scope")
    if picture is not None:
        must_be_writable(picture)
    return named


def _list(as_json: bool) -> None:
    scopes = engine("fencepost.exploring.scopes", "SCOPES")
    width = max(map(len, scopes)) + 2
    for one in scopes.values():
        if as_json:
            say_json({"name": one.name, "size": one.size, "says": one.says})
        else:
            say(f"{one.name:<{width}}{one.says}")


def _explored(world: Any, budget: Any, how: dict[str, bool], *, silent: bool) -> Any:
    progress = Progress(silent=silent)

    def tell(states: int, transitions: int, actions: int) -> None:
        walked = f"{counted(states, 'state')}, {counted(transitions, 'transition')}"
        progress.tell(f"{walked}, {counted(actions, 'action')} deep, {world.name}")

    try:
        return engine("fencepost.exploring.findings", "explore")(
            world, budget=budget, progress=tell, **how
        )
    finally:
        progress.end()


def _show(found: Any, subject: str, *, as_json: bool) -> None:
    if as_json:
        say_json(engine("fencepost.exploring.rendering", "findings_as_json")(found, subject))
        return
    render = engine("fencepost.exploring.rendering", "render_findings")
    say(render(found, subject=subject, colour=wants_colour(), width=text_width()))


def _draw(found: Any, path: Path) -> None:
    text = engine("fencepost.exploring.picture", "mermaid")(found.graph)
    write_file(path, text.encode())
    complain(f"{path} is drawn")
