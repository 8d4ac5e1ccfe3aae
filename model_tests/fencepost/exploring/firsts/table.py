"""The tiny scope in which each named mutant is seen in few actions, by part.

A test walks each of these scopes; what is seen after one or two actions is asked of all others too.
"""

from collections.abc import Mapping

Where = Mapping[str, Mapping[str, str]]
"""The scope by part and mutant."""

OTHERWISE: Where = {
    "agent": {
        "resume leaves a waiting prepare at work": "agent-tiny-elsewhere",
        "a stale wake moves work that a later prepare counted": "agent-tiny-parks",
        "restore over live work": "agent-tiny-damaged",
        "work parks when no prepare is active": "agent-tiny-parks",
        "no watermark": "agent-tiny-crash",
        "a restored record that nobody claimed is not written": "agent-tiny-again",
        "a failing wait ends its run inside a checkpoint": "agent-tiny-waits",
        "a refused duplicate run ends the live one": "agent-tiny-results",
        "an unclaimed restored record is neither written nor freed": "agent-tiny-again",
        "a prepare that missed its deadline forgets its id and stays closed": "agent-tiny-nameless",
        "a null result can never be released": "agent-tiny-results",
        "a repeated prepare is refused after the commit": "agent-tiny-elsewhere",
        "a commit into another directory answers as the first did": "agent-tiny-elsewhere",
        "a wait entered while a park is requested fails the run": "agent-tiny-waits",
        "a frozen model wait lets its reply through": "agent-tiny-waits",
        "a retired run still answers with its result": "agent-tiny-refused",
        "retire forgets a handler that still runs": "agent-tiny-refused",
        "an acknowledgement cannot be repeated after a retire": "agent-tiny-refused",
        "runs without identity are neither fenced nor counted": "agent-tiny-nameless",
        "an admitted run never starts its handler": "agent-tiny-results",
        "a prepare waits past its deadline": "agent-tiny",
        "resumed work is never woken": "agent-tiny",
        "a commit stops between two storage steps": "agent-tiny",
        "resume leaves admission closed": "agent-tiny-results",
        "prepare leaves admission open": "agent-tiny-results",
        "a commit overwrites what lies in its directory": "agent-tiny-ids",
        "a damaged directory is restored as if it were empty": "agent-tiny-damaged",
        "a manifest that could not be written is visible": "agent-tiny-ids",
        "a restore installs the first record only": "agent-tiny-records",
        "a restore tells its own id for its source": "agent-tiny-ids",
        "a commit into another directory writes again": "agent-tiny-elsewhere",
        "a commit writes a step ahead of the boundary": "agent-tiny",
        "a storage step that fails is taken for done": "agent-tiny-ids",
        "a replacement's first boundary repeats the index of its continuation": "agent-tiny-same",
        "a continuation is handed over and kept": "agent-tiny-again",
        "retire drops a finished result": "agent-tiny-pair",
        "a repeated retire is an error": "agent-tiny-retire",
        "a retire that reaches its deadline loses its handler": "agent-tiny-retire",
        "a refused batch releases its good receipts": "agent-tiny-refused",
        "a batch tells only what it released now": "agent-tiny-batch",
        "a repeated run gets another result": "agent-tiny-results",
        "a receipt is told only while the fence is at rest": "agent-tiny-results",
        "a retire of live work says that it has finished": "agent-tiny-retire",
        "an acknowledged key is only refused": "agent-tiny-results",
        "an answer is given twice": "agent-tiny-ids",
        "a prepare that cannot close admission says that it did": "agent-tiny-ids",
        "a prepare ends with the caller that began it": "agent-tiny-callers",
        "a resumed id can be used again": "agent-tiny-ids",
        "capabilities say idle while a checkpoint is open": "agent-tiny-capabilities",
    },
    "ledger": {
        "acknowledges whole cohorts only": "ledger-tiny-wrong",
        "reads missing keys as null": "ledger-tiny-files",
        "passes over unknown keys": "ledger-tiny-files",
        "reads any version": "ledger-tiny-files",
        "saves a uuid": "ledger-tiny",
        "takes any result": "ledger-tiny-wrong",
        "keeps what is given up": "ledger-tiny",
        "reruns sealed siblings": "ledger-tiny-restart",
        "needs no cut": "ledger-tiny-wrong",
        "names rollouts by prompt": "ledger-tiny-wrong",
        "records once": "ledger-tiny-wrong-cohort",
        "burns reserved attempts": "ledger-tiny-files",
        "admits one group": "ledger-tiny-admission",
        "releases a part": "ledger-tiny-wrong",
        "remembers what it refused": "ledger-tiny-wrong-cohort",
        "seals half a cohort": "ledger-tiny-wrong-cohort",
        "numbers attempts again": "ledger-tiny",
        "forgets what is owed with the group": "ledger-tiny",
        "forgets what is owed for abandoned work": "ledger-tiny-cohort",
        "forgets the mask": "ledger-tiny-masked",
        "forgets staged rows": "ledger-tiny-wrong",
        "owes the next attempt": "ledger-tiny-wrong-cohort",
        "owes the next attempt of sealed work": "ledger-tiny-siblings",
        "is never safe": "ledger-tiny-files",
        "forgets the shortfall": "ledger-tiny-files",
        "saves debts in any order": "ledger-tiny-wrong-cohort",
        "binds prompts by itself": "ledger-tiny-files",
    },
    "resources": {
        "resume during prepare": "resources-tiny-storing",
        "failed prepare says idle": "resources-tiny-start",
        "uncertain for ever": "resources-tiny-parting",
        "snapshot of a retired session": "resources-tiny-retire",
        "retire answers at once": "resources-tiny-parting",
        "retire refuses late": "resources-tiny-parting",
        "late result is a success": "resources-tiny-parting",
        "starts are not counted": "resources-tiny-start",
        "commit writes again": "resources-tiny-ids",
        "refused restore closes": "resources-tiny-modes",
        "installs before the hook": "resources-tiny-install",
        "never compares agents": "resources-tiny-agents",
        "finds no agents": "resources-tiny-agents",
        "failure raises the revision": "resources-tiny-outcomes",
        "refused request changes": "resources-tiny-requests",
        "lock is leaked": "resources-tiny-parting",
        "read makes uncertain": "resources-tiny-outcomes",
        "replay tells the present": "resources-tiny-requests",
        "start goes on from what was restored": "resources-tiny-afresh",
        "starts open": "resources-tiny-crash",
        "no check again under the lock": "resources-tiny-parting",
        "prepare never ends unprepared": "resources-tiny-start",
        "prepare never ends prepared": "resources-tiny-storing",
        "retire never gives up": "resources-tiny-parting",
        "retired session stays": "resources-tiny-parting",
        "storage never ends": "resources-tiny-storing",
        "lock is never handed on": "resources-tiny-parting",
        "control queues behind handlers": "resources-tiny-start",
    },
    "model": {
        "late prepare": "model-tiny",
        "new rows only": "model-tiny-crash",
        "failed restore opens": "model-tiny-ids",
        "cancelled is gone": "model-tiny-aborts",
        "one more call": "model-tiny",
        "closes when drained": "model-tiny",
        "parked before stale": "model-tiny-aborts",
        "copies before it checks": "model-tiny-copies",
        "leaves copies": "model-tiny-copies",
        "refuses its own commit": "model-tiny-ids",
        "writes over": "model-tiny-ids",
        "nonsense is restored": "model-tiny-nonsense",
        "aborts only live": "model-tiny-aborts",
        "restore opens": "model-tiny-ids",
        "nameless is uncounted": "model-tiny-nameless",
        "never drains": "model-tiny",
        "never cancels": "model-tiny-aborts",
        "never stores": "model-tiny",
        "never answers": "model-tiny-auxiliary",
        "deaf status": "model-tiny",
    },
    "world": {},
}
"""Where a mutant does otherwise than the intended core."""

BREAKS: Where = {
    "agent": {
        "resume leaves a waiting prepare at work": "agent-tiny-capabilities",
        "a stale wake moves work that a later prepare counted": "agent-tiny-parks",
        "restore over live work": "agent-tiny-damaged",
        "work parks when no prepare is active": "agent-tiny-parks",
        "no watermark": "agent-tiny-same",
        "a restored record that nobody claimed is not written": "agent-tiny-again",
        "an unclaimed restored record is neither written nor freed": "agent-tiny-again",
        "a prepare that missed its deadline forgets its id and stays closed": "agent-tiny-parks",
        "a null result can never be released": "agent-tiny-results",
        "a retired run still answers with its result": "agent-tiny-refused",
        "runs without identity are neither fenced nor counted": "agent-tiny-nameless",
        "an admitted run never starts its handler": "agent-tiny",
        "a prepare waits past its deadline": "agent-tiny",
        "resumed work is never woken": "agent-tiny",
        "a restore installs the first record only": "agent-tiny-records",
        "a commit into another directory writes again": "agent-tiny-elsewhere",
        "a replacement's first boundary repeats the index of its continuation": "agent-tiny-same",
        "a refused batch releases its good receipts": "agent-tiny-refused",
    },
    "ledger": {
        "acknowledges whole cohorts only": "ledger-tiny-wrong-cohort",
        "reads missing keys as null": "ledger-tiny-files",
        "saves a uuid": "ledger-tiny-wrong",
        "takes any result": "ledger-tiny-wrong",
        "keeps what is given up": "ledger-tiny-wrong",
        "reruns sealed siblings": "ledger-tiny-restart",
        "records once": "ledger-tiny-wrong-cohort",
        "admits one group": "ledger-tiny-admission",
        "remembers what it refused": "ledger-tiny-wrong-cohort",
        "seals half a cohort": "ledger-tiny-wrong-cohort",
        "numbers attempts again": "ledger-tiny",
        "forgets what is owed with the group": "ledger-tiny",
        "forgets what is owed for abandoned work": "ledger-tiny-cohort",
        "forgets staged rows": "ledger-tiny-wrong",
        "owes the next attempt": "ledger-tiny-wrong-cohort",
        "owes the next attempt of sealed work": "ledger-tiny-siblings",
    },
    "resources": {
        "resume during prepare": "resources-tiny-storing",
        "uncertain for ever": "resources-tiny-parting",
        "snapshot of a retired session": "resources-tiny-late",
        "retire refuses late": "resources-tiny-parting",
        "starts are not counted": "resources-tiny-start",
        "commit writes again": "resources-tiny-ids",
        "installs before the hook": "resources-tiny-install",
        "never compares agents": "resources-tiny-agents",
        "finds no agents": "resources-tiny-agents",
        "failure raises the revision": "resources-tiny-outcomes",
        "refused request changes": "resources-tiny-requests",
        "no check again under the lock": "resources-tiny-parting",
        "prepare never ends unprepared": "resources-tiny-start",
        "prepare never ends prepared": "resources-tiny-storing",
        "retire never gives up": "resources-tiny-parting",
        "retired session stays": "resources-tiny-parting",
        "storage never ends": "resources-tiny-storing",
        "lock is never handed on": "resources-tiny-parting",
        "control queues behind handlers": "resources-tiny-start",
    },
    "model": {
        "late prepare": "model-tiny",
        "new rows only": "model-tiny-crash",
        "cancelled is gone": "model-tiny-aborts",
        "one more call": "model-tiny-aborts",
        "closes when drained": "model-tiny-aborts",
        "copies before it checks": "model-tiny-copies",
        "leaves copies": "model-tiny-copies",
        "writes over": "model-tiny-ids",
        "aborts only live": "model-tiny-aborts",
        "restore opens": "model-tiny-crash",
        "never drains": "model-tiny",
        "never stores": "model-tiny-ids",
        "never answers": "model-tiny-auxiliary",
    },
    "world": {
        "acknowledges only whole groups": "world-tiny-cohort",
        "acknowledges only at the end of a group": "world-tiny-cohort",
        "seals first and records later": "world-tiny-referee-lost",
        "reruns after a lost reply without retiring": "world-tiny-lost",
        "reruns what it could adopt": "world-tiny-lost",
        "lets a group go and forgets its attempts": "world-tiny-stale",
        "acknowledges another receipt": "world-tiny-referee",
        "removes an obligation without an answer": "world-tiny-referee-outbox",
        "dispatches while frozen": "world-tiny-referee-lost",
        "does not flush before prepare": "world-tiny-referee",
        "publishes with a full outbox": "world-tiny-referee-lost",
        "publishes although the step has changed": "world-tiny-steps",
        "publishes after failed storage": "world-tiny-storage",
        "forgets who lost the reply to a prepare": "world-tiny-referee-lost",
        "does not repeat a release": "world-tiny-release",
        "opens the gate before the release is confirmed": "world-tiny-release",
        "commits models first": "world-tiny-referee-model",
    },
}
"""Where a mutant breaks a promise, if it is known to break any."""

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
    "ledger": {},
    "resources": {},
    "model": {},
    "world": {
        "ignores what holds up a prepare": (
            "where a reply is lost it walks the same states as the intended controller; what "
            "else could hold up a prepare is in no tiny world"
        ),
        "takes a new id although the old one is not released": (
            "where a release is lost it walks the same states as the intended controller; a "
            "rollback that fails is in no tiny world"
        ),
        "ignores orphan continuations": (
            "needs a group that goes stale before a crash of all, and no tiny world has both"
        ),
        "writes sessions of attempts that are over": (
            "no promise was found to be broken in the tiny worlds with servers or with a "
            "cohort; not all tiny worlds have been walked"
        ),
        "publishes continuations without their sessions": (
            "no promise was found to be broken in the tiny worlds with servers or with a "
            "cohort; not all tiny worlds have been walked"
        ),
        "keeps continuations that cannot go on": (
            "needs a participant that cannot be restored, and no tiny world has one"
        ),
        "burns reserved attempts": (
            "needs a snapshot of a group that was only reserved, and no tiny world has one"
        ),
        "relaunches reserved groups first": (
            "needs a snapshot that holds a reserved group beside an admitted one"
        ),
        "relaunches in the order of the ledger": (
            "needs a snapshot that holds a reserved group before an admitted one"
        ),
        "owes again what was released, when its cohort is sealed": (
            "no promise was found to be broken in the tiny worlds with servers or with a "
            "cohort; not all tiny worlds have been walked"
        ),
    },
}
"""Why no tiny scope shows a mutant."""
