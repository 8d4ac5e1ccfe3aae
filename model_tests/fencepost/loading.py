"""Finds a participant's factory by the name that a user types: `package.module:factory`.

The code of an adapter runs for the first time here, and may do anything: raise, end Python, never
return. Whatever it raises becomes a fault of the participant that names the module.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from fencepost.faults import ParticipantFault, UsageFault, deed, named
from fencepost.pulse import bounded

T = TypeVar("T")

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
    with suppress(OSError):  # The folder that we are in may be gone.
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)
    found: Any = _load_module(module_name)
    for part in path.split("."):
        try:
            found = _run(f"looking up {name}", partial(getattr, found, part), AttributeError)
        except AttributeError:
            raise UsageFault(f"{module_name} has no {path}", _FORM) from None
    if not callable(found):
        raise UsageFault(f"{name} cannot be called", "the factory makes a new participant")
    factory: Callable[..., Any] = found
    return factory


def _load_module(name: str) -> Any:
    try:
        return _run(f"importing {name}", partial(import_module, name), ModuleNotFoundError)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            raise UsageFault(f"there is no module {missing}", _FORM) from None
        raise ParticipantFault(f"importing {name} failed: no module {missing}") from error


def _run(what: str, code: Callable[[], T], expected: type[Exception]) -> T:
    """What code of an adapter comes to, or what is expected of it; all else is a fault."""
    try:
        with bounded(what):
            return code()
    except expected:
        raise
    except KeyboardInterrupt as error:
        # Whether it was the user who interrupted is known to whoever supervises us.
        raise KeyboardInterrupt(f"{what} failed: {named(error)}") from error
    except SystemExit as error:
        raise ParticipantFault(f"{what} {deed(error)}") from error
    except BaseException as error:
        raise ParticipantFault(f"{what} failed: {named(error)}") from error
