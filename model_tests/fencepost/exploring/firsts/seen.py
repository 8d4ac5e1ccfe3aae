"""What is seen first of a mutant, as plain values: for the terminal, for programs, for a page."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from fencepost.layout import DOT, render_list, render_row
from fencepost.report.markdown import render_table
from fencepost.trace.lines import JsonObject
from fencepost_spec.wording import counted

NEVER, FOR_EVER, DIFFERS = "never", "for ever", "otherwise"
SECONDS_MAX = 1.0

_NOTICE = "<!-- Rendered by the test of firsts with REWRITE=1; changes made here are lost. -->"


@attrs.frozen
class Seen:
    """What one walk of a scope shows of a mutant, in words.

    A promise that is owed `FOR_EVER` has the actions and deeds of the way to its lasso, and those
    of its `rounds` apart. What `DIFFERS` breaks no promise.
    """

    scope: str
    how: str
    actions: int
    deeds: tuple[str, ...]
    promise: str = ""
    rounds: int = 0
    again: tuple[str, ...] = ()
    states: int = 0
    seconds: float = 0.0

    @property
    def rank(self) -> tuple[bool, int, str]:
        """What comes first: what must never happen, then few actions."""
        return self.how != NEVER, self.actions + self.rounds, self.promise

    @property
    def pinned(self) -> dict[str, Any]:
        """Everything that does not hang on the machine."""
        told: dict[str, Any] = {
            "scope": self.scope,
            "how": self.how,
            "actions": self.actions,
            "deeds": list(self.deeds),
            "states": self.states,
        }
        if self.promise:
            told["promise"] = self.promise
        if self.how == FOR_EVER:
            told |= {"rounds": self.rounds, "again": list(self.again)}
        return told

    @classmethod
    def of(cls, told: dict[str, Any]) -> "Seen":
        """What is pinned."""
        lists = {name: tuple(told.get(name, ())) for name in ("deeds", "again")}
        whole: dict[str, Any] = {**told, **lists}
        return cls(**whole)

    @property
    def words(self) -> str:
        """How many actions, and in which scope."""
        again = f", then {counted(self.rounds, 'action')} for ever" if self.how == FOR_EVER else ""
        return f"{counted(self.actions, 'action')}{again}, {self.scope}"


@attrs.frozen
class First:
    """Where a mutant does otherwise first, and which promise it breaks first.

    One that no tiny scope shows has a reason, `why`. `missed` are the scopes that should have
    shown it and did not.
    """

    part: str
    mutant: str
    otherwise: Seen | None = None
    breaks: Seen | None = None
    why: str = ""
    missed: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Seen, ...]:
        """What is seen of it."""
        return tuple(one for one in (self.otherwise, self.breaks) if one is not None)

    @property
    def pinned(self) -> dict[str, Any]:
        """What the lock holds of it."""
        told: dict[str, Any] = {}
        if self.otherwise is not None:
            told["otherwise"] = self.otherwise.pinned
        if self.breaks is not None:
            told["breaks"] = self.breaks.pinned
        return told | ({"why": self.why} if self.why else {})

    @classmethod
    def of(cls, part: str, mutant: str, told: dict[str, Any]) -> "First":
        """What is pinned."""
        otherwise, breaks = (
            Seen.of(told[one]) if one in told else None for one in ("otherwise", "breaks")
        )
        return cls(part, mutant, otherwise, breaks, told.get("why", ""))

    def to_json(self) -> JsonObject:
        """What is known of it, with the time that it took."""
        told: JsonObject = {"part": self.part, "mutant": self.mutant, **self.pinned}
        return told | {"seconds": [round(one.seconds, 3) for one in self.shown]}

    def to_text(self) -> str:
        """What is known of it, for people."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield render_row(self.part, self.mutant)
        if self.otherwise is not None:
            yield render_row("  does otherwise", _timed(self.otherwise))
            yield render_list("", self.otherwise.deeds, most=30)
        if self.breaks is not None:
            yield render_row(f"  breaks {self.breaks.promise}", _timed(self.breaks))
            yield render_list("", self.breaks.deeds or ("nothing",), most=30)
            if self.breaks.how == FOR_EVER:
                yield render_list("  for ever", self.breaks.again or ("nothing more",), most=30)
        for scope in self.missed:
            yield render_row("  NOT SEEN", f"in {scope}, where it should be")
        if self.why:
            yield render_row("  not shown", self.why)
        elif self.breaks is None:
            yield render_row("", "no promise is known to be broken")


def _timed(seen: Seen) -> str:
    return f"{seen.words}, {seen.seconds:.2f} s"


def render_times(found: Sequence[First]) -> str:
    """The worst time, the median, and who takes longer than it should."""
    return "\n".join(_times(found))


def _times(found: Sequence[First]) -> Iterator[str]:
    for label, some in (
        ("does otherwise", [(one.otherwise, one.mutant) for one in found]),
        ("breaks a promise", [(one.breaks, one.mutant) for one in found]),
    ):
        timed = [(seen.seconds, seen.scope, mutant) for seen, mutant in some if seen is not None]
        if not timed:
            continue
        longest = max(timed)
        median = statistics.median(seconds for seconds, _, _ in timed)
        yield render_row(
            label,
            f"{len(timed)} of {len(found)} mutants; median {median:.3f} s, "
            f"longest {longest[0]:.2f} s ({longest[2]})",
        )
        for seconds, scope, mutant in sorted(timed, reverse=True):
            if seconds > SECONDS_MAX:
                yield render_row(f"  over {SECONDS_MAX:g} s", f"{mutant}: {seconds:.2f} s, {scope}")


def render_markdown(found: Sequence[First]) -> str:
    """The page of the documentation, without times."""
    return "\n\n".join(_markdown(found)) + "\n"


def _markdown(found: Sequence[First]) -> Iterator[str]:
    broken = sum(one.breaks is not None for one in found)
    shown = sum(bool(one.shown) for one in found)
    yield "# Mutants in tiny scopes"
    yield _NOTICE
    yield (
        f"Each named mutant whose fault a core can have, {len(found)} of them, and the tiny scope "
        f"of the explorer in which the fewest actions show it. {shown} are shown, {broken} of them "
        "by a promise that they break.\n"
        "`fencepost explore --mutants` walks these scopes again and says how long each takes; "
        "with the name of a part, only its mutants.\n"
        "A mutant *does otherwise* where a step, an answer or a state is first another one than "
        "that of the intended core. It *breaks* a promise where something happens that must "
        "never; or, *then for ever*, where something that must come about stays owed in a lasso. "
        "Where no promise is named none was found to be broken: most such faults are an answer "
        "that no promise is about, and its rule stands on the pages of mutants. What "
        "the participant does by its own choice stands in brackets and costs nothing. A "
        "controller is not compared, for a whole world is around it."
    )
    for part in dict.fromkeys(one.part for one in found):
        listed = [one for one in found if one.part == part]
        yield f"## {part}"
        yield render_table(
            ("mutant", "does otherwise", "after", "breaks", "after"),
            (tuple(_cells(one)) for one in listed if one.shown),
        )
        absent = [(one.mutant, one.why) for one in listed if not one.shown]
        if absent:
            yield "In no tiny scope:"
            yield render_table(("mutant", "why"), absent)


def _cells(one: First) -> Iterator[str]:
    yield one.mutant
    yield from ("", "") if one.otherwise is None else _cell(one.otherwise)
    yield from ("", "") if one.breaks is None else _cell(one.breaks)


def _cell(seen: Seen) -> Iterator[str]:
    yield f"{seen.promise + ': ' if seen.promise else ''}{seen.words}"
    again = f" / for ever: {DOT.join(seen.again) or 'nothing more'}"
    yield DOT.join(seen.deeds) + (again if seen.how == FOR_EVER else "")
