"""The estimate of ledger-first mode: every history is written, a tally is kept of its prompts."""

from collections.abc import Sequence

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.question import QAItem
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.paths.m3exam.estimates.tallies import EstimatedWording
from memassay.synth.paths.m3exam.question_wording import WordedQuestionStage, batches
from memassay.synth.paths.m3exam.recipe import NAME, M3ExamRecipe
from memassay.synth.paths.m3exam.tasks.wording import WordedQuestion, WordedQuestions
from memassay.synth.tallies import Tallies
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.telling.wording import GrammarWording
from memassay.synth.world.casting import cast
from memassay.synth.world.maker import WorldMaker


def told_tallies(
    recipe: M3ExamRecipe,
    personas: Personas,
    name: str,
    asking: QuestionStage,
    open_context: OpenContext,
) -> Tallies:
    """What one history asks, its questions included; its world is the one the run will have."""
    persona = personas.by_id[name]
    drawn = open_context("timeline", name).random
    told = cast(persona, recipe.history_sizes, drawn, recipe.history_dials)
    world = WorldMaker(persona, drawn).make(told.cards)
    context = open_context("dialogue", name)
    teller = Storyteller(persona, world.facts, context.blobs, context.random, NAME)
    wording = EstimatedWording.over(GrammarWording(persona, context.random), teller.scenery)
    teller.wording = wording
    made = teller.tell(world.events)
    if isinstance(asking, WordedQuestionStage):
        records = [made.conversation, *made.assets, *made.mentions, *world.events, *world.facts]
        _count_questions(asking, records, open_context("questions", name), wording.tallies)
    return wording.tallies


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
