"""The stages of stories: histories of personas, asked Mem-Gallery's types of question (§3.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import Setting
from memassay.schemas.contracts.protocols import Stage, StageContext
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.model_wording import WORDING_ROLES
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.mem_gallery.kinds import KINDS, REFUSALS
from memassay.synth.paths.mem_gallery.recipe import NAME, MemGalleryRecipe
from memassay.synth.questions.refusing import ask_of_another, with_twins

STAGES: Final = (TimelineStage.name, DialogueStage.name, QuestionStage.name)
"""Names of the stages of stories, in their order."""


class StoryQuestionStage(QuestionStage):
    """The question bank of a story; each refusal has a near miss and an answerable twin."""

    version = "2"

    def bank(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The proven items and tallies of one persona."""
        answerable = {code: kind for code, kind in self.kinds.items() if code != REFUSALS}
        made = list(self.bank_of(answerable, records, context))
        items = [one for one in made if isinstance(one, QAItem)]
        asked = sorted({fact for one in items for fact in one.evidence.facts})
        alike = replace(self.kinds[REFUSALS], maker=partial(ask_of_another, asked=asked))
        refused = list(self.bank_of({REFUSALS: alike}, records, context, asked))
        refusals = [one for one in refused if isinstance(one, QAItem)]
        known = Ledger(Bundle.from_records(records))
        paired = {one.id: one for one in with_twins(refusals, items, known)}
        for record in (*made, *refused):
            yield paired.get(record.id, record)


def story_stages(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    """Timeline, dialogue and questions of the personas of a recipe that tells stories."""
    assert recipe.stories is not None
    personas, dials = personas_of(recipe, setting), recipe.story_dials
    wanted = recipe.stories.asked_in_words
    return [
        TimelineStage(personas, recipe.stories.history_sizes, dials.of_history),
        DialogueStage(NAME, personas, recipe.models(WORDING_ROLES)),
        StoryQuestionStage(KINDS, personas, wanted, None, dials.leanings),
    ]


def personas_of(recipe: MemGalleryRecipe, setting: Setting) -> Personas:
    """Whose stories a recipe tells."""
    assert recipe.stories is not None
    a_round = recipe.stories.history_sizes.images_a_round
    return Personas(recipe.stories.personas, setting.folder, recipe.copies, a_round)
