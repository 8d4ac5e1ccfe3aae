"""Every rule, and every fact with the rules that state it."""

from collections import Counter

from fencepost import catalog
from fencepost.report.fact import Fact
from fencepost.report.fact_list import FACTS
from fencepost.report.markdown import render_page, render_table
from fencepost_spec.rule import Level


def render_rules() -> str:
    """The page of all rules, sorted by id."""
    rules = sorted(catalog.rules(), key=lambda rule: catalog.sort_key(rule.id))
    levels = Counter(rule.level for rule in rules)
    counted = ", ".join(f"{levels[level]} {level.value}" for level in Level)
    rows = (
        (
            f'<a id="{rule.id.lower()}"></a>{rule.id}',
            rule.level.value,
            rule.says,
            rule.source.id,
            ", ".join(rule.facts),
            "; ".join(catalog.places(rule.id)),
        )
        for rule in rules
    )
    sources = dict.fromkeys(rule.source for rule in rules)
    return render_page(
        "Rules",
        f"{len(rules)} rules: {counted}.\n"
        "An id is never given to another rule, and a sentence keeps its meaning; "
        "`model_tests/laws/rules.lock.json` holds both still.\n"
        "`fencepost rules ID` explains one.",
        render_table(("rule", "level", "sentence", "source", "facts", "where used"), rows),
        '## <a id="sources"></a>Sources',
        render_table(("source", "what stands there"), ((s.id, s.title) for s in sources)),
    )


def render_facts() -> str:
    """The page of all facts, with the rules that state each or the reason why none does."""
    stated = catalog.facts()
    silent = [fact for fact in FACTS if fact.number not in stated]
    return render_page(
        "Facts",
        "The numbered facts of the receipts protocol that concern participants and the ledger, "
        "each with the rules that state it.\n"
        f"{len(FACTS) - len(silent)} of {len(FACTS)} are stated by a rule; "
        "each of the others says why it is not.\n"
        "A plain number is a section of what was read, and a letter with a number one statement in "
        "it: I what must always hold, P what must come about, A to D what goes wrong or can, "
        "R questions that were open, G and N what the neighbours of an agent do.\n"
        "Facts of the ledger count anew, after `ledger:`; there A are steps of an attempt, P of a "
        "group, K of an obligation, V what a load validates, L what must come about, B and X what "
        "goes wrong.\n"
        "Where each was read stands with its rules: [sources](rules.md#sources).",
        render_table(("fact", "about", "rules"), (_stated(fact) for fact in FACTS)),
        "## Facts without a rule",
        render_table(
            ("fact", "about", "why"),
            ((fact.number, fact.title, fact.without) for fact in silent),
        ),
    )


def _stated(fact: Fact) -> tuple[str, str, str]:
    rules = sorted(catalog.facts().get(fact.number, ()), key=lambda r: catalog.sort_key(r.id))
    linked = ", ".join(f"[{rule.id}](rules.md#{rule.id.lower()})" for rule in rules)
    return fact.number, fact.title, linked or "none, see below"
