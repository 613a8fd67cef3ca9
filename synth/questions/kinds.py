"""Question kinds: all that a bank must know of a type of question, in one place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.constraints import Constraint
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.windows import WindowShape

Maker = Callable[[History, Random], Iterator[Draft]]
"""Makes drafts from a written history, as many as it holds."""


@dataclass(frozen=True)
class QuestionKind:
    """One type of question.

    Attributes:
        code: The benchmark's code.
        type: The nearest type of our taxonomy.
        maker: Who makes drafts from the ledger.
        window: How much of a history one question may need.
        constraints: What defines the type; drafts that breach one are dropped.
        prompt: Task by which a model is asked for such questions.
        format_prompt: What a reader is shown of the form of the answer.
        format: Form of every answer, where the type has one.
        modalities: Where answers are read, unless a draft says otherwise.
        images: Fewest images of a session that a window for a model shows.
        limit: How many questions may be about one fact from the start.
        most: How many may be about one fact when no fresh one is left.
    """

    code: str
    type: QuestionType
    maker: Maker
    window: WindowShape
    constraints: tuple[Constraint, ...] = ()
    prompt: str = ""
    format_prompt: str | None = None
    format: AnswerFormat | None = None
    modalities: tuple[Modality, ...] = (Modality.TEXT,)
    images: int = 0
    limit: int = 1
    most: int = 3
