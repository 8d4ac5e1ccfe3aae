"""Work during which no garbage is looked for: it makes many values, and no cycles among them."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """Look for no garbage meanwhile.

    What was made is old when it ends, or the collector would go through all of it at once.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.unfreeze()
            gc.enable()
