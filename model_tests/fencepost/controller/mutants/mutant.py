"""A mutant of a controller: the reference with one fault, named after what it does wrong."""

from collections.abc import Callable

import attrs

from fencepost.controller.core_adapter import CoreController


@attrs.frozen(eq=False)
class Mutant:
    """One fault. `cites` are the facts and bugs that it stands for, the nearest first."""

    name: str
    says: str
    cites: tuple[str, ...]
    make: Callable[[], CoreController]
