"""What a model is asked for while a question bank is written: eight types (M3Exam A.3)."""

from memassay.schemas.contracts.authors import Task
from memassay.synth.drafting.bank import Request
from memassay.synth.extraction.question_tasks import ItemDrafts
from memassay.synth.questions.kinds import QuestionKind


def questions(kind: QuestionKind, request: Request) -> Task[ItemDrafts]:
    """Questions of a type about a window of rounds."""
    inputs = {
        "user_name": request.user_name,
        "rounds": request.rounds,
        "facts": request.facts,
        "count": str(request.count),
    }
    return Task(
        kind.prompt, inputs, ItemDrafts, request.images, record=request.record, draw=request.draw
    )
