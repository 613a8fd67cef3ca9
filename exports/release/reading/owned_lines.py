"""Lines of a log by the conversation that they belong to; none is kept in memory."""

from collections.abc import Iterator
from pathlib import Path

from memassay.exports.release.text_lines import strict_json
from memassay.schemas.errors import RecordError
from memassay.schemas.files import RECORD_LINES, open_file, read_lines
from memassay.schemas.ids import conversation_of


class OwnedLines:
    """The lines of one log, found again by their conversation.

    A log is sorted by the ids of its records, in which one conversation can lie inside another:
    `a-b/x` comes before `a/x`. So it is known where each line begins.
    """

    def __init__(self, path: Path) -> None:
        """Find the lines.

        Raises:
            SourceError: The file cannot be read.
            RecordError: A line is not JSON with an id.
        """
        self._path = path
        self._starts: dict[str, list[tuple[int, int]]] = {}
        start = 0
        for number, line in enumerate(read_lines(path), start=1):
            owner = conversation_of(self._id_of(line, number))
            self._starts.setdefault(owner, []).append((number, start))
            start += len(line)

    def of(self, owner: str) -> Iterator[tuple[int, bytes]]:
        """The lines of a conversation in their order, each with its number from 1."""
        if owner not in self._starts:
            return
        with open_file(self._path, RECORD_LINES) as file:
            for number, start in self._starts[owner]:
                file.seek(start)
                yield number, file.readline()

    def _id_of(self, line: bytes, number: int) -> str:
        try:
            return str(strict_json(line)["id"])
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(
                f"{self._path.name}:{number}: expected JSON with an id, got {error}"
            ) from error
