"""What the work of a rollout keeps at resources servers: a session each, begun by its first call.

The first call of a server seeds a session, each further one changes it, and a completed run is
verified there, which ends it. What a server refuses for a checkpoint parks the work; anything else
that it refuses fails the run. Each call is written down where it was answered.
"""

from collections.abc import Iterable

from fencepost.controller.agent_part import AgentPart
from fencepost.controller.parts import Part, ResourcesPart
from fencepost.controller.recording import Recording
from fencepost.mismatch import as_object
from fencepost.trace.lines import JsonObject, Work
from fencepost_spec.receipts.resources.refusals import ADMISSION_CLOSED
from fencepost_spec.receipts.resources.routes import (
    HEADER_ATTEMPT,
    HEADER_EXPECTED,
    HEADER_REQUEST,
    HEADER_REVISION,
    HEADER_ROLLOUT,
)
from fencepost_spec.vocabulary import Key

SEED, TOOL, VERIFY = "/seed_session", "/tool", "/verify"
SERVED = "served"


class Tools:
    """The resources servers of a deployment, as the work of its rollouts reaches them."""

    def __init__(self, parts: list[Part], record: Recording) -> None:
        self._servers = {
            part.standing.instance: part for part in parts if isinstance(part, ResourcesPart)
        }
        self._record = record
        self._needed: dict[str, list[str]] = {}

    async def used(self, agent: AgentPart, key: Key, names: Iterable[str]) -> bool:
        """The work of a key calls servers; False when one refuses, and then the work has heard.

        What a rollout needs its task says: an attempt that starts over seeds what one before used.
        """
        known = agent.revisions.setdefault(key, {})
        needed = self._needed.setdefault(key.rollout_id, [])
        asked = tuple(names)
        needed += [name for name in asked if name not in needed]
        for name in needed:
            if name in known and name not in asked:
                continue
            code = await self._called(known, key, name, TOOL if name in known else SEED)
            if code is not None:
                self._refused(agent, key, code)
                return False
        return True

    async def verified(self, agent: AgentPart, key: Key) -> bool:
        """A run that has completed is verified wherever it has a session; False as above."""
        known = agent.revisions.get(key, {})
        for name in tuple(known):
            code = await self._called(known, key, name, VERIFY)
            if code is not None:
                self._refused(agent, key, code)
                return False
            del known[name]
        return True

    @staticmethod
    def _refused(agent: AgentPart, key: Key, code: str) -> None:
        if code == ADMISSION_CLOSED:
            agent.park(key)
        else:
            agent.finish(key, "failed")

    async def _called(self, known: dict[str, int], key: Key, name: str, path: str) -> str | None:
        """One request; the code with which it was refused, or None."""
        server, expected = self._servers[name], known.get(name)
        request: JsonObject = {
            "method": "POST",
            "path": path,
            "rollout": key.capture_key,
            "headers": _headers(key, expected),
            "body": {},
        }
        answer = await server.server.request(request)
        error = as_object(as_object(answer.body).get("error"))
        code = None if answer.status < 400 else str(error.get("code", answer.status))
        if code is None:
            known[name] = int(answer.headers.get(HEADER_REVISION, 0))
        detail = {"path": path, "revision": known.get(name)}
        outcome = "ok" if code is None else {"code": code}
        where = server.standing.at
        self._record.emit(Work(0, SERVED, key.rollout_id, key.attempt, detail, outcome, where))
        return code


def _headers(key: Key, expected: int | None) -> dict[str, str]:
    """The headers of a request: whose it is, which it is, and the revision that it expects.

    A request is named after the revision that it makes, so that a replacement which goes on from an
    earlier one asks for the same again.
    """
    headers = {
        HEADER_ROLLOUT: key.rollout_id,
        HEADER_ATTEMPT: str(key.attempt),
        HEADER_REQUEST: f"{key.rollout_id}-{(expected or 0) + 1}",
    }
    return headers | ({} if not expected else {HEADER_EXPECTED: str(expected)})
