"""Whether JSON has the shape of a model: for laws about what a body may be, and may not be."""

from pydantic import BaseModel, ValidationError


def fits(model: type[BaseModel], body: object) -> bool:
    """Whether the model reads the body."""
    try:
        model.model_validate(body)
    except ValidationError:
        return False
    return True
