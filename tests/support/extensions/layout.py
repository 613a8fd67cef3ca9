"""A foreign format of lines: a file is a conversation, with one question and its answer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import round_id, session_id, turn_id
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.layouts import Arrangement, Written
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    IMPORTED,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

RULES: Final = RuleRegistry()
EMPTY: Final = RULES.declare("import.toy_empty", Severity.WARNING, "A line says something.", "toy")


class Toy:
    """Text files of lines."""

    name = "toy"
    rules = RULES

    def sources(self, path: Path) -> list[Source]:
        """One file is one conversation."""
        files = sorted(path.glob("*.toy")) if path.is_dir() else [path]
        if not all(file.is_file() for file in files):
            raise SourceError(f"{path}: expected files *.toy, got none")
        return [Source(file.stem, file, 0, (file,)) for file in files]

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:  # noqa: ARG002
        """A round for each line before the question, one question at most."""
        lines = source.path.read_text(encoding="utf-8").splitlines()
        said = [line for line in lines if line and line[:2] not in ("Q:", "A:")]
        asked = {line[0]: line[2:].strip() for line in lines if line[:2] in ("Q:", "A:")}
        blank = f"{source.id}: expected words on every line, got none"
        talk = Conversation(
            id=source.id,
            collection="toy",
            path=IMPORTED,
            speakers=[Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN)],
            sessions=[
                Session(
                    id=session_id(1),
                    index=1,
                    date="2024-03-04",
                    rounds=[_round(at, text) for at, text in enumerate(said, 1)],
                )
            ],
        )
        item = QAItem(
            id=f"{source.id}/Q0001",
            conversation=source.id,
            question=QuestionText(text=asked["Q"]),
            answer=Answer(format=AnswerFormat.FREE, values=[asked["A"]]),
            answerable=True,
            evidence=Evidence(groups=[["D1:1"]], canonical=["D1:1"]),
            type=QuestionType.FACT_RECALL,
            benchmark_type="toy",
            origin=ItemOrigin.IMPORTED,
        )
        findings = [EMPTY.finding(source.id, "", blank, "drop the line")] if "" in lines else []
        return Imported(Bundle(conversation=talk, questions=[item]), tuple(findings))

    def write(self, bundle: Bundle) -> Written:
        """A file for each conversation."""
        (item,) = bundle.questions
        said = [turn.text for turn in bundle.conversation.turns()]
        lines = [*said, f"Q: {item.question.text}", f"A: {item.answer.values[0]}"]
        return Written({f"{bundle.id}.toy": "".join(f"{line}\n" for line in lines)})

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """Side by side."""
        return Arrangement()


def _round(at: int, text: str) -> Round:
    place = round_id("D1", at)
    return Round(
        id=place,
        kind=RoundKind.UTTERANCE,
        turns=[Turn(id=turn_id(place, 1), speaker="ann", text=text)],
    )


FORMAT: Final = Toy()
