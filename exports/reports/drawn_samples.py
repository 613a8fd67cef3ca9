"""Samples of a release, drawn by id from a few columns of its tables: no record is read.

Equal releases give equal samples, whatever their size costs to read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from memassay.exports.release.reader import Release
from memassay.exports.release.reading.owned_rows import Row, column_rows_of
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.records.asset import Availability

PICTURES: Final = 24
ROUNDS: Final = 8
QUESTIONS_OF_A_TYPE: Final = 2

_ATTACHMENT: Final = "sessions.rounds.turns.attachments"


class Sample(NamedTuple):
    """One sample: the id of an attachment or a round of a conversation, or of a question."""

    conversation: str
    name: str


@dataclass(frozen=True)
class Samples:
    """What was drawn.

    Attributes:
        pictures: Attachments that are pictures, in the order in which they are shown.
        rounds: Rounds, in the order of the release.
        questions: Questions, by type.
    """

    pictures: list[Sample]
    rounds: list[Sample]
    questions: list[Sample]

    def conversations(self) -> list[str]:
        """Ids of the conversations that they are from, in natural order."""
        every = (*self.pictures, *self.rounds, *self.questions)
        return sorted({one.conversation for one in every}, key=natural_key)


def draw_samples(release: Release) -> Samples:
    """Draw the samples of a release.

    Raises:
        ReleaseError: A file is not readable as Parquet.
    """
    random = Random(int(release.manifest.content_sha256[:16], 16))
    pictures, rounds = _history(release)
    return Samples(
        random.sample(pictures, min(PICTURES, len(pictures))),
        [rounds[at] for at in sorted(random.sample(range(len(rounds)), min(ROUNDS, len(rounds))))],
        _questions(release, random),
    )


def _history(release: Release) -> tuple[list[Sample], list[Sample]]:
    """All pictures and all rounds, in the order of the release."""
    shown = _pictures(release)
    columns = ["id", "sessions.rounds.id", f"{_ATTACHMENT}.id", f"{_ATTACHMENT}.asset"]
    pictures, rounds = list[Sample](), list[Sample]()
    for talk in column_rows_of(release.folder, "conversations", columns):
        for one in _rounds(talk):
            rounds.append(Sample(talk["id"], one["id"]))
            pictures += [
                Sample(talk["id"], each["id"])
                for turn in one["turns"]
                for each in turn["attachments"]
                if each["asset"] in shown
            ]
    return pictures, rounds


def _rounds(talk: Row) -> Iterator[Row]:
    for session in talk["sessions"]:
        yield from session["rounds"]


def _pictures(release: Release) -> set[str]:
    """Ids of the assets that have pixels in the release."""
    columns = ["id", "availability", "media_type"]
    return {
        row["id"]
        for row in column_rows_of(release.folder, "assets", columns)
        if row["availability"] == Availability.PRESENT
        and (row["media_type"] or "").startswith("image/")
    }


def _questions(release: Release, random: Random) -> list[Sample]:
    """Some of every type."""
    by_type: dict[str, list[Sample]] = {}
    for row in column_rows_of(release.folder, "questions", ["id", "benchmark_type"]):
        own = by_type.setdefault(row["benchmark_type"], [])
        own.append(Sample(conversation_of(row["id"]), row["id"]))
    drawn = (
        random.sample(by_type[code], min(QUESTIONS_OF_A_TYPE, len(by_type[code])))
        for code in sorted(by_type)
    )
    return [sample for own in drawn for sample in own]
