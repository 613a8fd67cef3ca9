"""Record and replay: real replies kept as files, and any path run from them without a network."""

import json
from dataclasses import dataclass
from pathlib import Path

from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.contracts.calls import ModelReply, ModelRequest
from memassay.schemas.errors import AuthorError, UsageError
from memassay.schemas.hashing import canonical_json
from memassay.schemas.values.redaction import redact


@dataclass(frozen=True)
class Recordings:
    """Where the replies of a run are recorded to, or replayed from; by default neither.

    One file a request, named by its key. A run that replays calls nobody.

    Attributes:
        record: Folder that takes every reply.
        replay: Folder that gives them.
    """

    record: Path | None = None
    replay: Path | None = None

    def __post_init__(self) -> None:
        """Refuse to replay from a folder that is not there.

        Raises:
            UsageError: There is none.
        """
        if self.replay is not None and not self.replay.is_dir():
            raise UsageError(f"{self.replay}: expected a folder of recorded replies, got none")

    def keep(self, request: ModelRequest, task: str, reply: ModelReply) -> None:
        """Record a reply, if this run records."""
        if self.record is None:
            return
        file = _file(self.record, request.key)
        if not file.is_file():
            document = canonical_json(
                {"task": task, "request": request.model_dump(), "reply": reply.model_dump()}
            )
            write_durably(file, redact(document).encode("utf-8", "surrogatepass"))

    def has(self, request: ModelRequest) -> bool:
        """Whether the reply to a request can be replayed."""
        return self.replay is not None and _file(self.replay, request.key).is_file()

    def find(self, request: ModelRequest, task: str) -> ModelReply:
        """The recorded reply to a request.

        Raises:
            AuthorError: There is none: the recipe, a prompt or the library has changed since.
        """
        assert self.replay is not None
        try:
            document = json.loads(_file(self.replay, request.key).read_bytes())
        except FileNotFoundError:
            raise AuthorError(
                f"expected a recorded reply to task {task}, got none of key {request.key[:12]} in "
                f"{self.replay}; record again",
                reason="unreachable",
            ) from None
        return ModelReply.model_validate(document["reply"])


def _file(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"
