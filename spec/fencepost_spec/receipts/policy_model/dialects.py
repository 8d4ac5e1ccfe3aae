"""The levels of development of a policy model that can be judged; never which rules hold."""

import attrs


@attrs.frozen
class ModelDialect:
    """One version. `shape` is true when bodies and headers are held to the wire models too."""

    version: str
    says: str
    shape: bool


MODEL_DIALECTS: dict[str, ModelDialect] = {
    dialect.version: dialect
    for dialect in (
        ModelDialect("3349", "the policy model of Gym #3349, without generation cuts", False),
        ModelDialect("fencepost-1", "#3349 with bodies held to the wire models", True),
    )
}


def model_dialect_of(version: str) -> ModelDialect:
    """The dialect of a version, or KeyError that lists the known ones."""
    try:
        return MODEL_DIALECTS[version]
    except KeyError:
        known = ", ".join(sorted(MODEL_DIALECTS))
        raise KeyError(f"unknown model version {version!r}; known: {known}") from None
