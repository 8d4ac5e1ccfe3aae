"""An agent that does real work, under random actions that Hypothesis draws and shrinks.

Each number stands for one action, or two at once, among those that are enabled; taking a number out
takes its actions out. Every line is read by the oracle, and each world is brought to rest.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.driver import Driver
from fencepost.generator import Generator
from fencepost.judging import refused
from fencepost.participant import Participant
from fencepost.playing import play
from fencepost.verdict_text import render_text
from fencepost.watch import Watch

TURNS = st.lists(st.integers(0, 2**16 - 1), max_size=50)


def hold_to_the_rules(factory: Callable[[], Participant], turns: list[int]) -> None:
    """Drive a new participant through a world, which must conform and come to rest."""

    async def doing(driver: Driver) -> bool:
        generator = Generator(driver, Random(0))
        for turn in turns:
            generator.random = Random(turn)
            await generator.act()
            if driver.record.over:
                return False
        return await generator.wind_down()

    played = play(factory, None, doing, Watch(), scenario="machine")
    note(f"{played.actions} actions")
    if played.refusal is not None:
        lines, refusal = played.lines, played.refusal
        verdict = refused(played.header, lines, refusal, played.oracle, "machine")
        pytest.fail(render_text(verdict))
    assert played.complete
    assert played.inconclusive is None


@pytest.mark.machine
@given(turns=TURNS, park_in_place=st.booleans())
def test_the_runtime_conforms_in_every_world(turns: list[int], park_in_place: bool) -> None:
    """The runtime obeys the rules, and at the end nothing is parked and a prepare succeeds."""
    hold_to_the_rules(lambda: RuntimeAgent(park_in_place=park_in_place), turns)


@pytest.mark.machine
@given(turns=TURNS, seed=st.integers(0, 99), spare=st.booleans())
def test_a_core_conforms_in_whatever_order_it_goes(
    turns: list[int], seed: int, spare: bool
) -> None:
    """However a participant orders what it may do by itself, it obeys the rules."""
    hold_to_the_rules(lambda: CoreAgent(seed=seed, spare=spare), turns)
