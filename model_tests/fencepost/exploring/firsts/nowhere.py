"""The named mutants that no tiny scope shows, by part, each with the reason."""

from fencepost.exploring.firsts.table import Where

_WORDS = "no tiny server is told such words; the told cases of `fencepost check` are"

NOWHERE: Where = {
    "agent": {
        "a started replacement parks without its continuation": (
            "needs a crash, a restore, and then another checkpoint id; a scope with just that"
            " has 16,898 states, and shows it after 10 actions"
        ),
        "a record is restored under a refused attempt": (
            "needs a crash, a retire, and a restore after it; a scope with just that has "
            "86,898 states, and shows it after 7 actions"
        ),
    },
    "ledger": {
        "orders siblings as texts": (
            "needs a group of eleven siblings; a told case of `fencepost check ledger` has it, and "
            "shows it after 4 actions"
        ),
        "orders attempts as texts": (
            "needs an attempt of number ten; a file that `fencepost check ledger` tells of has it, "
            "and it shows after 2 actions"
        ),
        "never owes again": (
            "it remembers what no ledger remembers, and each of its steps is right where a ledger "
            "stands; `fencepost check ledger`, which goes on with one, shows it after 6 actions"
        ),
        "gives up three groups": (
            "needs four groups that were sent out; a told case of `fencepost check ledger` has "
            "them, and shows it after 9 actions"
        ),
        "reads one digit of an attempt": (
            "needs eleven attempts of one sibling; a file that `fencepost check ledger` tells of "
            "has them, and it shows after 1 action"
        ),
    },
    "resources": {
        "only 200 is a success": _WORDS,
        "a redirection fails": _WORDS,
        "400 is a success": _WORDS,
        "500 is a success": _WORDS,
        "everything is answered again as 200": _WORDS,
        "headers are not compared": _WORDS,
        "every header is compared": _WORDS,
        "content types are compared as written": _WORDS,
        "cookies are compared as written": _WORDS,
        "a put changes the session": _WORDS,
        "ends like a verification": _WORDS,
        "begins like a read": _WORDS,
        "only one path of tools": _WORDS,
        "request ids are cut": _WORDS,
        "request ids have no case": _WORDS,
        "rollout ids are cut": _WORDS,
        "attempts are cut": _WORDS,
    },
    "model": {
        "in the middle of a path": _WORDS,
        "only whole paths": _WORDS,
        "a query opens the gate": _WORDS,
        "a slash more": _WORDS,
        "newest rows only": _WORDS,
        "one reason is known": _WORDS,
        "few calls are counted": _WORDS,
        "few keys are refused": _WORDS,
        "few ids are finished": _WORDS,
        "checkpoint ids are cut": _WORDS,
        "rollout ids are cut": _WORDS,
    },
    "world": {
        "ignores what holds up a prepare": (
            "it walks the very graph of the intended controller in every tiny world: nothing holds "
            "up a prepare that the controller has no memory of"
        ),
        "owes again what was released, when its cohort is sealed": (
            "it breaks no promise in any tiny world, and each is walked: the agent answers that "
            "the receipt was given back before, and the obligation goes"
        ),
    },
}
"""Why no tiny scope shows a mutant."""
