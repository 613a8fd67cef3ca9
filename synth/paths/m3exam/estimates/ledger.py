"""The estimate of ledger-first mode: every history is written, a tally is kept of its prompts."""

from collections.abc import Sequence

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.question import QAItem
from memassay.synth.histories.estimating import wording_tallies
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.paths.m3exam.question_wording import WordedQuestionStage, batches
from memassay.synth.paths.m3exam.recipe import NAME, M3ExamRecipe
from memassay.synth.paths.m3exam.tasks.wording import WordedQuestion, WordedQuestions
from memassay.synth.tallies import Tallies


def told_tallies(
    recipe: M3ExamRecipe,
    personas: Personas,
    name: str,
    asking: QuestionStage,
    open_context: OpenContext,
) -> Tallies:
    """What one history asks, its questions included."""
    persona, sizes, dials = personas.by_id[name], recipe.history_sizes, recipe.history_dials
    tallies, records = wording_tallies(NAME, persona, sizes, dials, open_context)
    if isinstance(asking, WordedQuestionStage):
        _count_questions(asking, records, open_context("questions", name), tallies)
    return tallies


def _count_questions(
    asking: WordedQuestionStage, records: Sequence[Record], context: StageContext, tallies: Tallies
) -> None:
    """Count the requests for the bank of a history, replied to in the plain words."""
    items = [record for record in asking.bank(records, context) if isinstance(record, QAItem)]
    requests = list(batches(items))
    for batch, task in zip(requests, asking.tasks(requests, context.shard), strict=True):
        worded = [
            WordedQuestion(number=at, drafts=[item.question.text] * asking.drafts)
            for at, item in enumerate(batch, start=1)
        ]
        tallies.count(task, WordedQuestions(items=worded).model_dump_json())
