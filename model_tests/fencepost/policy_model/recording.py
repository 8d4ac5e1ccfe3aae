"""What happened, line by line and in order; each line is judged as it comes."""

from fencepost.policy_model.oracle import ModelOracle
from fencepost.recorded import Recorded
from fencepost_reference.receipts.policy_model.state import State


class ModelRecording(Recorded[ModelOracle]):
    """The lines of one run, the oracle that reads them, and what went wrong beside them."""

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.oracle.frontier.states[0]
