"""Each check of the explorer can fail: known-bad worlds of two or three places."""

import pytest

from fencepost.exploring.breadth import Breadth, Budget
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.picture import STATES_MAX, mermaid
from fencepost.exploring.progress import Answer
from fencepost.exploring.rendering import findings_as_json, names_of, render_findings
from fencepost.exploring.scopes import scope_named
from fencepost.exploring.toys import Arrow, Toy, toy_property
from fencepost.faults import UsageFault
from fencepost_spec.operation import Kind

OWED = {"here": frozenset({"somebody"})}
NEVER = toy_property("nothing of the kind ever happens", Kind.ALWAYS)


def owed_in(*places: str) -> dict[str, frozenset[str]]:
    """Return where somebody is owed something."""
    return dict.fromkeys(places, frozenset({"somebody"}))


def progress_of(toy: Toy, *, symmetry: bool = True) -> tuple[Answer, list[str], list[str]]:
    """Return the answer to the one promise of progress, and the names on its counterexample."""
    (found,) = explore(toy, symmetry=symmetry).eventually
    if found.lasso is None:
        return found.asked.answer, [], []
    return found.asked.answer, names_of(found.lasso.way), names_of(found.lasso.round)


# Always and deadlock.


def test_a_place_that_nothing_leads_out_of_is_a_deadlock() -> None:
    """The shortest way to a deadlock is told."""
    found = explore(Toy({"here": (Arrow("stay", "here"), Arrow("go", "there"))}))

    assert (found.states, found.transitions, found.deadlocks) == (2, 2, 1)
    assert found.deadlock is not None
    assert names_of(found.deadlock.deeds) == ["go"]
    assert (found.exit_code, found.verdict) == (1, "does not conform")


def test_a_place_where_only_a_bound_is_in_the_way_is_no_deadlock() -> None:
    """What the scope cuts off would have gone on."""
    cut = Arrow("go further", None, marks=("places",))
    found = explore(Toy({"here": (Arrow("go", "there"),), "there": (cut,)}))

    assert (found.deadlocks, found.cut, found.exit_code) == (0, {"places": 1}, 0)


def test_a_broken_always_is_found_with_the_fewest_actions() -> None:
    """A way of two steps by the participant is shorter than one of two actions."""
    wrong = Arrow("go wrong", "there", own=True, breaks=NEVER)
    toy = Toy(
        {
            "here": (Arrow("far", "far"), Arrow("alone", "alone", own=True)),
            "far": (Arrow("go wrong", "there", breaks=NEVER), Arrow("back", "here")),
            "alone": (wrong, Arrow("back", "here")),
            "there": (Arrow("go", "here"),),
        },
        always=(NEVER,),
    )
    found = explore(toy)

    (always,) = found.always
    assert always.broken is not None
    assert names_of(always.broken.deeds) == ["(alone)", "(go wrong)"]
    assert (always.broken.actions, always.broken.state) == (0, "alone")
    assert found.exit_code == 1
    assert "there" not in [found.graph.parts(node)[0] for node in range(found.states)]


def test_a_nearer_way_that_is_met_later_is_taken() -> None:
    """A state that an action reached first and the participant reaches in the same level."""
    toy = Toy(
        {
            "here": (Arrow("jump", "there"), Arrow("walk", "midway", own=True)),
            "midway": (Arrow("walk on", "there", own=True),),
            "there": (Arrow("go wrong", "here", breaks=NEVER),),
        },
        always=(NEVER,),
    )
    (always,) = explore(toy).always

    assert always.broken is not None
    assert names_of(always.broken.deeds) == ["(walk)", "(walk on)", "go wrong"]
    assert always.broken.actions == 1


# Eventually.


def test_a_lasso_is_found_and_told() -> None:
    """Somebody is owed something in both places of a round."""
    toy = Toy(
        {"start": (Arrow("begin", "here"),), "here": (Arrow("go", "there"), Arrow("pay", "paid")),
         "there": (Arrow("come back", "here"), Arrow("pay", "paid")), "paid": ()},
        begin="start",
        owing=owed_in("here", "there"),
        weak=frozenset({"walk"}),
    )  # fmt: skip
    answer, way, around = progress_of(toy)

    assert (answer, way, around) == (Answer.BROKEN, ["begin"], [])


def test_whoever_is_assumed_to_walk_walks_round() -> None:
    """When walking has to be taken, the counterexample goes round and does not stand still."""
    go, back = Arrow("go", "there", fair="walk"), Arrow("come back", "here", fair="walk")
    pay = Arrow("pay", "paid", fair="pay")
    both = owed_in("here", "there")
    arrows = {"here": (go, pay), "there": (back,), "paid": (Arrow("x", "paid"),)}

    walks = Toy(arrows, owing=both, weak=frozenset({"walk"}))
    assert progress_of(walks) == (Answer.BROKEN, [], ["go", "come back"])
    # Paying is not possible there, so weak fairness does not force it; strong fairness does.
    weakly = Toy(arrows, owing=both, weak=frozenset({"walk", "pay"}))
    assert progress_of(weakly) == (Answer.BROKEN, [], ["go", "come back"])
    strongly = Toy(arrows, owing=both, weak=frozenset({"walk"}), strong=frozenset({"pay"}))
    assert progress_of(strongly)[0] is Answer.HOLDS


def test_strong_fairness_finds_the_part_that_avoids_what_it_forces() -> None:
    """A round that never comes to where paying is possible is fair, inside one that does."""
    arrows = {
        "here": (Arrow("go", "there", fair="walk"), Arrow("pay", "paid", fair="pay")),
        "there": (Arrow("back", "here", fair="walk"), Arrow("on", "yonder", fair="walk")),
        "yonder": (Arrow("home", "there", fair="walk"),),
        "paid": (Arrow("x", "paid"),),
    }
    everywhere = owed_in("here", "there", "yonder")
    toy = Toy(arrows, owing=everywhere, weak=frozenset({"walk"}), strong=frozenset({"pay"}))

    assert progress_of(toy) == (Answer.BROKEN, ["go"], ["on", "home"])


def test_what_stays_possible_is_taken_in_the_end() -> None:
    """Progress holds when paying is possible in every place of the round."""
    pay = Arrow("pay", "paid", fair="pay")
    arrows = {
        "here": (Arrow("go", "there", fair="walk"), pay),
        "there": (Arrow("come back", "here", fair="walk"), pay),
        "paid": (Arrow("x", "paid"),),
    }
    both = owed_in("here", "there")

    assert progress_of(Toy(arrows, owing=both, weak=frozenset({"pay"})))[0] is Answer.HOLDS
    assert progress_of(Toy(arrows, owing=both))[0] is Answer.BROKEN
    assert progress_of(Toy(arrows, owing={"nowhere": frozenset({"x"})}))[0] is Answer.NEVER


def test_a_cut_that_hides_progress_is_reported_as_cut() -> None:
    """Where the payment is cut off, the promise neither holds nor is broken."""
    cut = Arrow("pay", None, fair="pay", marks=("money",))
    toy = Toy({"here": (Arrow("wait", "here"), cut)}, owing=OWED, weak=frozenset({"pay"}))
    found = explore(toy)
    (asked,) = found.eventually

    assert (asked.asked.answer, asked.asked.cut, found.cut) == (Answer.CUT, 1, {"money": 1})
    assert found.exit_code == 0
    assert "cut, so open" in render_findings(found, subject="toy", colour=False, width=100)


# Sometimes.


def test_the_shortest_story_is_told_and_a_mark_between_spoils_it() -> None:
    """Marks follow one another in some trace; what may not come between sends it back."""
    arrows = {
        "here": (Arrow("a", "there", marks=("one",)),),
        "there": (Arrow("crash", "apart", marks=("crash",)), Arrow("b", "yonder")),
        "apart": (Arrow("c", "here", marks=("two",)),),
        "yonder": (Arrow("d", "yonder2"),),
        "yonder2": (Arrow("e", "here", marks=("two",)),),
    }
    told = explore(Toy(arrows, stories=(("one", "two"),)))
    spoiled = explore(Toy(arrows, stories=(("one", "two"),), without=frozenset({"crash"})))
    untold = explore(Toy(arrows, stories=(("two", "three"), ("two", "one", "one"))))

    assert [names_of(one.deeds or ()) for one in told.sometimes] == [["a", "crash", "c"]]
    assert [names_of(one.deeds or ()) for one in spoiled.sometimes] == [["a", "b", "d", "e"]]
    assert told.exit_code == spoiled.exit_code == 0
    assert [one.deeds is None for one in untold.sometimes] == [False]
    never = explore(Toy(arrows, stories=(("three",),)))
    assert [one.deeds for one in never.sometimes] == [None]
    assert never.exit_code == 1


# Budgets and pictures.


def line_of(places: int) -> Toy:
    """Return a world of so many places, one after another, and a way back at the end."""
    arrows = {str(n): (Arrow("on", str(n + 1)),) for n in range(places - 1)}
    return Toy(arrows | {str(places - 1): (Arrow("back", "0"),)}, "0")


def small(found: Findings) -> tuple[bool, int, str]:
    """Return whether a walk was stopped, and how it is reported."""
    return found.stopped is not None, found.exit_code, found.verdict


@pytest.mark.parametrize(
    "budget", [Budget(seconds=0.0), Budget(memory=1), Budget(states=10)], ids=str
)
def test_a_budget_that_is_used_up_is_inconclusive(budget: Budget) -> None:
    """A walk that did not come to its end proves nothing."""
    told: list[int] = []
    found = explore(
        line_of(200), budget=budget, progress=lambda states, _edges, _deep: told.append(states)
    )

    assert small(found) == (True, 3, "inconclusive")
    assert found.states < 200
    assert told
    assert small(explore(line_of(200))) == (False, 0, "conforms")


@pytest.mark.parametrize("plain", [False, True])
def test_what_is_told_on_the_way_counts_what_the_end_counts(plain: bool) -> None:
    """Transitions that the scope cuts off are counted neither here nor there."""
    told: list[tuple[int, int]] = []
    world = scope_named("agent-tiny-crash").world(None)

    def tell(states: int, transitions: int, _deep: int) -> None:
        assert (states, transitions) == (walk.graph.states, walk.graph.transitions)
        told.append((states, transitions))

    walk = Breadth(world, progress=tell, plain=plain)
    walked = walk.walk()
    assert walked.cut
    assert told[-1][1] <= walked.graph.transitions


def test_a_small_graph_is_drawn_and_a_large_one_is_refused() -> None:
    """Every place and arrow stands in the picture; of too many there is none."""
    cut = Arrow("no more", None, marks=("places",))
    stays = Arrow("stay", "there")
    toy = Toy({"here": (Arrow("go", "there", own=True),), "there": (stays, cut)})
    text = mermaid(explore(toy).graph)

    assert text.splitlines() == [
        "flowchart TD",
        '    s0["here"]',
        '    s1["there"]',
        '    s0 -.->|"go"| s1',
        '    s1 --x|"cut: places"| c1(( ))',
    ]
    with pytest.raises(UsageFault, match="too many"):
        mermaid(explore(line_of(STATES_MAX + 1)).graph)


def test_findings_are_told_to_programs_too() -> None:
    """The JSON has the numbers and the counterexample of the text."""
    toy = Toy({"here": (Arrow("wait", "here"),)}, owing=OWED)
    told = findings_as_json(explore(toy), "toy")

    assert (told["states"], told["exit_code"]) == (1, 1)
    (asked,) = told["eventually"]
    assert asked["lasso"] == {
        "subject": "somebody", "first": [], "then_for_ever": [], "state": "here"
    }  # fmt: skip


def test_what_is_over_in_the_end_is_on_no_round() -> None:
    """A class that is not taken for ever leads there, and nobody goes round by it."""
    haste = Arrow("hurry", "there", fair="haste")
    back = Arrow("back", "here", fair="walk")
    pays = Arrow("pay", "paid", fair="pay")
    arrows = {"here": (haste, pays), "there": (back,), "paid": (Arrow("rest", "paid"),)}
    both = {"here": frozenset({"x"}), "there": frozenset({"x"})}
    weak = frozenset({"walk", "pay"})

    # It hurries whenever it could pay, so that paying is never possible for long.
    assert progress_of(Toy(arrows, owing=both, weak=weak))[0] is Answer.BROKEN
    patient = Toy(arrows, owing=both, weak=weak, never=frozenset({"haste"}))
    assert progress_of(patient)[0] is Answer.HOLDS

    ways = {"here": (haste, Arrow("walk", "there", fair="walk")), "there": (back,)}
    toy = Toy(ways, owing=both, weak=weak, never=frozenset({"haste"}))
    assert progress_of(toy) == (Answer.BROKEN, [], ["walk", "back"])
