"""An agent that is parked, written down, lost in a crash, and continued by another process."""

import asyncio
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from fencepost_reference.runtime import AgentParticipant, Execution
from fencepost_spec.receipts.saved import boundary_record


async def model(prompt: str) -> str:
    await asyncio.sleep(0.02)
    return f"after {prompt}"


async def tool(text: str) -> str:
    await asyncio.sleep(0.01)
    return text.upper()


async def work(run: Execution, body: Mapping[str, Any]) -> Any:
    assert run.key is not None  # Every client of this agent names its rollout.
    state: dict[str, Any] = run.continuation["agent_state"] if run.continuation else {"said": []}
    first = run.continuation["boundary_index"] + 1 if run.continuation else 0
    print(f"attempt {run.attempt} starts at turn {first}")
    for turn in range(first, 4):
        prompt = state["said"][-1] if state["said"] else body["prompt"]
        async with run.model_wait():
            reply = await run.reissue(partial(model, prompt))
        state["said"].append(await tool(reply))
        await run.boundary(boundary_record(run.key, turn, created_at=0, agent_state=state))
    return {"id": "done", **state}


async def main(folder: Path) -> None:
    first = AgentParticipant(handler=work, checkpoint_root=folder)
    client = asyncio.create_task(first.run({"_ng_rollout_id": "r1", "prompt": "hello"}))
    await asyncio.sleep(0.05)
    at = {"checkpoint_id": "c1", "deadline_in": 5.0}
    print("prepare", (await first.control("prepare", at)).body["selected_boundaries"])
    print("commit", (await first.control("commit", at | {"checkpoint_dir": "d1"})).status)
    await first.aclose()
    print("first client:", (await asyncio.gather(client, return_exceptions=True))[0])

    second = AgentParticipant(handler=work, checkpoint_root=folder)
    at = {"checkpoint_id": "restore-1", "deadline_in": 5.0}
    print("restore", (await second.control("restore", at | {"checkpoint_dir": "d1"})).status)
    await second.control("resume", at)
    body = {"_ng_rollout_id": "r1", "_ng_attempt_index": 1, "prompt": "hello"}
    print("run", (await second.run(body)).body)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(main(Path(name)))
