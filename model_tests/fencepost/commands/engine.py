"""Loads an engine by name when a command runs, so that the command line starts quickly.

An engine that this build does not have is a fault of the build, said in one line.
"""

from importlib import import_module
from typing import Any

from fencepost.faults import HarnessFault


def engine(module: str, name: str) -> Any:
    """The function or class of that name, or a `HarnessFault` when there is none."""
    try:
        return getattr(import_module(module), name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise HarnessFault(f"this build has no {module}.{name}", str(error)) from error
