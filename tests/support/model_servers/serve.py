"""A model server by hand, as its protocol has it.

    export PYTHONPATH=tests
    python tests/support/model_servers/serve.py openai --port 8800 --release RELEASE
    python tests/support/model_servers/serve.py gemini --port 8801 --latency 0.2 --fault 429=0.05

With a release, which the simulator wrote, it answers the tasks of both modes from what that tells;
without one it writes guest sessions, and else anything that fits the schema asked for. Faults are
shares of the requests; `--wrong 'speaker 2'` writes guest sessions that are wrong in a way of
`support.guest_replies`.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, get_args

from aiohttp import web

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memassay.exports import open_release
from support.guest_replies import WRONG, GuestWriter
from support.model_servers.asked import Answer, Asked
from support.model_servers.batches import GeminiBatchServer, OpenAIBatchServer
from support.model_servers.faults import Fault, Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.simulated import SimulatedAuthor


def _fault(text: str) -> tuple[str, str]:
    name, _, rest = text.partition("=")
    if name not in get_args(Fault):
        known = ", ".join(get_args(Fault))
        raise argparse.ArgumentTypeError(f"expected one of {known}, then = and a share or a text")
    return name, rest


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("protocol", choices=["openai", "gemini"])
    parser.add_argument("--port", type=int, default=8800)
    parser.add_argument("--release", type=Path, help="Folder of a release to answer from.")
    parser.add_argument("--latency", type=float, default=0.0, help="Seconds before each answer.")
    parser.add_argument("--fault", type=_fault, action="append", default=[], help="e.g. 500=0.05")
    parser.add_argument(
        "--always",
        type=_fault,
        action="append",
        default=[],
        help="A fault that messages with a text meet, e.g. '500=You are Wei' (chat).",
    )
    parser.add_argument("--retry-after", type=float, default=0.1, help="Seconds that a 429 asks.")
    parser.add_argument("--wrong", choices=sorted(WRONG), help="How guest sessions are wrong.")
    parser.add_argument("--key", action="append", help="The only keys that are let in.")
    parser.add_argument("--model", action="append", help="The only models that are known.")
    parser.add_argument("--log", type=Path, help="File that takes a line for each request.")
    return parser.parse_args()


def _logged(answer: Answer, file: Path) -> Answer:
    def answered(asked: Asked) -> Any:
        with file.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"system": asked.system, "text": asked.text}) + "\n")
        return answer(asked)

    return answered


def main() -> None:
    """Serve until interrupted."""
    asked = _arguments()
    answer: Answer = GuestWriter(asked.wrong)
    if asked.release is not None:
        answer = SimulatedAuthor(list(open_release(asked.release).bundles()))
    if asked.log is not None:
        answer = _logged(answer, asked.log)
    faults = Faults(
        asked.latency,
        {name: float(share) for name, share in asked.fault},
        asked.retry_after,
        {text: fault for fault, text in asked.always},
    )
    server: OpenAIServer | GeminiServer
    if asked.protocol == "gemini":
        server = GeminiServer(faults, answer)
        GeminiBatchServer(server)
    else:
        server = OpenAIServer(faults, answer)
        OpenAIBatchServer(server)
    server.valid_keys = set(asked.key) if asked.key else None
    server.models = set(asked.model) if asked.model else None
    web.run_app(server.app, host="127.0.0.1", port=asked.port)


if __name__ == "__main__":
    main()
