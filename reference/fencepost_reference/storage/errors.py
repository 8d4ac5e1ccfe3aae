"""How storage says no: damage is refused for certain, a failed write leaves both ends open."""

from fencepost_spec.rule import Rule


class CheckpointRefused(Exception):  # a refusal is an answer, not a mistake
    """The directory, or what should go into it, is refused; nothing was changed.

    The answer is definite. `file` is relative to the checkpoint directory.
    """

    code = "agent_checkpoint_error"

    def __init__(self, rule: Rule, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.rule = rule
        self.file = file
        self.reason = reason


class StorageFailed(Exception):  # named as the code it is answered with
    """A step on the disk failed; the manifest may or may not be visible."""

    code = "storage_failed"

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason
