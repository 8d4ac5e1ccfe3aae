"""The named worlds around a controller, each tiny one about one thing."""

from fencepost.exploring.world.scope import Left, WorldScope
from fencepost_reference.receipts.controller.actions import Submit
from fencepost_reference.worlds.setting import Setting

_ONE = (Submit("g1", 1, "sibling", "a1"),)
_SIBLINGS = (Submit("g1", 2, "sibling", "a1"),)
_COHORT = (Submit("g1", 2, "prompt_group", "a1"),)

WORLD_SCOPES: tuple[WorldScope, ...] = (
    WorldScope(
        "world-tiny",
        "one group of one rollout, snapshots for ever, nothing goes wrong",
        groups=_ONE,
        left=Left(groups=1),
    ),
    WorldScope(
        "world-tiny-cohort",
        "a prompt group of two siblings that recovers as a whole, and one of them fails",
        groups=_COHORT,
        boundaries=False,
        left=Left(groups=1, fails=1),
    ),
    WorldScope(
        "world-tiny-lost",
        "one rollout, and the answer of its run or of its receipt is lost",
        groups=_ONE,
        left=Left(groups=1, lost=1),
        lossy=("run", "completion-receipt", "retire"),
        shows=("R-WSO-1",),
    ),
    WorldScope(
        "world-tiny-release",
        "one rollout, and the release of a checkpoint is lost",
        groups=_ONE,
        left=Left(groups=1, lost=1),
        lossy=("resume",),
        shows=("R-WSO-3",),
    ),
    WorldScope(
        "world-tiny-storage",
        "one rollout, and a step of writing a snapshot fails",
        groups=_ONE,
        left=Left(groups=1, disk_faults=1, faults=1),
        failing=("manifest",),
    ),
    WorldScope(
        "world-tiny-crash",
        "two siblings that recover one by one, and the controller crashes",
        groups=_SIBLINGS,
        boundaries=False,
        left=Left(groups=1, controller_crashes=1),
    ),
    WorldScope(
        "world-tiny-both",
        "two siblings that recover one by one, and everybody crashes together",
        groups=_SIBLINGS,
        boundaries=False,
        left=Left(groups=1, whole_crashes=1),
        shows=("R-WSO-2", "R-WSO-5"),
    ),
    WorldScope(
        "world-tiny-agent",
        "one rollout, and its agent crashes",
        groups=_ONE,
        left=Left(groups=1, agent_crashes=1),
    ),
    WorldScope(
        "world-tiny-stale",
        "one rollout, its group goes stale",
        groups=_ONE,
        left=Left(groups=1, stale=1),
    ),
    WorldScope(
        "world-tiny-model",
        "one rollout with a model call and a change at a resources server, in the same world",
        setting=Setting(models=("policy",), resources=("tools",), model_calls=1, changes=1),
        groups=_ONE,
        left=Left(groups=1),
    ),
    WorldScope(
        "world-tiny-referee",
        "a referee watches a cohort of two, one of which fails, and one snapshot",
        groups=_COHORT,
        boundaries=False,
        snapshots=False,
        watched=True,
        left=Left(groups=1, snapshots=1, fails=1),
    ),
    WorldScope(
        "world-tiny-referee-lost",
        "a referee watches one rollout, one snapshot, and an answer that is lost",
        groups=_ONE,
        snapshots=False,
        watched=True,
        left=Left(groups=1, snapshots=1, lost=1),
        lossy=("run", "completion-receipt", "retire", "prepare", "commit", "resume"),
    ),
    WorldScope(
        "world-tiny-referee-crash",
        "a referee watches one rollout, two snapshots, and a crash of all",
        groups=_ONE,
        snapshots=False,
        watched=True,
        left=Left(groups=1, snapshots=2, whole_crashes=1),
    ),
    WorldScope(
        "world-tiny-fallback",
        "one rollout, a snapshot that fails half-way, and a crash of all: the one before counts",
        groups=_ONE,
        boundaries=False,
        left=Left(groups=1, disk_faults=1, whole_crashes=1),
        shows=("R-WSO-4", "R-WSO-5"),
    ),
    WorldScope(
        "world-tiny-impatient",
        "one rollout, and deadlines that may come at any time",
        groups=_ONE,
        patient=False,
        left=Left(groups=1),
    ),
    WorldScope(
        "world-small",
        "two siblings that recover one by one, a failure, an answer that is lost, a crash of all",
        groups=_SIBLINGS,
        boundaries=False,
        left=Left(groups=1, fails=1, lost=1, whole_crashes=1),
        lossy=("run", "completion-receipt"),
        shows=("R-WSO-1", "R-WSO-2"),
    ),
    WorldScope(
        "world-small-cohort",
        "two siblings that recover as a whole, a failure, a crash of their agent",
        groups=_COHORT,
        boundaries=False,
        left=Left(groups=1, fails=1, agent_crashes=1),
    ),
    WorldScope(
        "world-medium",
        "two groups on two agents, one of each kind, and nearly everything that goes wrong, once",
        setting=Setting(agents=("a1", "a2"), keep=2),
        groups=(Submit("g1", 2, "sibling", "a1"), Submit("g2", 2, "prompt_group", "a2")),
        left=Left(
            groups=2,
            steps=1,
            stale=1,
            fails=1,
            lost=1,
            agent_crashes=1,
            whole_crashes=1,
            disk_faults=1,
            faults=1,
            drops=1,
        ),
        lossy=("run", "completion-receipt", "retire", "prepare", "commit", "resume"),
        failing=("manifest",),
    ),
)
