"""The oracle: says whether a participant that obeys the rules could have made a trace.

`Oracle` takes lines one at a time; `judge_file` reads a file and explains what it finds.
"""

from fencepost.agent.faulting import Inconclusive
from fencepost.agent.oracle import Oracle, Refusal
from fencepost.judging import judge, judge_file

__all__ = ["Inconclusive", "Oracle", "Refusal", "judge", "judge_file"]
