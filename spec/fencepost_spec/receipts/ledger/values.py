"""The values that calls and saved files of a ledger share: receipts, results, obligations.

A gate receipt is free beyond its named members and is kept whole; everything else is exactly what
its model says. May import: pydantic, `strict`, `requests`, `vocabulary`.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, JsonValue

from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.strict import Positive, Strict, Text
from fencepost_spec.vocabulary import canonical_json

PROMPT_ID_PATTERN: Final = r"^(0|[1-9][0-9]*)$"

Granularity = Literal["sibling", "prompt_group"]
AttemptStatus = Literal["reserved", "dispatched", "sealed", "failed", "abandoned"]
GroupStatus = Literal["generating", "ready_to_finalize", "finalizing", "finalization_unknown"]
Phase = Literal["reserved", "admitted"]


def _plain_json(value: Any) -> Any:
    """Refuse what a JSON file cannot hold, deep inside a free-form value too."""
    canonical_json(value)
    return value


def _number(value: object) -> object:
    """A number as a float; a truth value or a text is none."""
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise ValueError("a number that no float can hold") from None
    if type(value) is float:
        return value
    raise ValueError(f"not a number: {value!r}")


GENERATIONS_MAX: Final = 65_536
"""So many siblings a group has at most: each is an attempt from the first moment on.

A limit of this tool and none of the protocol, so it is no part of the shape of a saved document.
"""


def _can_be_held(count: int) -> int:
    """Refuse more siblings than this tool holds."""
    if count > GENERATIONS_MAX:
        raise ValueError(f"a group has at most {GENERATIONS_MAX} siblings, a limit of this tool")
    return count


Generations = Annotated[Positive, AfterValidator(_can_be_held)]
PromptId = Annotated[str, Field(pattern=PROMPT_ID_PATTERN)]
Reward = Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False)]
FreeJson = Annotated[JsonValue, AfterValidator(_plain_json)]


class ManifestEntry(Strict):
    """One row of training data that an attempt has staged; more may be said of it."""

    model_config = ConfigDict(extra="allow")
    # The base class has a wider type; this is how pydantic is told the type of what is free.
    __pydantic_extra__: dict[str, FreeJson]  # pyright: ignore[reportIncompatibleVariableOverride]

    staging_key: str


class GateReceipt(Strict):
    """Who captured the tokens of an attempt, and in which order its rows are staged."""

    model_config = ConfigDict(extra="allow")
    # The base class has a wider type; this is how pydantic is told the type of what is free.
    __pydantic_extra__: dict[str, FreeJson]  # pyright: ignore[reportIncompatibleVariableOverride]

    rollout_id: str
    manifest: list[ManifestEntry]


class PromptPayload(Strict):
    """A prompt as the dataset gives it: its index, its task, and whatever a trainer needs."""

    model_config = ConfigDict(extra="allow")

    idx: Annotated[int, Field(ge=0)]
    task_name: Text


class Result(Strict):
    """What one finished sibling of a cohort hands over."""

    gate_rollout_id: Text
    receipt: GateReceipt | None
    reward: Reward
    mask_sample: bool
    resolved_agent_name: Text
    completion_receipt: Receipt | None = None


class CompletedExecution(Strict):
    """A finished execution whose result is owned here: its receipt, and whom to tell."""

    receipt: Receipt
    agent_name: Text
