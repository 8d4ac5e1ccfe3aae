"""What happened, line by line and in order; each line is judged as it comes."""

from fencepost.faults import FencepostFault, ParticipantFault
from fencepost.recorded import Recorded
from fencepost.resources.oracle import Oracle
from fencepost_reference.receipts.resources.state import State


class ResourcesRecording(Recorded[Oracle]):
    """The lines of one run, the oracle that reads them, and what went wrong beside them."""

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.oracle.frontier.states[0]

    def broken(self, text: str, error: Exception | None) -> None:
        """What a call of the adapter raised, or did and may not."""
        fault = error if isinstance(error, FencepostFault) else ParticipantFault(text)
        if fault is not error:
            fault.__cause__ = error
        self.fail(fault)
