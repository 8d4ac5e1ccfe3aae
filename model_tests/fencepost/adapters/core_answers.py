"""From a reply of the core to an answer with a body, where no file can tell the rest."""

from collections.abc import Mapping

from fencepost.participant import Answer
from fencepost.trace.lines import Json, JsonObject
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.state import Reply
from fencepost_spec.vocabulary import digest_of

_ARTIFACT: JsonObject = {
    "schema_version": 1,
    "relative_path": "agent/continuations.jsonl",
    "bytes": 0,
}


def answer_of(action: a.Call | a.Run, reply: Reply, results: Mapping[str, Json]) -> Answer:
    """The answer to a call; `results` are those that are retained, by digest."""
    if isinstance(action, a.Run):
        result = None
        if reply.status == 200 and reply.body is not None:
            result = results[reply.body[1]]
        return Answer(*rendering.rendered("run", reply, rendering.Known(result=result)))
    stored: JsonObject = {}
    if action.op in ("commit", "restore") and reply.status == 200:
        counted = dict(reply.body[1])
        index = _ARTIFACT | {"records": counted["continuations"], "sha256": digest_of(counted)}
        stored = {"continuation_index": index}
        if action.op == "commit":
            stored["manifest_digest"] = digest_of(counted)
    known = rendering.Known(action.request.checkpoint_id, stored=stored)
    return Answer(*rendering.rendered(action.op, reply, known))
