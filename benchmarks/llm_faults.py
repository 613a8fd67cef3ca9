"""What faults cost: the same records against a clean server and against one that fails.

5 % of the answers are 429 with `Retry-After`, 5 % are 500, 1 % malformed, 1 % cut off, and one
record always fails. Prints the span of both runs, their ratio, and which records failed::

    python benchmarks/llm_faults.py --records 1000

The server is the one of the tests, in a process of its own; the driver is ours as a run has it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LATENCY = 0.2
CONCURRENCY = 64
POISONED = "record 7 of"


def serve() -> None:
    """Serve until killed: `--serve PORT faulty|clean`."""
    sys.path.insert(0, str(ROOT / "tests"))
    from aiohttp import web
    from support.model_servers.faults import Faults
    from support.model_servers.openai_server import OpenAIServer

    faults = Faults(latency=LATENCY)
    if sys.argv[3] == "faulty":
        rates = {"429": 0.05, "500": 0.05, "malformed": 0.01, "cut": 0.01}
        faults = Faults(
            latency=LATENCY, rates=rates, retry_after=0.5, always={POISONED: "500"}, seed=3
        )
    server = OpenAIServer(faults)
    web.run_app(server.app, host="127.0.0.1", port=int(sys.argv[2]), print=lambda _: _say("up"))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run(url: str, records: int) -> tuple[float, list[str]]:
    """Seconds that the records took, and what became of those that failed."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.flows_driving import pool, write_all

    from memassay.schemas.contracts.author_sections import ModelSection

    model = ModelSection(
        provider="openai", model="m", base_url=f"{url}/v1", concurrency=CONCURRENCY
    )
    texts = [f"record {record} of {records}" for record in range(records)]
    with tempfile.TemporaryDirectory() as folder, pool(Path(folder), model) as authors:
        begun = time.monotonic()
        written = write_all(authors, texts)
        seconds = time.monotonic() - begun
    said = zip(texts, written, strict=True)
    return seconds, [f"{text}: {reply}" for text, reply in said if not reply.startswith("word")]


def main() -> None:
    """Run both and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--port", type=int, default=8798)
    asked = parser.parse_args()
    os.environ["OPENAI_API_KEY"] = "none"
    spans = {}
    for position, mode in enumerate(("clean", "faulty")):
        port = asked.port + position
        command = [sys.executable, __file__, "--serve", str(port), mode]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            server.stdout.readline()
            try:
                spans[mode], failed = run(f"http://127.0.0.1:{port}", asked.records)
            finally:
                server.terminate()
        _say(f"{mode}: {spans[mode]:.2f} s for {asked.records} records, failed: {failed or 'none'}")
    _say(f"faulty over clean: {spans['faulty'] / spans['clean']:.2f}")


if __name__ == "__main__":
    {"--serve": serve}.get(sys.argv[1] if len(sys.argv) > 1 else "", main)()
