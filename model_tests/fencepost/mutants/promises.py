"""Which promises a mutant breaks on the way to its refusal, asked of its states.

The oracle blames the nearest rule; the promises say what is at stake. They are asked of the
mutant itself, step by step, so this also shows that each `always` can be broken.
"""

from typing import Any

from fencepost.mutants.lockstep import Found
from fencepost.mutants.playing import Player, Scene
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.ghost import Ghost, remembered
from fencepost_reference.receipts.promises import broken
from fencepost_reference.receipts.state import State


def broken_on_the_way(core: AgentCore, found: Found) -> tuple[str, ...]:
    """The ids of the `always` properties that the steps of a sequence break."""
    ghost = Ghost()
    ids: dict[str, None] = {}

    def watch(before: State, action: Any, step: Step) -> None:
        nonlocal ghost
        ids.update(dict.fromkeys(one.id for one in broken(before, action, step, ghost)))
        ghost = remembered(ghost, before, action, step)

    player = Player(core, found.scope.lazy, watch)
    scene = Scene(core.initial())
    for by in found.path:
        played = player.choose(scene, by) if isinstance(by, Own) else player.play(scene, by)
        if played is None:
            break
        scene = played.scene
    return tuple(sorted(ids, key=lambda name: int(name.rpartition("-")[2])))
