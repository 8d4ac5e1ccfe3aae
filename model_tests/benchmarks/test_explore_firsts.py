"""How soon each named mutant is seen in a tiny scope, in processor time.

`make bench` runs this. Figures are printed, and none is asserted.
"""

import pytest

from fencepost.exploring.firsts.finding import firsts
from fencepost.exploring.firsts.seen import render_times
from fencepost.exploring.scopes import PARTS

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("part", PARTS)
def test_the_time_until_each_mutant_is_seen(part: str) -> None:
    """From nothing to the shortest trace, of what is done otherwise and of a broken promise."""
    found = list(firsts((part,)))

    print(f"\n{part}\n{render_times(found)}", end="")
    assert not any(one.missed for one in found)
