"""Finds a participant's factory by the name that a user types: `package.module:factory`."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencepost.faults import ParticipantFault, UsageFault

_FORM = "an adapter is named package.module:factory"


def load_factory(name: str | None) -> Callable[..., Any] | None:
    """The function that makes the participant under test; None stands for the bundled one.

    The current directory is searched first, as Python itself does. A name that leads nowhere is
    the caller's fault, and a module that fails while it is imported is the participant's.
    """
    if name is None:
        return None
    module_name, _, path = name.partition(":")
    if module_name.endswith(".py"):
        right = f"{module_name.removesuffix('.py').replace('/', '.')}:{path}"
        raise UsageFault(f"{name!r} names a file", f"write {right}, without .py")
    if not all(part.isidentifier() for part in [*module_name.split("."), *path.split(".")]):
        raise UsageFault(f"{name!r} names no adapter", _FORM)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    found: Any = _load_module(module_name)
    for part in path.split("."):
        if not hasattr(found, part):
            raise UsageFault(f"{module_name} has no {path}", _FORM)
        found = getattr(found, part)
    if not callable(found):
        raise UsageFault(f"{name} cannot be called", "the factory makes a new participant")
    factory: Callable[..., Any] = found
    return factory


def _load_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            raise UsageFault(f"there is no module {missing}", _FORM) from None
        raise ParticipantFault(f"importing {name} failed: no module {missing}") from error
    except Exception as error:
        reason = f"importing {name} failed: {type(error).__name__}: {error}"
        raise ParticipantFault(reason) from error
