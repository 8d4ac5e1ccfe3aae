"""Does something in several processes at once, and leaves none of them behind.

They are fresh ones: a fork of a process with threads is not safe everywhere. They hear no signal:
whoever has started them ends them, and they end by themselves when it is gone.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from fencepost.stopping import unheard_by_children

T = TypeVar("T")
_GONE = 4


def in_processes(do: Callable[[str], T], names: Sequence[str], jobs: int) -> Iterator[T]:
    """What comes of each name, in order."""
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_live_with_parent) as pool:
        try:
            with unheard_by_children():
                futures = [pool.submit(do, name) for name in names]
            for future in futures:
                yield future.result()
        except BaseException:
            # What waits is given up with them; to cancel it first would be told as a mistake.
            for child in set(multiprocessing.active_children()) - others:
                child.kill()
            raise


def _live_with_parent() -> None:
    """End this process when the one that has started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end_after() -> None:
        parent.join()
        os._exit(_GONE)

    threading.Thread(target=end_after, daemon=True).start()
