"""Where in the code of an adapter something was raised: its own frames, none of ours.

Imports the standard library and the faults only.
"""

import sysconfig
import traceback
from pathlib import Path

from fencepost.faults import FencepostFault, HarnessFault

FRAMES_MAX = 4
_OURS = Path(__file__).resolve().parent
_ADAPTERS = _OURS / "adapters"
_STDLIB = Path(sysconfig.get_paths()["stdlib"]).resolve()


def frames_of(fault: BaseException) -> tuple[str, ...]:
    """The last frames of the adapter's own code, the innermost last: `file:line in function`."""
    if isinstance(fault, FencepostFault) and fault.frames:
        return fault.frames
    if isinstance(fault, HarnessFault):
        return ()  # A mistake of ours, also where code of theirs has called us.
    error = _raised(fault)
    frames = () if error is None else traceback.extract_tb(error.__traceback__)
    own = [
        f"{_shown(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in frames
        if _is_theirs(frame.filename)
    ]
    return tuple(own[-FRAMES_MAX:])


def traceback_of(fault: BaseException) -> str:
    """The whole traceback of what an adapter raised, or of the fault when it raised nothing."""
    return "".join(traceback.format_exception(_raised(fault) or fault)).rstrip("\n")


def _raised(fault: BaseException) -> BaseException | None:
    """What the adapter itself raised; None when the fault was found from outside."""
    return fault.__cause__ if isinstance(fault, FencepostFault) else fault


def _is_theirs(filename: str) -> bool:
    if filename.startswith("<frozen"):
        return False
    path = _resolved(filename)
    if path.is_relative_to(_OURS):
        return path.is_relative_to(_ADAPTERS)
    return not path.is_relative_to(_STDLIB) or "site-packages" in path.parts


def _shown(filename: str) -> str:
    """The file as seen from here, when it lies below."""
    try:
        return str(_resolved(filename).relative_to(Path.cwd()))
    except (OSError, ValueError):  # It lies elsewhere, or the folder that we are in is gone.
        return filename


def _resolved(filename: str) -> Path:
    try:
        return Path(filename).resolve()
    except OSError:
        return Path(filename)
