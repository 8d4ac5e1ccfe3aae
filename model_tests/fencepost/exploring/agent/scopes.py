"""The named worlds around an agent, from those that a test walks in seconds to those for a night.

Each tiny one is about one thing and can be walked with and without every reduction.
"""

from fencepost.exploring.agent.scope import CONTROL, AgentScope

_FIELDS = ("execution_generation", "result_identity", "result_digest")

AGENT_SCOPES: tuple[AgentScope, ...] = (
    AgentScope(
        "agent-tiny",
        "one run, two boundaries, one checkpoint that may be written",
        boundaries=2,
        shows=("R-SOM-1", "R-SOM-4", "R-SOM-5"),
    ),
    AgentScope(
        "agent-tiny-results",
        "one run, its results and receipts, a lost reply, one checkpoint",
        lost=1,
        ops=("prepare", "resume", "completion-receipt"),
        events=(),
        ends=("completed",),
        results=("plain", "null"),
        wrong_receipts=_FIELDS,
        shows=("R-SOM-3",),
    ),
    AgentScope(
        "agent-tiny-pair",
        "two runs that may be exchanged, one checkpoint, a batch of receipts",
        rollouts=2,
        ops=("prepare", "resume", "retire", "acknowledge-completed"),
        events=(),
        ends=("completed",),
        shows=("R-SOM-14",),
    ),
    AgentScope(
        "agent-tiny-ids",
        "no work: two checkpoint ids that may be exchanged, storage that fails once",
        rollouts=1,
        checkpoints=2,
        faults=1,
        ops=("prepare", "status", "commit", "restore", "resume"),
        events=(),
        ends=(),
        failing=("prepare", "records", "manifest", "after_manifest", "read"),
    ),
    AgentScope(
        "agent-tiny-crash",
        "one rollout, a crash anywhere, its record restored and continued",
        attempts=2,
        crashes=1,
        ops=("prepare", "commit", "restore", "resume", "discard-restored-continuation"),
        ends=("failed",),
        shows=("R-SOM-2", "R-SOM-6", "R-SOM-11", "R-SOM-13"),
    ),
    AgentScope(
        "agent-tiny-waits",
        "one run in external and model waits, refusals, and one checkpoint",
        ops=("prepare", "commit", "resume"),
        events=("boundary", "external", "model", "refusal", "park"),
        ends=("failed",),
        shows=("R-SOM-8", "R-SOM-10"),
    ),
    AgentScope(
        "agent-tiny-retire",
        "one run that is retired, and the attempt that takes its place",
        attempts=2,
        ops=("prepare", "resume", "retire"),
        events=(),
        ends=("failed",),
        shows=("R-SOM-9",),
    ),
    AgentScope(
        "agent-tiny-callers",
        "one run, two callers of one prepare, and one of them goes away",
        repeats=1,
        lost=1,
        repeated=("prepare",),
        ops=("prepare", "resume"),
        ends=("failed",),
        at_once=False,
    ),
    AgentScope(
        "agent-small",
        "two runs, two boundaries, one checkpoint, results and retires",
        rollouts=2,
        boundaries=2,
    ),
    AgentScope(
        "agent-medium-crash",
        "one rollout of three attempts, two checkpoints, a crash and a failure of storage",
        attempts=3,
        checkpoints=2,
        crashes=1,
        faults=1,
        ops=(*CONTROL, "restore"),
        ends=("failed",),
        failing=("manifest",),
    ),
    AgentScope(
        "agent-medium",
        "two rollouts of two attempts, two checkpoints, a crash, a lost reply, failing storage",
        rollouts=2,
        attempts=2,
        boundaries=2,
        checkpoints=2,
        crashes=1,
        lost=1,
        faults=1,
        ops=(*CONTROL, "restore"),
        failing=("records", "manifest", "after_manifest", "read"),
    ),
)
