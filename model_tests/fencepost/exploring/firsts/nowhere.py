"""The named mutants that no tiny scope shows, by part, each with the reason."""

from fencepost.exploring.firsts.table import Where


def _read_wrongly(actions: str) -> str:
    return (
        "it takes a request for another, and a world says what each is; `fencepost check "
        f"resources` sends them as they are, and shows it after {actions}"
    )


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
        "headers are not compared": _read_wrongly("5 actions"),
        "every header is compared": _read_wrongly("10 actions"),
        "content types are compared as written": _read_wrongly("5 actions"),
        "cookies are compared as written": _read_wrongly("5 actions"),
        "a put changes the session": _read_wrongly("1 action"),
        "ends like a verification": _read_wrongly("4 actions"),
        "begins like a read": _read_wrongly("4 actions"),
        "only one path of tools": _read_wrongly("2 actions"),
        "attempts are cut": (
            "needs attempt ten of a rollout; a told case of `fencepost check resources` has it, "
            "and shows it after 2 actions"
        ),
    },
    "model": {},
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
