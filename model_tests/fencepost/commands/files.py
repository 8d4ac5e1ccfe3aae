"""What a command writes: asked before the work is done, so that none is lost to a wrong path."""

import os
import stat
from pathlib import Path

from fencepost.faults import UsageFault

_REFUSED = "permission denied"


def must_be_writable(path: Path) -> None:
    """A `UsageFault` unless a file can be written there; nothing is touched."""
    _raise_for(path, _no_file(path))


def must_hold_files(folder: Path) -> None:
    """A `UsageFault` unless files can be written into that folder, be it made or not."""
    for place in (folder, *folder.absolute().parents):
        reason = _no_folder(place)
        if reason is not None:
            _raise_for(folder, reason)
            return


def write_file(path: Path, content: bytes) -> None:
    """Write a file, or a `UsageFault`: much may have changed since it was asked."""
    try:
        path.write_bytes(content)
    except OSError as error:
        _raise_for(path, error.strerror or str(error))


def _raise_for(path: Path, reason: str | None) -> None:
    if reason:
        raise UsageFault(f"cannot write {path}: {reason}")


def _no_file(path: Path) -> str | None:
    """Why no file can be written there, empty where it can."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        # A link that leads nowhere is written where it leads.
        parent = Path(os.path.realpath(path)).parent
        reason = _no_folder(parent)
        return f"there is no folder {parent}" if reason is None else reason
    except (OSError, ValueError) as error:
        return _words(error)
    if stat.S_ISDIR(kind):
        return "this is a directory"
    return "" if os.access(path, os.W_OK) else _REFUSED


def _no_folder(folder: Path) -> str | None:
    """Why a folder takes no files, empty where it does, None where there is none."""
    try:
        kind = folder.stat().st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return _words(error)
    if not stat.S_ISDIR(kind):
        return f"{folder} is no folder"
    return "" if os.access(folder, os.W_OK | os.X_OK) else _REFUSED


def _words(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
