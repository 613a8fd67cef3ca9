"""Record and replay: real replies kept as files, and any path run from them without a network."""

import json
from dataclasses import dataclass
from pathlib import Path

from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.contracts.authors import ModelCaller
from memassay.schemas.contracts.calls import ModelReply, ModelRequest
from memassay.schemas.errors import AuthorError, UsageError
from memassay.schemas.hashing import canonical_json
from memassay.schemas.values.redaction import redacted


class Recorder:
    """Writes every reply to a folder, one file a request, named by its key."""

    def __init__(self, caller: ModelCaller, folder: Path) -> None:
        """Record what a caller gets."""
        self.caller = caller
        self.folder = folder

    async def call(self, request: ModelRequest, task: str) -> ModelReply:
        """The caller's reply, kept."""
        reply = await self.caller.call(request, task)
        file = _file(self.folder, request.key)
        if not file.is_file():
            document = canonical_json(
                {"task": task, "request": request.model_dump(), "reply": reply.model_dump()}
            )
            write_durably(file, redacted(document).encode("utf-8", "surrogatepass"))
        return reply

    def is_stored(self, request: ModelRequest) -> bool:
        """Whether the caller has its reply."""
        return self.caller.is_stored(request)


class Replayer:
    """Gives recorded replies; it never calls anybody."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that `--record` wrote.

        Raises:
            UsageError: There is none.
        """
        if not folder.is_dir():
            raise UsageError(f"{folder}: expected a folder of recorded replies, got none")
        self.folder = folder

    async def call(self, request: ModelRequest, task: str) -> ModelReply:
        """The recorded reply to a request.

        Raises:
            AuthorError: There is none: the recipe, a prompt or the library has changed since.
        """
        file = _file(self.folder, request.key)
        try:
            document = json.loads(file.read_bytes())
        except FileNotFoundError:
            raise AuthorError(
                f"expected a recorded reply to task {task}, got none of key {request.key[:12]} in "
                f"{self.folder}; record again",
                reason="unreachable",
            ) from None
        return ModelReply.model_validate(document["reply"])

    def is_stored(self, request: ModelRequest) -> bool:
        """Whether its reply was recorded."""
        return _file(self.folder, request.key).is_file()


@dataclass(frozen=True)
class Tapes:
    """Where the replies of a run are recorded to, or replayed from; by default neither."""

    record: Path | None = None
    replay: Replayer | None = None


def _file(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"
