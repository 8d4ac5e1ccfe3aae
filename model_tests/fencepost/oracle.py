"""The oracle: says whether a participant that obeys the rules could have made a trace.

`Oracle` takes lines one at a time; `judge_file` reads a file and explains what it finds.
"""

from fencepost.agent.oracle import Oracle
from fencepost.judges import Refusal
from fencepost.judging import judge, judge_file
from fencepost.mismatch import Inconclusive

__all__ = ["Inconclusive", "Oracle", "Refusal", "judge", "judge_file"]
