"""A model server that reads items and sessions as a test says, and what a command makes of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from memassay.cli import main
from memassay.flows.store.record_folder import write_records
from support.fixtures import bundle, item, numbered, refusal, talk
from support.model_servers.asked import Answer, Asked
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

RIGHT: dict[str, Any] = {"steps": "", "defects": [], "better": "", "verdict": "right"}
QUIET: dict[str, Any] = {"steps": "", "defects": []}
Read = Callable[[Any], Any]
"""What a model says of an item, as it is shown one, or of the session of an id."""


def item_records(folder: Path, number: int = 2) -> Path:
    """Records of items with another gold than the evidence, and one refusal."""
    wasps = numbered(
        number,
        lambda at: item(f"What does Ann keep, {at}?", [f"{at} wasps" if at > 1 else "wasps"]),
    )
    asked = refusal().model_copy(update={"id": f"talk/Q{number + 1:03d}"})
    made = bundle(talk(), *wasps, asked)
    (folder / "records").mkdir()
    write_records(folder / "records", made.records())
    return folder / "records"


def parts_of(asked: Asked) -> Any:
    """The items that a model is asked about, or the ids of sessions."""
    return json.loads(asked.data()[2])


def id_of(part: Any) -> str:
    """The id that a reply about an item or a session gives."""
    return part if isinstance(part, str) else str(part["id"])


def one_by_one(read: Read) -> Answer:
    """A model that replies so about each part; a text in place of a reply spoils the whole."""

    def answer(asked: Asked) -> Any:
        replies = [(id_of(part), read(part)) for part in parts_of(asked)]
        spoilt = [reply for _, reply in replies if isinstance(reply, str)]
        return spoilt[0] if spoilt else {"replies": [{"id": name} | one for name, one in replies]}

    return answer


@contextmanager
def reader_server(
    folder: Path, read: Read, *, answer: Answer | None = None, **more: Any
) -> Iterator[tuple[OpenAIServer, Path]]:
    """A server whose model reads so, and the file that names it."""
    server = OpenAIServer(answer=answer or one_by_one(read))
    with running(server.app) as address:
        path = folder / "reader.yaml"
        section = {
            "provider": "openai",
            "model": "m",
            "base_url": f"{address}/v1",
            "sessions": False,
        }
        path.write_text(yaml.safe_dump(section | more), encoding="utf-8")
        yield server, path


def validate_read(folder: Path, reader: Path, *options: str, code: int = 0) -> Any:
    """What `validate` says of the records with a reader, as a document."""
    call = ["validate", str(folder / "records"), "--reader", str(reader), "--json"]
    ended = CliRunner().invoke(main, [*call, "--workspace", str(folder / "ws"), *options])
    assert ended.exit_code == code, ended.output
    return json.loads(ended.stdout)


def reader_findings(report: Any) -> list[Any]:
    """The findings of rules on readers."""
    return [one for one in report["findings"] if one["rule"].startswith("reading.")]
