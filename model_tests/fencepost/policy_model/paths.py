"""Paths of the data plane that are drawn and told: of the gate, and of none. Data only."""

ROUTES = ("/v1/responses", "/v1/chat/completions", "/v1/messages")
UNGATED = "/v1/models"
GATED_PATHS = (
    "/api/v1/responses",
    "/openai/v1/chat/completions",
    "/v1/v1/messages",
    "/v1/responses?stream=true",
    "/v1/messages?after=/v1/models",
)
"""Paths that end like a route of the gate; a query is no part of a path."""
FREE_PATHS = (
    "/v1/models?before=/v1/responses",
    "/v1/responses/",
    "/v1/responses/r1/cancel",
    "/v1/messages/count_tokens",
    "/v1/chat/completions_later",
    "/v1/chat",
    "/responses",
)
"""Paths that only have a route of the gate in them, or a part of one."""
