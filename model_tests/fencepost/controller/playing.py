"""Plays one case on a fresh controller: in a loop of its own, in virtual time, in its own folder.

Not decided here: what is played.
"""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from fencepost.controller.driver import Driver
from fencepost.controller.held import VERSION, make_controller
from fencepost.controller.participant import Controller
from fencepost.controller.scene import SMALLEST, Scene, scene_of
from fencepost.driven import Played, driven, performing, run_boxed
from fencepost.faults import TraceFault, named
from fencepost.judges import Judge, judge_of
from fencepost.making import Factory
from fencepost.trace.lines import Header, Line
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop

Judging = Callable[[Header], Judge]
Doing = Callable[[Driver], Awaitable[bool]]


def header_of(controller: Controller, scene: Scene, scenario: str, about: str) -> Header:
    """The header of a case. A report stands at every point of rest, which a replay relies on."""
    settings = {**scene.settings(), "rests": "reports"}
    return Header("receipts", "controller", controller.name, VERSION, scenario, about, settings, ())


def play(
    factory: Factory,
    header: Header | None,
    doing: Doing,
    watch: Watch,
    scenario: str = "replay",
    scene: Scene = SMALLEST,
    judging: Judging = judge_of,
) -> Played:
    """Play a case; `doing` drives it, and says whether it came to its end."""
    watch.doing("the factory")
    controller = make_controller(factory)
    own = header or header_of(controller, scene, scenario, "a case that the generator has drawn")
    try:
        described = scene_of(own)
    except (KeyError, TypeError) as error:
        raise TraceFault(1, f"the settings describe no deployment: {named(error)}") from error
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = Driver(controller, own, described, Path(folder), judging(own), watch)
        played = run_boxed(VirtualLoop, driven(driver, doing), watch)
    watch.doing("the harness")
    return played


def play_script(
    factory: Factory,
    header: Header,
    script: Sequence[Line],
    watch: Watch,
    judging: Judging = judge_of,
) -> Played:
    """Play a script on a fresh controller."""
    return play(factory, header, performing(script), watch, judging=judging)
