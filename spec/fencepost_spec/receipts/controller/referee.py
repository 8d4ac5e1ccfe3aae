"""What is asked of a controller that is watched, as one value.

A variation of it, with a check left out, is another value; who watches takes the value as an
argument. May import attrs, the ladders and the promises.
"""

import attrs

from fencepost_spec.receipts.controller.calls import DEEDS, Deed
from fencepost_spec.receipts.controller.properties import AT_REPORT, AT_REST, PROPERTIES
from fencepost_spec.rule import Rule


@attrs.frozen(eq=False)
class RefereeSpec:
    """The ladders of all deeds, and what is asked at rest."""

    deeds: dict[str, Deed]
    at_report: tuple[tuple[str, Rule], ...] = AT_REPORT
    at_rest: tuple[tuple[str, Rule], ...] = AT_REST

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed: list[Rule] = []
        for deed in self.deeds.values():
            listed += [rung.rule for rung in deed.ladder]
            listed.append(deed.effect)
        listed += [rule for _, rule in (*self.at_report, *self.at_rest)]
        return tuple({rule.id: rule for rule in listed}.values())

    def without(self, deed: str, place: int) -> "RefereeSpec":
        """The value with one check of one deed taken out."""
        fewer = self.deeds[deed].without(self.deeds[deed].ladder[place])
        return attrs.evolve(self, deeds=self.deeds | {deed: fewer})


REFEREE = RefereeSpec({deed.name: deed for deed in DEEDS})
"""The referee as it must be."""


def referee_rules() -> tuple[Rule, ...]:
    """All rules by which a controller is judged, promises included."""
    every = (*REFEREE.rules(), *(prop.rule for prop in PROPERTIES))
    return tuple({rule.id: rule for rule in every}.values())
