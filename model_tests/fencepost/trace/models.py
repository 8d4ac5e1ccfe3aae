"""The trace format, version 1, as pydantic models: the definition of what a line may hold.

The JSON Schema is written from here, and so is the sentence that says what is wrong with a line.
`build` is the quick way to the same answer; a law holds the two together. What needs more than one
line (numbering, which call is open) is decided by the reader. Bodies stay plain JSON values.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from fencepost.trace.lines import KINDS
from fencepost_spec.strict import VERSION_MARK

FormatVersion = Annotated[Literal[1], VERSION_MARK]
Name = Annotated[str, Field(min_length=1)]
Body = dict[str, JsonValue]
Seq = Annotated[int, Field(ge=1, description="Counted from 1, without gaps.")]


def _absent() -> Any:
    """The value of a field that is not there; null is another thing and is refused."""
    return None


class _Strict(BaseModel):
    """Nothing is converted, and an unknown field is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Open(_Strict):
    """An object that may hold more than what is named here."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)


class PlaceModel(_Strict):
    """A participant of a deployment."""

    kind: Name
    instance: Name


class ParticipantModel(_Strict):
    """Who was recorded, at which level of development."""

    name: Name
    version: Name


class HeaderModel(_Strict):
    """The first line."""

    fencepost: FormatVersion = Field(description="The version of the format.")
    protocol: Literal["receipts", "episodes"]
    kind: Name
    participant: ParticipantModel
    scenario: str
    about: str
    settings: Body
    hidden: list[Name] = Field(description="What happened and is not shown.")

    @model_validator(mode="after")
    def _kind_belongs_to_protocol(self) -> Self:
        known = KINDS[self.protocol]
        if self.kind not in known:
            listed = ", ".join(known)
            raise ValueError(f"{self.protocol} has no kind {self.kind!r}; known: {listed}")
        return self


class CallModel(_Strict):
    """A request reaches the participant."""

    seq: Seq
    call: Name
    id: Name
    request: Body | None
    auth: Literal["none", "wrong"] = Field(
        default_factory=_absent, description="The token that came with it; absent: the right one."
    )
    text: str = Field(
        default_factory=_absent, description="A body that is no JSON object; request is null."
    )
    at: PlaceModel = Field(default_factory=_absent)

    @model_validator(mode="after")
    def _text_stands_for_a_request_of_null(self) -> Self:
        if ("text" in self.model_fields_set) != (self.request is None):
            raise ValueError("text stands exactly where request is null")
        return self


class StatusReplyModel(_Strict):
    """The answer of an operation over HTTP."""

    seq: Seq
    reply: Name
    status: int = Field(ge=100, le=599)
    body: JsonValue
    headers: dict[str, str] = Field(default_factory=_absent)


class OkReplyModel(_Strict):
    """The answer of a method that did what was asked."""

    seq: Seq
    reply: Name
    outcome: Literal["ok"]
    body: JsonValue


class MethodErrorModel(_Open):
    """How a method failed."""

    error: str | Body


class ErrorReplyModel(_Strict):
    """The answer of a method that failed."""

    seq: Seq
    reply: Name
    outcome: MethodErrorModel


class LostReplyModel(_Strict):
    """An indefinite reply: nobody learns from it whether the operation happened."""

    seq: Seq
    reply: Name
    lost: Literal["cancelled", "timeout", "disconnected"]


class SubjectModel(_Strict):
    """One attempt of a rollout; both null for a rollout without an identity."""

    rollout_id: Name | None
    attempt: Annotated[int, Field(ge=0)] | None

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.rollout_id is None) != (self.attempt is None):
            raise ValueError("rollout_id and attempt are null together")
        return self


class CodeModel(_Open):
    """A refused event."""

    code: Name


class WorkModel(_Strict):
    """The work inside moves."""

    seq: Seq
    work: Name
    subject: SubjectModel | None
    detail: Body = Field(default_factory=dict)
    outcome: Literal["ok", "waits"] | CodeModel
    at: PlaceModel = Field(default_factory=_absent)


class ReturnedModel(_Strict):
    """A waiting event is let go."""

    seq: Seq
    returned: Seq
    outcome: Literal["ok"] | CodeModel


class ReportModel(_Strict):
    """A status report as the participant gives it."""

    seq: Seq
    report: Body
    internal: Body = Field(default_factory=_absent, description="What only a debugger sees.")
    moving: bool = Field(default=False, description="True: not taken at rest.")
    at: PlaceModel = Field(default_factory=_absent)


class ReplaceModel(_Strict):
    """The process is replaced by a new one; all memory is lost."""

    seq: Seq
    fault: Literal["replace"]
    disk: Literal["kept", "empty"]
    detail: Body = Field(default_factory=dict)
    at: PlaceModel = Field(default_factory=_absent)


def _is_no_replace(name: str) -> str:
    if name == "replace":
        raise ValueError("replace says what became of the disk: kept or empty")
    return name


class FaultModel(_Strict):
    """Another fault put in by the harness."""

    seq: Seq
    fault: Annotated[Name, AfterValidator(_is_no_replace)]
    detail: Body = Field(default_factory=dict)
    at: PlaceModel = Field(default_factory=_absent)


class DiskModel(_Strict):
    """What lies on disk."""

    seq: Seq
    disk: Body


class TickModel(_Strict):
    """Time passes; a part of a microsecond is rounded to the nearest one."""

    seq: Seq
    tick: float = Field(ge=0, allow_inf_nan=False, description="Seconds.")


class NoteModel(_Strict):
    """A remark."""

    seq: Seq
    note: str


class EndModel(_Strict):
    """How many lines the trace has."""

    lines: int = Field(ge=0, description="The lines between header and footer.")


class FooterModel(_Strict):
    """The last line."""

    end: EndModel
