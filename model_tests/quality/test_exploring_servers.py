"""The servers explored: how large their small worlds are, what holds, what mutants show.

Goal: everything the explorer says of the intended policy model and resources server is pinned, and
each of its reductions is shown to change nothing but the numbers. Method: every tiny scope is
walked with and without them.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import attrs
import pytest

from fencepost.exploring import comparing
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.policy_model import world as model
from fencepost.exploring.policy_model.scopes import MODEL_SCOPES
from fencepost.exploring.progress import Answer
from fencepost.exploring.resources import world as resources
from fencepost.exploring.resources.scopes import RESOURCES_SCOPES
from fencepost.exploring.scopes import core_of
from fencepost.exploring.servers.scope import words_of_checkpoint, words_of_rollout
from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.resources.properties import PROPERTIES


@attrs.frozen(eq=False)
class Server:
    """What differs between the two; of a larger scope one state in `every` is asked to forget."""

    scopes: Mapping[str, Any]
    world: Callable[..., Any]
    without_checkpoint: Callable[..., Any]
    without_rollout: Callable[..., Any]
    properties: tuple[Property, ...]
    every: int
    small: tuple[int, int, int]


SERVERS: Final = {
    "model": Server(
        {scope.name: scope for scope in MODEL_SCOPES},
        model.ModelWorld,
        model.without_checkpoint,
        model.without_rollout,
        MODEL_PROPERTIES,
        5,
        (2319, 4415, 20181),
    ),
    "resources": Server(
        {scope.name: scope for scope in RESOURCES_SCOPES},
        resources.ResourcesWorld,
        resources.without_checkpoint,
        resources.without_rollout,
        PROPERTIES,
        10,
        (9996, 9996, 81497),
    ),
}
"""The servers, as their scopes begin."""

# Distinct states, as they are when names are told apart, and transitions.
COUNTS = {
    "model-tiny": (123, 141, 787),
    "model-tiny-aborts": (341, 341, 2242),
    "model-tiny-ids": (594, 1172, 5146),
    "model-tiny-ledger": (339, 339, 1946),
    "model-tiny-crash": (1127, 1127, 8011),
    "model-tiny-copies": (1465, 1465, 9148),
    "model-tiny-callers": (360, 360, 1808),
    "model-tiny-auxiliary": (2, 2, 12),
    "model-tiny-nameless": (8, 8, 27),
    "model-tiny-nonsense": (103, 103, 448),
    "model-tiny-paths": (18, 18, 114),
    "model-tiny-many": (181, 181, 1304),
    "model-tiny-rows": (64, 64, 237),
    "model-tiny-four": (9, 48, 88),
    "model-tiny-three": (18, 54, 116),
    "model-tiny-failures": (32, 32, 117),
    "model-tiny-long": (349, 1264, 3947),
    "resources-tiny": (737, 737, 4604),
    "resources-tiny-ids": (555, 1075, 5831),
    "resources-tiny-retire": (1284, 1284, 6886),
    "resources-tiny-retired": (418, 418, 2411),
    "resources-tiny-pair": (280, 280, 1260),
    "resources-tiny-exchanged": (2022, 3944, 12923),
    "resources-tiny-crash": (2970, 2970, 21379),
    "resources-tiny-late": (1497, 1497, 9309),
    "resources-tiny-requests": (471, 471, 3764),
    "resources-tiny-reads": (851, 851, 3575),
    "resources-tiny-modes": (734, 734, 3794),
    "resources-tiny-outcomes": (77, 77, 209),
    "resources-tiny-install": (770, 770, 3958),
    "resources-tiny-afresh": (447, 447, 2841),
    "resources-tiny-agents": (67, 67, 287),
    "resources-tiny-start": (42, 42, 146),
    "resources-tiny-parting": (50, 50, 129),
    "resources-tiny-storing": (12, 12, 41),
    "resources-tiny-statuses": (165, 165, 402),
    "resources-tiny-names": (500, 500, 1640),
    "resources-tiny-long": (517, 997, 2547),
}
TINY = [
    name
    for server in SERVERS.values()
    for name in server.scopes
    if name.startswith(("model-tiny", "resources-tiny"))
]


def server_of(name: str) -> Server:
    """The server of a scope."""
    return SERVERS[name.split("-", maxsplit=1)[0]]


def scope_of(name: str) -> Any:
    """The scope of that name."""
    return server_of(name).scopes[name]


def world_of(name: str, mutant: str = "") -> Any:
    """The world of a scope, with the intended core or a mutant."""
    server = server_of(name)
    if not mutant:
        return server.world(scope_of(name))
    return server.world(scope_of(name), core_of(mutant, name.split("-", maxsplit=1)[0]))


@cache
def walked(name: str, symmetry: bool = True) -> Findings:
    """Return what the intended core shows in a scope."""
    return explore(world_of(name), symmetry=symmetry)


@pytest.mark.parametrize("name", TINY)
def test_the_size_of_a_scope_is_known(name: str) -> None:
    """A silent change of what can happen changes a number here first."""
    assert comparing.sizes(walked(name)) == COUNTS[name]


@pytest.mark.parametrize("name", TINY)
def test_the_intended_core_keeps_its_promises(name: str) -> None:
    """Nothing is broken, stuck or cut; what the scope has to show, it shows."""
    found = walked(name)

    assert found.exit_code == 0, list(found.wrong)
    assert {one.property.id for one in found.sometimes} == set(scope_of(name).shows)
    assert not comparing.open_promises(found)


@pytest.mark.parametrize("kind", SERVERS)
def test_every_promise_is_asked_somewhere(kind: str) -> None:
    """Every `always` is asked, every `eventually` owed, every `sometimes` shown in a tiny scope."""
    properties = SERVERS[kind].properties
    names = [name for name in TINY if name.startswith(kind)]
    asked = {one.property.id for name in names for one in walked(name).always}
    owed = {
        promise
        for name in names
        for promise, answer in comparing.answers(walked(name)).items()
        if answer is Answer.HOLDS
    }
    shown = {one.property.id for name in names for one in walked(name).sometimes}

    assert asked == {one.id for one in properties if one.kind is Kind.ALWAYS}
    assert owed == {one.id for one in properties if one.kind is Kind.EVENTUALLY}
    assert shown == {one.id for one in properties if one.kind is Kind.SOMETIMES}


@pytest.mark.parametrize("name", TINY)
def test_symmetry_changes_nothing_but_the_numbers(name: str) -> None:
    """Verdicts agree with and without, and the states that stand for others add up to all."""
    if len(world_of(name).permutations) == 1:
        assert walked(name).whole == walked(name).states
        return
    reduced, whole = walked(name), walked(name, symmetry=False)

    assert comparing.verdicts(reduced) == comparing.verdicts(whole)
    assert reduced.whole == whole.states == whole.whole


@pytest.mark.parametrize("name", TINY)
def test_a_name_that_is_forgotten_is_never_missed(name: str) -> None:
    """Whatever does not say the name does the same with it and without it, by the same rules.

    Of the larger scopes only some states are looked at.
    """
    scope, found = scope_of(name), walked(name)
    server, world = server_of(name), world_of(name)
    for node in range(0, found.states, 1 if found.states < 500 else server.every):
        parts = found.graph.parts(node)
        for done, left in world.forgotten(parts):
            gone = done.name.split()[0]
            state = partial(server.without_checkpoint, checkpoint=gone)
            words = words_of_checkpoint(gone)
            if gone in scope.rollout_names:
                state = partial(server.without_rollout, rollout=gone)
                words = words_of_rollout(scope, gone)
            differs = comparing.missed(world, parts, left, state, str, words, words)
            assert not differs, (gone, differs)


QUICK = ("model-tiny", "model-tiny-aborts", "resources-tiny-pair")


@pytest.mark.parametrize(
    "name", [*QUICK, pytest.param("resources-tiny-requests", marks=pytest.mark.soak)]
)
def test_answers_that_leave_at_once_change_no_verdict(name: str) -> None:
    """An answer on its way delays nothing that a promise asks about.

    Not where a commit is refused and made again: with one caller for each call, a controller whose
    resume is still on its way back can go on like that for ever.
    """
    scope = attrs.evolve(scope_of(name), at_once=False)
    slow, quick = explore(server_of(name).world(scope)), walked(name)
    witnesses = [(one.property.id, one.actions) for one in quick.sometimes]

    assert slow.states > quick.states
    assert slow.exit_code == quick.exit_code == 0
    assert witnesses == [(one.property.id, one.actions) for one in slow.sometimes]
    assert set(slow.cut) == set(quick.cut)


LASSOES = (
    ("never drains", "model-tiny", "R-PML-1"),
    ("never stores", "model-tiny", "R-PML-3"),
    ("never answers", "model-tiny", "R-PML-5"),
    ("uncertain for ever", "resources-tiny-retire", "R-RLI-3"),
    ("prepare never ends unprepared", "resources-tiny", "R-RLI-1"),
    ("prepare never ends prepared", "resources-tiny", "R-RLI-1"),
    ("retire never gives up", "resources-tiny-retire", "R-RLI-5"),
    ("retired session stays", "resources-tiny-retire", "R-RLI-3"),
    ("storage never ends", "resources-tiny", "R-RLI-2"),
    ("lock is never handed on", "resources-tiny", "R-RLI-4"),
    ("control queues behind handlers", "resources-tiny", "R-RLI-4"),
)


@pytest.mark.parametrize(("mutant", "scope", "promise"), LASSOES)
def test_a_mutant_blocks_for_ever(mutant: str, scope: str, promise: str) -> None:
    """A known fault keeps something owed for ever, although everybody does all they should."""
    found = explore(world_of(scope, mutant))

    assert promise in comparing.for_ever(found)
    assert found.exit_code == 1


BROKEN = (
    ("late prepare", "model-tiny", "R-PMI-6", 4),
    ("new rows only", "model-tiny-crash", "R-PMI-15", 14),
    ("cancelled is gone", "model-tiny-aborts", "R-PMI-5", 3),
    ("one more call", "model-tiny", "R-PMI-1", 3),
    ("closes when drained", "model-tiny", "R-PMI-1", 3),
    ("writes over", "model-tiny-ids", "R-PMI-9", 4),
    ("aborts only live", "model-tiny-aborts", "R-PMI-2", 4),
    ("restore opens", "model-tiny-ids", "R-PMI-6", 4),
    ("copies before it checks", "model-tiny-copies", "R-PMI-11", 9),
    ("resume during prepare", "resources-tiny", "R-RIN-12", 2),
    ("retire refuses late", "resources-tiny-retire", "R-RIN-7", 4),
    ("starts are not counted", "resources-tiny", "R-RIN-5", 2),
    ("commit writes again", "resources-tiny-ids", "R-RIN-13", 4),
    ("refused request changes", "resources-tiny-requests", "R-RIN-6", 3),
    ("no check again under the lock", "resources-tiny", "R-RIN-4", 2),
)


@pytest.mark.parametrize(("mutant", "scope", "promise", "actions"), BROKEN)
def test_a_mutant_is_found_by_the_promise_that_it_breaks(
    mutant: str, scope: str, promise: str, actions: int
) -> None:
    """The shortest trace of a known fault, and the promise that sees it."""
    world = world_of(scope, mutant)
    assert comparing.first_broken(world) == (promise, actions)


@pytest.mark.soak
@pytest.mark.parametrize("kind", SERVERS)
def test_the_intended_core_keeps_its_promises_in_a_larger_world(kind: str) -> None:
    """What holds in the tiny scopes holds in the small one, and its size is known too."""
    found = walked(f"{kind}-small")

    assert comparing.sizes(found) == SERVERS[kind].small
    assert found.exit_code == 0, list(found.wrong)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["model-tiny-ledger", "resources-tiny-modes"])
def test_answers_that_take_their_time_keep_no_checkpoint_open_for_ever(name: str) -> None:
    """A resume that came too early is called again, where nobody begins again before its answer."""
    world = world_of(name)
    world.leaving = ()
    found = explore(world)

    assert found.exit_code == 0, list(found.wrong)
    assert not comparing.open_promises(found)
