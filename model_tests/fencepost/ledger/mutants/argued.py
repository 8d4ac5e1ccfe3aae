"""Mutants that no call tells apart from the reference, and why; rules that no mutant breaks."""

_EVERY = "every status has a row for this, so the check never answers"
_NO_RECEIPT = "what is not sealed has no receipt either, and R-LOP-21 refuses it"
_AS_SEALED = "a sealed attempt has what is owed for it: R-LOP-29 and R-LSV-44 refuse the rest"
_STAYS = "a group without a row stays as it is, which is what the row says"

EQUIVALENT: dict[str, str] = {
    "R-LAT-11 in reserved without is_a_restored_source":
        "the row before it answers wherever no continuation was taken",
    "R-LGR-2 without its row from generating": _STAYS,
    "R-LGR-2 in generating without some_are_unsealed":
        "the row before it answers wherever every sibling is sealed",
    "abandon_unsealed without R-LOP-30": _EVERY,
    "prepare_for_restart without R-LOP-30": _EVERY,
    "discard_group without R-LOP-8": _EVERY,
    "record_sealed_sibling_acknowledgement without R-LOP-20": _NO_RECEIPT,
    "record_sealed_group_acknowledgements without R-LOP-20": _NO_RECEIPT,
    "record_sealed_sibling_acknowledgement without R-LOP-22": _AS_SEALED,
    "record_sealed_group_acknowledgements without R-LOP-22": _AS_SEALED,
}  # fmt: skip
"""Mutants that do nothing otherwise in any place that was walked, each with the reason."""

UNBROKEN: dict[str, str] = {
    "R-LOP-20": "R-LOP-21 refuses the same calls; the rule is there to say why",
    "R-LOP-30": "it answers only where a row is missing, and then the row is named",
}
"""Rules that no mutant breaks."""
