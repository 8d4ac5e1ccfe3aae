"""The named mutants that no tiny scope shows, by part, each with the reason."""

from fencepost.exploring.firsts.table import Where

_VALUES = "no tiny ledger is told such values; the told cases of `fencepost check ledger` are"
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
        "keeps half of a reward": _VALUES,
        "keeps named members of a manifest": _VALUES,
        "drops shortfalls of zero": _VALUES,
        "orders siblings as texts": _VALUES,
        "orders attempts as texts": _VALUES,
        "takes step zero for none": _VALUES,
        "never owes again": _VALUES,
        "gives up three groups": _VALUES,
        "hears one source": _VALUES,
        "lets one canonical group go": _VALUES,
        "saves failed as abandoned": _VALUES,
        "admits for step none": _VALUES,
        "reads one digit of an attempt": _VALUES,
        "leaves out task_source when null": _VALUES,
        "leaves out target_step when null": _VALUES,
        "leaves out manifest_capture_key when null": _VALUES,
        "leaves out terminal_model_call_id when null": _VALUES,
        "reads a group without task_source": _VALUES,
        "reads a group without resolved_agent_name": _VALUES,
        "reads a group without target_step": _VALUES,
        "reads an attempt without receipt": _VALUES,
        "reads an attempt without completion_receipt": _VALUES,
        "reads an attempt without reward": _VALUES,
        "reads an attempt without mask_sample": _VALUES,
        "reads an attempt's receipt without manifest_capture_key": _VALUES,
        "reads an attempt's receipt without terminal_model_call_id": _VALUES,
        "reads an obligation's receipt without manifest_capture_key": _VALUES,
        "reads an obligation's receipt without terminal_model_call_id": _VALUES,
        "confirms whatever the agent_name": _VALUES,
        "confirms whatever the execution_generation": _VALUES,
        "confirms whatever the result_digest": _VALUES,
        "confirms whatever the manifest_capture_key": _VALUES,
        "confirms whatever the terminal_model_call_id": _VALUES,
        "seals again whatever the reward": _VALUES,
        "seals again whatever the execution_generation": _VALUES,
        "seals again whatever the result_digest": _VALUES,
        "seals again whatever the manifest_capture_key": _VALUES,
        "seals again whatever the terminal_model_call_id": _VALUES,
    },
    "resources": {
        "only 200 is a success": _WORDS,
        "a redirection fails": _WORDS,
        "400 is a success": _WORDS,
        "500 is a success": _WORDS,
        "everything is answered again as 200": _WORDS,
        "headers are not compared": _WORDS,
        "every header is compared": _WORDS,
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
