"""Stories of a resources server: each shows that a good thing can happen at all.

A story is a script of actions that is played on a server like any other case, and the answers that
must have come for the good thing to have happened. Told before anything is drawn.
"""

from collections.abc import Sequence

import attrs

from fencepost.agent.comparing import code_in
from fencepost.driven import REST
from fencepost.resources.showing import READS
from fencepost.resources.telling import (
    DEADLINE,
    R1,
    R1_NEXT,
    ask,
    begun,
    control,
    restored,
    served,
    written,
)
from fencepost.trace.lines import Fault, Line, Lost, Reply, Tick
from fencepost_spec.receipts.resources.routes import MUTATION, START, TERMINAL
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Story:
    """A script, what it shows, how its server is started, and what must have been answered.

    `property_id` is the property or rule that it is told for. `needs` are capabilities; `answers`
    are call ids with the status and the code, if any.
    """

    property_id: str
    name: str
    script: tuple[Line, ...]
    answers: tuple[tuple[str, int, str | None], ...]
    settings: tuple[tuple[str, object], ...] = ()
    needs: frozenset[str] = frozenset()


_RESTORES = frozenset({"commit", "restore", "replace", "prepare", "resume"})


def _started(**changes: object) -> Line:
    """A new process that is started otherwise."""
    settings = {"server_name": "resources-a", "mode": "export_restore", "reads": list(READS)}
    return Fault(0, "replace", "kept", {"settings": settings | changes})


_EXPECTING = _started(restore_expected=True)
_RESTARTING = _started(mode="restart_only")

STORIES: tuple[Story, ...] = (
    Story(
        "R-RSO-1",
        "a session goes on as the next attempt",
        (
            *begun(),
            *written(),
            *restored(),
            ask("q3", MUTATION, R1_NEXT, expected=2),
            REST,
            served("q3"),
            REST,
            ask("q4", TERMINAL, R1_NEXT),
            REST,
            served("q4"),
            REST,
            ask("q5", MUTATION, R1),
            REST,
        ),
        (("q3", 200, None), ("q4", 200, None), ("q5", 409, "stale_attempt")),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-2",
        "a request sent again after a restore is not served twice",
        (*begun(), *written(), *restored(), ask("q3", key=R1_NEXT, request_id="m-q2"), REST),
        (("q3", 200, None),),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-3",
        "an uncertain session is given up",
        (
            *begun(),
            ask("q3"),
            REST,
            served("q3", 0),
            REST,
            control("q4", "prepare", "c1"),
            REST,
            control("q5", "retire", "c1", key=R1),
            REST,
            control("q6", "prepare", "c1"),
            REST,
        ),
        (
            ("q4", 409, "resource_mutation_uncertain"),
            ("q5", 200, None),
            ("q6", 200, None),
        ),
        needs=frozenset({"prepare", "retire"}),
    ),
    Story(
        "R-RSO-4",
        "a prepare that missed a locked session is called again",
        (
            *begun(),
            ask("q3"),
            REST,
            control("q4", "prepare", "c1"),
            REST,
            Tick(0, DEADLINE),
            REST,
            served("q3"),
            REST,
            control("q5", "prepare", "c1"),
            REST,
        ),
        (("q4", 409, "resources_checkpoint_error"), ("q3", 200, None), ("q5", 200, None)),
        needs=frozenset({"prepare", "time"}),
    ),
    Story(
        "R-RSO-5",
        "a request that waited for its lock is refused under it",
        (
            *begun(),
            ask("q3"),
            REST,
            ask("q4"),
            REST,
            control("q5", "prepare", "c1"),
            served("q3"),
            REST,
        ),
        (("q4", 409, "resources_admission_closed"), ("q5", 200, None)),
        needs=frozenset({"prepare"}),
    ),
    Story(
        "R-RSO-6",
        "a restored session that nobody used is written again",
        (
            *begun(),
            *written(),
            *restored(),
            *written("c3", "d2"),
            *restored("c4", "d2"),
            ask("q3", MUTATION, Key("r1", 2), expected=2),
            REST,
            served("q3"),
            REST,
        ),
        (("q3", 200, None),),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-7",
        "a server that was started for a restore serves after it",
        (
            *begun(),
            *written(),
            _EXPECTING,
            REST,
            ask("q3", key=R1_NEXT),
            REST,
            control("q4", "resume", "c2"),
            REST,
            control("q5", "prepare", "c2"),
            REST,
            control("q6", "restore", "c2", "d1"),
            REST,
            control("q7", "resume", "c2"),
            REST,
            ask("q8", key=R1_NEXT, expected=2),
            REST,
            served("q8"),
            REST,
        ),
        (
            ("q3", 409, "resources_admission_closed"),
            ("q4", 409, "resources_checkpoint_error"),
            ("q5", 409, "resources_checkpoint_error"),
            ("q7", 200, None),
            ("q8", 200, None),
        ),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-8",
        "a server that cannot export is prepared with its sessions",
        (
            *begun(),
            ask("q3"),
            REST,
            served("q3", 0),
            REST,
            *written(),
            control("q4", "resume", "c1"),
            REST,
        ),
        (("p-c1", 200, None), ("w-c1", 200, None), ("q4", 200, None)),
        settings=(("mode", "restart_only"),),
        needs=frozenset({"prepare", "commit", "resume"}),
    ),
    Story(
        "R-RSO-9",
        "a directory with sessions is refused by a server that exports nothing",
        (*begun(), *written(), _RESTARTING, REST, control("q3", "restore", "c2", "d1"), REST),
        (("q3", 409, "resources_checkpoint_error"),),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-10",
        "an older session is superseded, and a restored one is started afresh",
        (
            *begun(),
            ask("q3", START, R1_NEXT),
            REST,
            served("q3"),
            REST,
            ask("q4"),
            REST,
            *written(),
            *restored(),
            ask("q5", START, Key("r1", 2)),
            REST,
            served("q5"),
            REST,
        ),
        (("q4", 409, "stale_attempt"), ("q5", 200, None)),
        needs=_RESTORES,
    ),
    Story(
        "R-RSO-11",
        "a key that was retired is not restored to",
        (
            *begun(),
            *written(),
            Fault(0, "replace", "kept", {}),
            REST,
            control("q3", "retire", "c2", key=R1_NEXT),
            REST,
            control("q4", "restore", "c3", "d1"),
            REST,
        ),
        (("q3", 200, None), ("q4", 409, "resources_checkpoint_error")),
        needs=_RESTORES | {"retire"},
    ),
)


def unanswered(story: Story, lines: Sequence[Line]) -> list[str]:
    """The answers of a story that did not come as they must have, in words."""
    replies = {line.id: line for line in lines if isinstance(line, Reply)}
    lost = {line.id for line in lines if isinstance(line, Lost)}
    found: list[str] = []
    for call, status, code in story.answers:
        reply = replies.get(call)
        if reply is None:
            found.append(f"{call}: {'lost' if call in lost else 'no answer'}")
        elif reply.status != status or (code is not None and code_in(reply.body) != code):
            found.append(f"{call}: {reply.status} {code_in(reply.body) or ''}".rstrip())
    return found
