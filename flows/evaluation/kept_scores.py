"""Keeps the scores of conversations in a folder, so that an interrupted evaluation goes on."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from memassay.exports.lifecycle.scores import ConversationScores
from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.errors import UsageError

_STATED = "evaluation.json"


class ScoresFolder:
    """A folder with a file for each conversation that is done."""

    def __init__(self, folder: Path, asked: dict[str, Any]) -> None:
        """Open a folder, making it if it is not there.

        Args:
            folder: The folder.
            asked: What is evaluated and how; its scores are of nothing else.

        Raises:
            UsageError: The folder holds something else.
        """
        self._folder = folder / "conversations"
        stated = folder / _STATED
        text = json.dumps(asked, indent=2, sort_keys=True) + "\n"
        known = stated.read_text("utf-8") if stated.is_file() else ""
        if known != text and (known or _has_files(folder)):
            what = "another evaluation" if known else "something else"
            raise UsageError(
                f"--out {folder}: expected a new folder or this evaluation, got {what}; name "
                "another folder"
            )
        write_durably(stated, text.encode())

    def get(self, conversation: str) -> ConversationScores | None:
        """The scores of a conversation, if it is done."""
        file = self._file(conversation)
        if not file.is_file():
            return None
        try:
            return ConversationScores.model_validate_json(file.read_bytes())
        except ValidationError:
            return None  # of an older version: it is done again

    def put(self, scores: ConversationScores) -> None:
        """Keep the scores of a conversation."""
        write_durably(self._file(scores.conversation), scores.model_dump_json().encode())

    def _file(self, conversation: str) -> Path:
        return self._folder / f"{conversation}.json"


def _has_files(folder: Path) -> bool:
    """Whether a folder has anything but what a broken-off write of ours left."""
    return folder.exists() and any(not file.name.startswith(".") for file in folder.iterdir())
