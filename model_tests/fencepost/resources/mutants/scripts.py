"""Scripts that lead to corners which drawn worlds seldom reach; played on every mutant first.

Each is a course of events that a careful tester would try, not made for one mutant: repeats, other
ids, changes between arrival and lock, faults of restores, what becomes of restored sessions.
"""

from fencepost.driven import REST
from fencepost.resources.mutants.doors import DOORS
from fencepost.resources.request_stories import REQUESTS
from fencepost.resources.showing import line_of
from fencepost.resources.stories import STORIES
from fencepost.resources.telling import (
    R1,
    R1_NEXT,
    ask,
    begun,
    control,
    restored,
    served,
    written,
)
from fencepost.trace.lines import Fault, Line, Tick
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Outcome
from fencepost_spec.receipts.resources.routes import MUTATION, READ, START, TERMINAL
from fencepost_spec.vocabulary import Key

Script = tuple[Line, ...]
_R1_THIRD = Key("r1", 2)
_OPERATIONS = ("status", "retire", "commit", "restore", "prepare", "resume")


def _every(phase: str, checkpoint: str) -> Script:
    """Every operation for an id, each with its rest."""
    found: list[Line] = []
    for op in _OPERATIONS:
        directory = "d9" if op in ("commit", "restore") else None
        key = Key("r9", 0) if op == "retire" else None
        found += [control(f"{phase}-{op}", op, checkpoint, directory, key), REST]
    return tuple(found)


def _agents(revision: int, directory: str = "d1") -> Line:
    record = {"rollout_id": "r1", "attempt_index": 0, "revision": revision}
    return Fault(0, "agents", None, {"path": directory, "records": [record]})


def _untracked(call: str) -> Line:
    return line_of(a.Ask(call, MUTATION, request_id=f"m-{call}", input="0" * 64))


def _evict(key: Key) -> Line:
    return line_of(a.Evict(key))


def _own(phase: str, checkpoint: str, directory: str) -> Script:
    """Every operation but resume for the id that is open, each with its rest."""
    found: list[Line] = []
    for op in ("status", "retire", "prepare", "commit", "restore"):
        place = directory if op in ("commit", "restore") else None
        key = Key("r9", 0) if op == "retire" else None
        found += [control(f"{phase}-{op}", op, checkpoint, place, key), REST]
    return tuple(found)


_NEW = Fault(0, "replace", "kept", {})
_RESTORE = (control("r2", "restore", "c2", "d1"), REST)
_HELD_RESTORE = (line_of(shared.Hold("restore")), *_RESTORE)

# fmt: off
SCRIPTS: dict[str, Script] = {
    "a finished id": (*written(), control("u", "resume", "c1"), REST, *_every("idle", "c1")),
    "another id while one prepares":
        (*begun(), ask("q3"), REST, control("p", "prepare", "c1"), REST,
         control("o1", "prepare", "c2"), REST, control("o2", "retire", "c2", key=R1), REST,
         control("o3", "status", "c2"), REST, control("o4", "resume", "c2"), REST),
    "another id while one is prepared":
        (*begun(), control("p", "prepare", "c1"), REST, *_every("prepared", "c2")),
    "another id while one is committed": (*begun(), *written(), *_every("committed", "c2")),
    "operations while a commit runs":
        (*begun(), control("p", "prepare", "c1"), REST, line_of(shared.Hold("commit")),
         control("w", "commit", "c1", "d1"), REST, *_every("committing", "c1")[:4],
         control("w2", "commit", "c1", "d1"), REST, line_of(shared.Release("commit")), REST),
    "operations while a restore runs":
        (*begun(), *written(), _NEW, REST, *_HELD_RESTORE, *_every("restoring", "c2")[:4],
         line_of(shared.Release("restore")), REST),
    "a request while a restore runs":
        (*begun(), *written(), _NEW, REST, *_HELD_RESTORE, ask("q3", START, Key("r2", 0)), REST,
         line_of(shared.Release("restore")), REST, served("q3"), REST),
    "prepare and resume together":
        (*begun(), ask("q3"), REST, control("p", "prepare", "c1"), REST,
         control("u", "resume", "c1"), REST, served("q3"), REST,
         control("p2", "prepare", "c1"), REST, control("p3", "prepare", "c2"), REST),
    "prepare twice":
        (*begun(), ask("q3"), REST, control("p", "prepare", "c1"), REST,
         control("p2", "prepare", "c1"), REST, served("q3"), REST),
    "a restore that the environment does not take":
        (*begun(), *written(), _NEW, REST, line_of(shared.FailStorage("install")), *_RESTORE,
         ask("q3", key=R1_NEXT), REST, control("r3", "restore", "c3", "d1"), REST),
    "agents that name another revision":
        (*begun(), *written(), _agents(1), _NEW, REST, *_RESTORE),
    "agents that agree": (*begun(), *written(), _agents(2), _NEW, REST, *_RESTORE),
    "restored and ended":
        (*begun(), *written(), *restored(), ask("q3", TERMINAL, R1_NEXT), REST, served("q3"),
         REST, ask("q4", START, R1_NEXT), REST),
    "restored and broken off":
        (*begun(), *written(), *restored(), ask("q3", key=R1_NEXT), REST, served("q3", 0), REST,
         ask("q4", key=R1_NEXT), REST),
    "restored and evicted":
        (*begun(), *written(), *restored(), _evict(R1_NEXT), ask("q3", key=R1_NEXT), REST),
    "restored and superseded":
        (*begun(), *written(), *restored(), ask("q3", START, _R1_THIRD), REST, served("q3"), REST,
         ask("q4", key=R1_NEXT), REST, control("p", "prepare", "c5"), REST),
    "restored and retired":
        (*begun(), *written(), *restored(), control("t", "retire", "c3", key=R1_NEXT), REST,
         ask("q3", key=R1_NEXT), REST),
    "restored twice":
        (*begun(), *written(), *restored(), control("r3", "restore", "c3", "d1"), REST),
    "a start that waits while its session ends":
        (*begun(), ask("q3", TERMINAL), REST, ask("q4", START), REST, served("q3"), REST),
    "a request that waits while its session ends":
        (*begun(), ask("q3", TERMINAL), REST, ask("q4"), REST, served("q3"), REST),
    "a request that waits while its session becomes uncertain":
        (*begun(), ask("q3"), REST, ask("q4"), REST, served("q3", 0), REST),
    "a request that waits while its key is retired":
        (*begun(), ask("q3"), REST, ask("q4"), REST, control("t", "retire", "c1", key=R1), REST,
         served("q3"), REST),
    "a request that waits while its session is superseded":
        (*begun(), ask("q3"), REST, ask("q4"), REST, ask("q5", START, R1_NEXT), REST,
         served("q5"), REST, served("q3"), REST),
    "a request that is overtaken by an eviction": (*begun(), ask("q3"), _evict(R1), REST),
    "an eviction while a handler runs":
        (*begun(), ask("q3"), REST, _evict(R1), REST, served("q3"), REST, ask("q4"), REST),
    "an eviction of a restored session while a handler runs":
        (*begun(), *written(), *restored(), ask("q3", key=R1_NEXT), REST, _evict(R1_NEXT), REST,
         served("q3"), REST, ask("q4", key=R1_NEXT), REST),
    "an evicted session is superseded":
        (*begun(), _evict(R1), REST, ask("q3", START, R1_NEXT), REST, served("q3"), REST),
    "an uncertain session is superseded":
        (*begun(), ask("q4"), REST, served("q4", 0), REST, ask("q3", START, R1_NEXT), REST,
         served("q3"), REST),
    "an evicted session and a prepare":
        (*begun(), _evict(R1), REST, control("p", "prepare", "c1"), REST,
         control("t", "retire", "c1", key=R1), REST, control("p2", "prepare", "c1"), REST),
    "a request without identity that is overtaken by a prepare":
        (_untracked("q1"), control("p", "prepare", "c1"), REST),
    "a request without identity that runs while a prepare waits":
        (_untracked("q1"), REST, control("p", "prepare", "c1"), REST, served("q1"), REST),
    "a first start while a retire waits":
        (ask("q1", START), REST, control("t", "retire", "c1", key=R1), REST, served("q1"), REST,
         ask("q2", START), REST),
    "a retire that misses its deadline":
        (*begun(), ask("q3"), REST, control("t", "retire", "c1", key=R1), REST,
         Tick(0, 5_000_000), REST, ask("q4"), REST, served("q3"), REST,
         control("t2", "retire", "c1", key=R1), REST, control("p", "prepare", "c1"), REST),
    "a retire whose hook fails":
        (*begun(), line_of(shared.FailStorage("retire_hook")),
         control("t", "retire", "c1", key=R1), REST, ask("q3"), REST,
         control("t2", "retire", "c1", key=R1), REST),
    "a retire between prepare and commit":
        (*begun(), control("p", "prepare", "c1"), REST, control("t", "retire", "c1", key=R1), REST,
         control("w", "commit", "c1", "d1"), REST, *restored()),
    "a read that breaks off":
        (*begun(), ask("q3", READ), REST, served("q3", 0), REST, ask("q4"), REST, served("q4"),
         REST),
    "a start while a prepare waits":
        (ask("q1", START), REST, control("p", "prepare", "c1"), REST, served("q1"), REST),
    "a failed request, and one more":
        (*begun(), ask("q3"), REST, line_of(a.Handled("q3", Outcome(404, "no"))), REST,
         ask("q4", expected=2), REST, served("q4"), REST),
    "a request sent again after a later one":
        (*begun(), ask("q3", request_id="m-q2"), REST, ask("q4"), REST, served("q4"), REST,
         ask("q5", request_id="m-q2"), REST),
    "a directory of another checkpoint":
        (*begun(), *written(), control("u", "resume", "c1"), REST, ask("q3"), REST, served("q3"),
         REST, control("p2", "prepare", "c2"), REST, control("w2", "commit", "c2", "d1"), REST),
    "every operation of its own id, prepared":
        (*begun(), control("p", "prepare", "c1"), REST, *_own("prepared", "c1", "d1")),
    "every operation of its own id, written":
        (*begun(), *written(), *_own("written", "c1", "d1")),
    "every operation of its own id, restored":
        (*begun(), *written(), _NEW, REST, *_RESTORE, *_own("restored", "c2", "d1")),
    "a restore of another directory":
        (*begun(), *written(), _NEW, REST, *_RESTORE, control("r3", "restore", "c2", "d2"), REST),
    "a commit to another directory":
        (*begun(), *written(), control("w2", "commit", "c1", "d2"), REST),
    "status at rest and while a prepare waits":
        (*begun(), control("s1", "status", "c1"), REST, ask("q3"), REST,
         control("p", "prepare", "c1"), REST, control("s2", "status", "c1"), REST),
    "a mutation while the first start runs": (ask("q1", START), REST, ask("q2"), REST),
    "a request that expects another revision": (*begun(), ask("q3", expected=7), REST),
    "an attempt older than what was restored":
        (ask("q1", START, R1_NEXT), REST, served("q1"), REST, *written(), *restored(),
         ask("q2", START), REST),
    "a session that has ended":
        (*begun(), ask("q3", TERMINAL), REST, served("q3"), REST, ask("q4"), REST,
         control("t", "retire", "c1", key=R1), REST, ask("q5", START), REST,
         control("p", "prepare", "c2"), REST),
    "calls without the right token":
        tuple(one for op in _OPERATIONS for one in (
            line_of(shared.Call(f"x-{op}", op, shared.Request("c1", authorised=False))), REST)),
    "malformed calls":
        tuple(one for op in _OPERATIONS for one in (
            line_of(shared.Call(f"x-{op}", op, shared.Request("c1", well_formed=False))), REST)),
}
# fmt: on


def told() -> list[tuple[dict[str, object], Script]]:
    """The stories, then the scripts, each with the settings of its server."""
    stories = [(dict(story.settings), story.script) for story in (*STORIES, *REQUESTS)]
    scripts = (*SCRIPTS.values(), *DOORS.values())
    return [*stories, *(({}, script) for script in scripts), *_OTHERWISE]


_PARALLEL: dict[str, object] = {"contract": "transactional_parallel"}
_STATELESS: dict[str, object] = {"mode": "stateless", "contract": "stateless"}
_OTHERWISE: list[tuple[dict[str, object], Script]] = [
    (_PARALLEL, DOORS["a revision that a start expects"]),
    ({"receipt_capacity": 2}, (*begun(), ask("q3"), REST)),
    (
        _STATELESS,
        (ask("q1"), REST, ask("q2"), REST, served("q1"), REST, *written()),
    ),
]
"""Scripts for servers that were started otherwise."""
