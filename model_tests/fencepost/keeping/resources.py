"""The kept traces of resources servers: stories that conform, and a short way into each bug."""

from collections.abc import Iterator, Mapping

import attrs

from fencepost.driven import REST
from fencepost.keeping.kept import Kept, refused_kept, slug
from fencepost.resources.mutants.examining import best_case
from fencepost.resources.mutants.named import NAMED
from fencepost.resources.mutants.playing import Player, play_script
from fencepost.resources.mutants.scripts import SCRIPTS, Script
from fencepost.resources.showing import line_of
from fencepost.resources.stories import STORIES
from fencepost.resources.telling import R1, ask, begun, control, restored, served, written
from fencepost.trace.lines import Fault, Header
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore

_NEW = Fault(0, "replace", "kept", {})


def _fails(step: str) -> Fault:
    return Fault(0, "fail", None, {"step": step})


def _at(name: str, **detail: str) -> Fault:
    return Fault(0, name, None, dict(detail))


# fmt: off
MORE: Mapping[str, tuple[str, Script]] = {
    "a restore that the environment does not take": (
        "R-ROP-22", SCRIPTS["a restore that the environment does not take"]),
    "agents that name another revision": (
        "R-ROP-21", SCRIPTS["agents that name another revision"]),
    "operations while a commit runs": (
        "R-OPS-7", SCRIPTS["operations while a commit runs"]),
    "operations while a restore runs": (
        "R-OPS-9", SCRIPTS["operations while a restore runs"]),
    "a prepare whose exports are held": (
        "R-FEN-14",
        (*begun(), line_of(shared.Hold("prepare")), control("p1", "prepare", "c1"), REST,
         control("u1", "resume", "c1"), REST, line_of(shared.Release("prepare")), REST,
         control("p2", "prepare", "c2"), REST)),
    "an export fails, and the disk at every step": (
        "R-ROP-18",
        (*begun(), _fails("export"), control("p1", "prepare", "c1"), REST,
         control("p2", "prepare", "c1"), REST,
         _fails("records"), control("w1", "commit", "c1", "d1"), REST,
         _fails("manifest"), control("w2", "commit", "c1", "d1"), REST,
         _fails("after_manifest"), control("w3", "commit", "c1", "d1"), REST,
         control("w4", "commit", "c1", "d1"), REST, _NEW, REST,
         _fails("read"), control("r1", "restore", "c2", "d1"), REST,
         *(control("r2", "restore", "c2", "d1"), REST), control("u", "resume", "c2"), REST)),
    "a hook that fails": (
        "R-ROP-20",
        (*begun(), _fails("retire_hook"), control("t1", "retire", "c1", key=R1), REST,
         control("t2", "retire", "c1", key=R1), REST)),
    "directories that somebody copies, damages and removes": (
        "R-RUN-21",
        (*begun(), *written(), _at("copy", **{"from": "d1", "to": "d2"}),
         _at("damage", path="d1"), _NEW, REST,
         control("r1", "restore", "c2", "d1"), REST, _at("remove", path="d1"),
         control("r2", "restore", "c2", "d1"), REST,
         control("r3", "restore", "c2", "d2"), REST, control("u", "resume", "c2"), REST)),
    "a disk that is lost": (
        "R-RUN-21",
        (*begun(), *written(), Fault(0, "replace", "empty", {}), REST,
         control("r1", "restore", "c2", "d1"), REST, ask("q9"), REST)),
    "a caller that goes away while its commit runs": (
        "R-OPS-7",
        (*begun(), control("p1", "prepare", "c1"), REST, line_of(shared.Hold("commit")),
         control("w1", "commit", "c1", "d1"), control("w2", "commit", "c1", "d1"), REST,
         line_of(shared.Gone("w1")), line_of(shared.Release("commit")), REST,
         *restored(), ask("q9", key=R1.next(), expected=2), REST, served("q9"), REST)),
    "a retire that misses its deadline": (
        "R-ROP-19",
        (*begun(), ask("q3"), REST, control("t1", "retire", "c1", key=R1, deadline=1_000_000),
         line_of(shared.Tick(1_000_000)), REST, served("q3"), REST,
         control("p1", "prepare", "c1"), REST)),
    "a session that loses its receipts": (
        "R-RPO-3",
        (*begun(), line_of(a.Evict(R1)), REST, ask("q3"), REST,
         control("p1", "prepare", "c1"), REST)),
}
"""What is kept beside the witnesses: the rule that each is kept for, and its script."""
# fmt: on


def good() -> Iterator[Kept]:
    """A witness of each thing that must be possible, and what the world can do to a server."""
    for story in STORIES:
        player = play_script(ResourcesCore(), dict(story.settings), story.script)
        yield _conforms(story.name, story.property_id, player)
    for says, (rule, script) in MORE.items():
        yield _conforms(says, rule, play_script(ResourcesCore(), {}, script))


def _conforms(says: str, rule: str, player: Player) -> Kept:
    return Kept(_header(player, says, says), player.lines, "conforms", rule)


def _header(player: Player, name: str, about: str) -> Header:
    return attrs.evolve(player.header, scenario=slug(name), about=about)


def wrong() -> Iterator[Kept]:
    """The shortest way into each named bug; takes a minute."""
    for mutant in NAMED:
        found = best_case(mutant)
        refusal = None if found is None else found.player.refusal
        if found is not None and refusal is not None:
            header = _header(found.player, mutant.name, mutant.says)
            yield refused_kept(header, found.player.lines, refusal)
