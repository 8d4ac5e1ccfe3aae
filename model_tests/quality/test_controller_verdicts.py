"""The whole text of `fencepost check controller`, kept as snapshots. REWRITE=1 writes them again.

Each is a real check with a fixed seed, told as a person and as a program gets it; only how long it
took is set. The budget is one of actions, so that a slow machine does the same.
"""

from collections.abc import Callable
from functools import cache

import attrs
import pytest

from fencepost.check_result import CheckResult
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController, make
from fencepost_spec.receipts.controller.spec import faulty

LESS = frozenset({"prompt_group", "stale"})
SECONDS = 1.5


class Small(CoreController):
    """The reference, of which less is asked."""

    capabilities = LESS


def careless() -> CoreController:
    """Make a controller that publishes what was not written."""
    return CoreController(faulty("publishes after failed storage"))


def forgetful() -> CoreController:
    """Make a controller that lets go of a group, and not of what runs for it."""
    return CoreController(faulty("lets a group go and forgets its attempts"))


CHECKS: dict[str, tuple[Callable[[], CoreController], int]] = {
    "controller_violates": (careless, 2_000),
    "controller_stalls": (forgetful, 2_000),
    "controller_inconclusive": (make, 20),
    "controller_conforms": (Small, 200),
}


@cache
def checked(name: str) -> CheckResult:
    """Return what a check came to, as if it had taken a moment."""
    factory, budget = CHECKS[name]
    result = check_controller(factory, seed=1, budget=budget, profile="long")
    return attrs.evolve(result, seconds=SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_the_whole_text_of_a_check_of_a_controller_is_kept(
    name: str, kept_texts: Callable[[str, CheckResult], None]
) -> None:
    """Verdict, rule, source, what came, the shortest run, what was tried: as it read last time."""
    kept_texts(name, checked(name))


@pytest.mark.slow
def test_each_kept_text_is_of_the_verdict_that_it_is_named_after() -> None:
    """0 conforms, 1 violates or stalls, 3 inconclusive."""
    codes = {name: checked(name).exit_code for name in CHECKS}

    assert codes == {
        "controller_violates": 1,
        "controller_stalls": 1,
        "controller_inconclusive": 3,
        "controller_conforms": 0,
    }
    assert checked("controller_stalls").verdict.kind == "stalls"
