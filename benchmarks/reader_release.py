"""What an evaluator gets of a release, read with pyarrow alone, for the independent reader.

Nothing of the package is imported. The ledger, the private transcriptions and the queries are
left unread; of the gold only its values are taken, to compare with.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_CONTEXT: Final = 4
"""Rounds before a round in its session that tell what it is about."""


@dataclass(frozen=True)
class Shown:
    """An image or page of a round.

    Attributes:
        id: Of its attachment, e.g. `D3:IMG_001`.
        caption: Public words about it.
        page: 1-based, for a page of a document.
        data: The encoded picture.
    """

    id: str
    caption: str
    page: int | None
    data: bytes


@dataclass(frozen=True)
class ReadRound:
    """A round: the date of its session, what is said, what is shown, what was said just before."""

    id: str
    date: str | None
    turns: tuple[str, ...]
    shown: tuple[Shown, ...]
    before: tuple[str, ...] = ()

    @property
    def position(self) -> tuple[int, int]:
        """Session and number, for the order of time."""
        session, _, number = self.id.partition(":")
        return int(session.removeprefix("D")), int(number)


@dataclass(frozen=True)
class Item:
    """A question with its gold and the rounds it cites.

    Attributes:
        id: Record id.
        conversation: Record id of its conversation.
        code: Type in the paper's code, e.g. `ss`.
        question: Its words.
        values: The gold.
        rounds: Cited rounds in the order of time.
        form: How it is to be answered, e.g. `choice`.
        options: Letter (or `True`, `False`) and text of each option; empty for open questions.
    """

    id: str
    conversation: str
    code: str
    question: str
    values: tuple[str, ...]
    rounds: tuple[ReadRound, ...]
    form: str = ""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Read:
    """A release: all rounds by conversation, and the questions."""

    rounds: dict[str, list[ReadRound]]
    items: list[Item]


def table_rows(folder: Path, config: str, columns: list[str]) -> list[dict[str, Any]]:
    """The rows of a table of a release, its shards in order.

    Raises:
        FileNotFoundError: The folder holds no such table.
    """
    import pyarrow.parquet as pq

    place = config if config.startswith("public/") else f"data/{config}"
    shards = sorted((folder / place).glob("*.parquet"))
    if not shards:
        raise FileNotFoundError(f"{folder}: expected {place}/*.parquet, got none")
    return [row for shard in shards for row in pq.read_table(shard, columns=columns).to_pylist()]


def read_release(folder: Path) -> Read:
    """Read the texts, dates, pictures and questions of a release.

    Raises:
        FileNotFoundError: The folder is no release.
    """
    # What is shown has its bytes there; in older releases all has them in `assets`.
    images = "public/images" if (folder / "public" / "images").is_dir() else "assets"
    by_hash = {
        row["blob_sha256"]: row["image"]["bytes"]
        for row in table_rows(folder, images, ["blob_sha256", "image"])
        if row["image"] and row["image"]["bytes"]
    }
    pictures = {
        row["id"]: by_hash[row["blob_sha256"]]
        for row in table_rows(folder, "assets", ["id", "blob_sha256"])
        if row["blob_sha256"] in by_hash
    }
    rounds = {
        row["id"]: list(_rounds(row["sessions"], pictures))
        for row in table_rows(folder, "conversations", ["id", "sessions"])
    }
    columns = ["id", "conversation", "benchmark_type", "question", "answers", "evidence"]
    columns += ["answer_format", "options"]
    items = []
    for row in table_rows(folder, "questions", columns):
        by_id = {each.id: each for each in rounds[row["conversation"]]}
        cited = sorted((by_id[one] for one in row["evidence"]), key=lambda each: each.position)
        items.append(
            Item(
                id=row["id"],
                conversation=row["conversation"],
                code=row["benchmark_type"],
                question=row["question"],
                values=tuple(row["answers"]),
                rounds=tuple(cited),
                form=row["answer_format"],
                options=tuple((one["label"], one["text"]) for one in row["options"] or ()),
            )
        )
    return Read(rounds, items)


def _rounds(sessions: list[dict[str, Any]], pictures: dict[str, bytes]) -> Iterator[ReadRound]:
    for session in sessions:
        before: list[str] = []
        for each in session["rounds"]:
            shown = [
                Shown(one["id"], one["caption"] or "", one["page"], pictures[one["asset"]])
                for turn in each["turns"]
                for one in turn["attachments"]
                if one["asset"] in pictures
            ]
            texts = tuple(turn["text"] or "" for turn in each["turns"])
            near = tuple(before[-_CONTEXT:])
            yield ReadRound(each["id"], session["date"], texts, tuple(shown), near)
            before.append(" ".join(texts))
