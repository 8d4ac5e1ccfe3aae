"""What every body on the wire and every document on disk has in common: nothing is guessed.

Decided here: unknown members are refused, JSON types are taken as they are (no text for numbers,
no booleans for versions, no NaN), every default is itself valid, and a schema version is a marked
alias that is written in one place. Not decided here: what any body contains. May import: pydantic
and `vocabulary`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter

from fencepost_spec.strict_json import DIGITS_MAX
from fencepost_spec.vocabulary import (
    CHECKPOINT_ID_LENGTH_MAX,
    CHECKPOINT_ID_PATTERN,
    ROLLOUT_ID_PATTERN,
    check_instance_name,
)

VERSION_FIELD: Final = "schema_version"


def _whole_number(value: object) -> object:
    """Equality is not enough for a literal: in Python, True == 1 == 1.0."""
    if type(value) is int:
        return value
    raise ValueError(f"a schema version is a whole number, not {value!r}")


VERSION_MARK: Final = BeforeValidator(_whole_number)
"""What an alias of a schema version carries; a version typed out by hand does not have it."""


def _exactly(kind: type) -> BeforeValidator:
    def same(value: object) -> object:
        if type(value) is kind:
            return value
        raise ValueError(f"{value!r} is no {kind.__name__}")

    return BeforeValidator(same)


_TOO_LONG: Final = 10**DIGITS_MAX


def _can_be_written(value: int) -> int:
    if value < _TOO_LONG:
        return value
    raise ValueError(f"a whole number of more than {DIGITS_MAX} digits")


NUMBER_MARK: Final = _exactly(int)
TRUTH_MARK: Final = _exactly(bool)
Zero = Annotated[Literal[0], NUMBER_MARK]
Yes = Annotated[Literal[True], TRUTH_MARK]
No = Annotated[Literal[False], TRUTH_MARK]
"""Values that may only be this one; a literal alone takes 0 and 0.0 for False."""


RolloutId = Annotated[str, Field(pattern=ROLLOUT_ID_PATTERN)]
CheckpointId = Annotated[
    str, Field(pattern=CHECKPOINT_ID_PATTERN, min_length=1, max_length=CHECKPOINT_ID_LENGTH_MAX)
]
InstanceName = Annotated[str | None, BeforeValidator(check_instance_name)]
Count = Annotated[int, Field(ge=0), AfterValidator(_can_be_written)]
Positive = Annotated[int, Field(ge=1), AfterValidator(_can_be_written)]
Text = Annotated[str, Field(min_length=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Revisions = dict[str, Count]


def version_of(alias: object) -> Any:
    """The number that an alias of a schema version stands for, or TypeError when it is none.

    >>> from typing import Literal
    >>> version_of(Annotated[Literal[3], VERSION_MARK])
    3
    """
    parts = get_args(alias)
    numbers: tuple[object, ...] = get_args(parts[0]) if parts else ()
    if VERSION_MARK not in parts or len(numbers) != 1 or not isinstance(numbers[0], int):
        raise TypeError(f"not a schema version: {alias!r}")
    return numbers[0]


class Strict(BaseModel):
    """A body or document that is exactly what its model says.

    A subclass whose default is not valid, or that types its schema version out by hand, cannot be
    made: the import fails. So half of a version bump is never built.
    """

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        validate_default=True,
        allow_inf_nan=False,
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a class that could make a body that it does not read."""
        super().__pydantic_init_subclass__(**kwargs)
        for fault in faults_of(cls):
            raise TypeError(f"{cls.__name__}: {fault}")


def faults_of(model: type[BaseModel]) -> Iterator[str]:
    """What is wrong with the declaration of a model: nothing, when it could be built."""
    for name, field in model.model_fields.items():
        if name == VERSION_FIELD and VERSION_MARK not in field.metadata:
            yield f"{name} is typed out by hand; use the alias of its schema version"
        if not any(one in _MARKS for one in field.metadata) and _takes_equals(field.annotation):
            yield f"{name} takes what equals its literal; use Zero, Yes or No"
        if field.is_required():
            continue
        kind: Any = field.annotation
        for mark in field.metadata:
            kind = Annotated[kind, mark]
        try:
            TypeAdapter(kind, config=None).validate_python(
                field.get_default(call_default_factory=True), strict=True
            )
        except ValueError as error:
            yield f"the default of {name} is not valid: {error}"


_MARKS: Final = (VERSION_MARK, NUMBER_MARK, TRUTH_MARK)


def _takes_equals(kind: Any) -> bool:
    """Whether a type has a literal in it that values of another type are equal to."""
    parts: tuple[Any, ...] = get_args(kind)
    if get_origin(kind) is Literal:
        return not all(isinstance(one, str | None) for one in parts)
    if get_origin(kind) is Annotated:
        marked = any(one in _MARKS for one in parts[1:])
        return not marked and _takes_equals(parts[0])
    return any(_takes_equals(one) for one in parts)
