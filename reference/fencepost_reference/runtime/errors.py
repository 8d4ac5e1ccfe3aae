"""What an awaited call of the library may raise beside an ordinary answer."""

from fencepost_spec.receipts.refusals import NOT_PARKED


class Refused(Exception):
    """Something was refused, by the participant or further down; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class NotParked(Refused):
    """No prepare is active: issue the refused call again, a little later."""

    def __init__(self) -> None:
        super().__init__(NOT_PARKED)


class Lost(Exception):
    """The process is gone, and this call is never answered."""

    def __init__(self) -> None:
        super().__init__("the process is gone; this call is never answered")


def refused(code: str) -> Refused:
    """The exception for a refusal code."""
    return NotParked() if code == NOT_PARKED else Refused(code)
