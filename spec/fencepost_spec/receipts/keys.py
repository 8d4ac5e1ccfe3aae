"""What becomes of keys and watermarks, for whoever keeps them: an agent or a resources server.

Each entry is a rule with the cause that it is about. May import: attrs, rule.
"""

import attrs

from fencepost_spec.rule import Rule


@attrs.frozen
class Refuses:
    """A cause that refuses the exact key from then on."""

    rule: Rule
    cause: str


@attrs.frozen
class Raises:
    """A cause that raises the watermark of a rollout to an attempt."""

    rule: Rule
    cause: str
