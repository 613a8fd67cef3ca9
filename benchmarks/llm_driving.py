"""How fast, and at what cost in CPU, memory and start-up, models are driven.

One run measures, against a local server with a fixed latency, our driver with cache, ledger and
validation on, the bare `openai` client and a raw `aiohttp` loop, each in a process of its own::

    python benchmarks/llm_driving.py --records 1000 --steps 1
    python benchmarks/llm_driving.py --records 500 --steps 3 --memory

The span runs from the first request to the last answer as the server sees them; ideal is
``ceil(records / concurrency) * steps * latency``. With ``--memory`` ours runs once more with 20
times the records, to show that its peak memory does not grow with them.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
CONCURRENCY = 64
LATENCY = 0.2
WORDS = "word " * 200


def serve() -> None:
    """The server: answers at once after its latency, and tells the span of what it saw."""
    from aiohttp import web

    seen: list[float] = []
    reply = {"role": "assistant", "content": json.dumps({"summary": "blue"}), "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "message": reply, "logprobs": None}
    usage = {"prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    answer = json.dumps({**body, "choices": [choice], "usage": usage}).encode()

    async def chat(request: web.Request) -> web.Response:
        await request.read()
        seen.append(time.monotonic())
        await asyncio.sleep(LATENCY)
        seen.append(time.monotonic())
        return web.Response(body=answer, content_type="application/json")

    async def span(_request: web.Request) -> web.Response:
        told = {"span": max(seen) - min(seen), "calls": len(seen) // 2}
        seen.clear()
        return web.json_response(told)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_get("/span", span)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[2]), print=_say)


def _say(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _ready(url: str) -> float:
    """After one call, with everything imported: the CPU seconds so far; the server forgets it."""
    with urlopen(f"{url}/span") as answer:
        answer.read()
    return time.process_time()


Work = Callable[[int], Awaitable[Any]]


def ours(url: str, records: int, steps: int) -> float:
    """Our driver; gives the CPU seconds at the moment work begins."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.flows_driving import pool, task

    from memassay.schemas.contracts.author_sections import ModelSection
    from memassay.schemas.contracts.calls import CallTrace

    section = ModelSection(
        provider="openai", model="m", base_url=f"{url}/v1", concurrency=CONCURRENCY
    )
    with tempfile.TemporaryDirectory() as folder, pool(Path(folder), section) as authors:

        async def work(record: int) -> None:
            trace = CallTrace("benchmark")
            for step in range(steps):
                await authors.write(task(f"{record} {step} {WORDS}"), trace)

        for _ in authors.each([-1], work):
            pass
        begun = _ready(url)
        for _ in authors.each(range(records), work):
            pass
    return begun


def _prompt(record: int, step: int) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": WORDS},
        {"role": "user", "content": f"{record} {step} {WORDS}"},
    ]


def bare(url: str, records: int, steps: int) -> float:
    """The bare `openai` client with its aiohttp transport."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    async def main() -> float:
        client = AsyncOpenAI(
            base_url=f"{url}/v1", max_retries=0, http_client=DefaultAioHttpClient()
        )

        async def work(record: int) -> None:
            for step in range(steps):
                messages: Any = _prompt(record, step)
                await client.chat.completions.create(model="m", messages=messages)

        await work(-1)
        begun = _ready(url)
        await _pooled(records, work)
        await client.close()
        return begun

    return asyncio.run(main())


def raw(url: str, records: int, steps: int) -> float:
    """A raw `aiohttp` loop."""
    import aiohttp

    async def main() -> float:
        connector = aiohttp.TCPConnector(limit=CONCURRENCY)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def work(record: int) -> None:
                for step in range(steps):
                    body = {"model": "m", "messages": _prompt(record, step)}
                    async with session.post(f"{url}/v1/chat/completions", json=body) as answer:
                        await answer.json()

            await work(-1)
            begun = _ready(url)
            await _pooled(records, work)
            return begun

    return asyncio.run(main())


async def _pooled(records: int, work: Work) -> None:
    numbers = iter(range(records))

    async def worker() -> None:
        for number in numbers:
            await work(number)

    await asyncio.gather(*[worker() for _ in range(CONCURRENCY)])


DRIVERS = {"ours": ours, "bare openai": bare, "raw aiohttp": raw}


def measure() -> None:
    """One driver in this process; prints what it took as JSON."""
    _, _, name, url, records, steps = sys.argv
    os.environ["OPENAI_API_KEY"] = "none"
    started = time.monotonic()
    begun = DRIVERS[name](url, int(records), int(steps))
    calls = int(records) * int(steps)
    cpu = time.process_time()
    told = {
        "wall": time.monotonic() - started,
        "cpu_per_1000": (cpu - begun) / calls * 1000,
        "cpu_with_start": cpu / calls * 1000,
        "start_cpu": begun,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    _say(json.dumps(told))


def _measured(name: str, url: str, records: int, steps: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", name, url, str(records), str(steps)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    with urlopen(f"{url}/span") as answer:
        seen = json.load(answer)
    assert seen["calls"] == records * steps, seen
    ideal = -(-records // CONCURRENCY) * steps * LATENCY
    return {"span": seen["span"] / ideal, **told, "wall": told["wall"] / ideal}


def main() -> None:
    """Measure all drivers against one server and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--port", type=int, default=8797)
    parser.add_argument("--memory", action="store_true", help="Ours again with 20 times as many.")
    asked = parser.parse_args()
    url = f"http://127.0.0.1:{asked.port}"
    command = [sys.executable, __file__, "--serve", str(asked.port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            _table(url, asked)
        finally:
            server.terminate()


def _table(url: str, asked: argparse.Namespace) -> None:
    _say(f"{asked.records} records of {asked.steps} steps, {CONCURRENCY} at once, {LATENCY} s")
    _say(
        "driver            span/ideal  wall/ideal  CPU s/1000  with start-up  start CPU s  peak MB"
    )
    runs = [(name, asked.records) for name in DRIVERS]
    runs += [("ours", asked.records * 20)] if asked.memory else []
    for name, records in runs:
        told = _measured(name, url, records, asked.steps)
        label = name if records == asked.records else f"{name}, {records}"
        _say(
            f"{label:<18}{told['span']:>10.2f}{told['wall']:>12.2f}{told['cpu_per_1000']:>12.2f}"
            f"{told['cpu_with_start']:>15.2f}{told['start_cpu']:>13.2f}{told['peak_mb']:>9.0f}",
        )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    {"--serve": serve, "--measure": measure}.get(mode, main)()
