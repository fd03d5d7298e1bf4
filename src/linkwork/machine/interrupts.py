"""Ctrl-C while compiled code runs: noted, and told where the work can be left in good order.

Python delivers an interrupt between two of its own instructions. Within a callback of compiled code (the reference
backend) that would be lost: ctypes prints the exception and goes on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def held() -> Iterator[Callable[[], None]]:
    """Note interrupts instead of raising them; what is given raises KeyboardInterrupt where there was one.

    A second interrupt is raised at once. In other threads than the main one nothing changes.
    """
    noted: list[int] = []

    def note(number: int, frame: object) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(number)

    def check() -> None:
        if noted:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    check()
