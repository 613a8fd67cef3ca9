"""The stages of stories: histories of personas, asked Mem-Gallery's types of question (§3.1)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import Setting
from memassay.schemas.contracts.protocols import Stage, StageContext
from memassay.schemas.grouping import source_of
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.schemas.judgements.bank import BankTally, tally_id
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.model_wording import WORDING_ROLES
from memassay.synth.histories.personas import Personas, persona_path
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.mem_gallery.kinds import KINDS, REFUSALS
from memassay.synth.paths.mem_gallery.recipe import NAME, MemGalleryRecipe
from memassay.synth.paths.mem_gallery.rows import StoryRow, joined_by, rows_of
from memassay.synth.questions.leanings import CHANCE, Leanings
from memassay.synth.questions.refusing import ask_of_another, with_twins
from memassay.synth.world.casting import Cast
from memassay.synth.world.dials import UNTURNED, Dials
from memassay.synth.world.persona_file import SIDE_EVENTS, PersonaFile
from memassay.synth.world.sizes import Sizes

STAGES: Final = (TimelineStage.name, DialogueStage.name, QuestionStage.name)
"""Names of the stages of stories, in their order."""
_TOLD: Final[dict[str, Personas]] = {}
"""Of the last recipe, by a hash of all that they follow from: whose its conversations are. Several
stages of a run ask for them, and twenty take seconds."""


class StoryTimelineStage(TimelineStage):
    """Timelines of conversations that have sizes of their own."""

    def __init__(
        self, personas: Personas, rows: Mapping[str, StoryRow], dials: Dials = UNTURNED
    ) -> None:
        """Say whose timelines to make, and how long each is."""
        super().__init__(personas, Sizes(), dials)
        self.rows = rows
        # The sizes of a conversation are in the key of its own unit.
        self.config = {"dials": vars(dials)}

    def shards(self) -> dict[str, list[str]]:
        """By conversation, the hashes of its files, and of its sizes."""
        own = {name: content_hash(self.sizes_of(name).config) for name in self.rows}
        return {name: [*files, own[name]] for name, files in super().shards().items()}

    def _report_missed(self, persona: PersonaFile, told: Cast, context: StageContext) -> None:
        # What lessons make up for is nothing to report; they say what is still missing.
        if self.rows[persona.id].whole is None:
            super()._report_missed(persona, told, context)

    def sizes_of(self, conversation: str) -> Sizes:
        """How large its history is."""
        return self.rows[conversation].sizes


class StoryQuestionStage(QuestionStage):
    """The question bank of a story; each refusal has a near miss and an answerable twin.

    A story may have been cut apart and joined again: its sessions say which one it is.
    """

    version = "4"
    reads = QuestionStage.reads | {"question"}

    def __init__(
        self, personas: Personas, rows: Mapping[str, StoryRow], leanings: Leanings = CHANCE
    ) -> None:
        """Say how many of each type every conversation gets, and which are preferred."""
        super().__init__(KINDS, personas, {}, None, leanings)
        self.rows = rows
        self.config["rows"] = {name: dict(row.questions) for name, row in rows.items()}

    def bank(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The proven items and tallies of one conversation."""
        answerable = {code: kind for code, kind in self.kinds.items() if code != REFUSALS}
        made = list(self.bank_of(answerable, records, context))
        items = [one for one in made if isinstance(one, QAItem)]
        asked = sorted({fact for one in items for fact in one.evidence.facts})
        alike = replace(self.kinds[REFUSALS], maker=partial(ask_of_another, asked=asked))
        refused = list(self.bank_of({REFUSALS: alike}, records, context, asked))
        refusals = [one for one in refused if isinstance(one, QAItem)]
        bundle = Bundle.from_records(records)
        paired = {one.id: one for one in with_twins(refusals, items, Ledger(bundle))}
        for record in _count_brought([*made, *refused], bundle):
            yield paired.get(record.id, record)

    def persona_of(self, bundle: Bundle) -> PersonaFile:
        """Whose story it is."""
        return self.personas.by_id[source_of(bundle.conversation)]

    def targets(self, bundle: Bundle) -> dict[str, int]:
        """How many of each type are missing; new sessions have brought theirs along."""
        asked = Counter(str(one.benchmark_type) for one in bundle.questions)
        wanted = self.rows[source_of(bundle.conversation)].questions
        return {code: max(number - asked[code], 0) for code, number in wanted.items()}


def _count_brought(made: Sequence[Record], bundle: Bundle) -> Iterator[Record]:
    """What was made, with tallies that also count what new sessions have brought along."""
    brought = Counter(str(one.benchmark_type) for one in bundle.questions)
    for record in made:
        if isinstance(record, BankTally):
            number = brought.pop(record.code, 0)
            more = {"wanted": record.wanted + number, "kept": record.kept + number}
            yield record.model_copy(update=more)
        else:
            yield record
    for code, number in sorted(brought.items()):
        yield BankTally(
            id=tally_id(bundle.id, code),
            conversation=bundle.id,
            code=code,
            wanted=number,
            kept=number,
        )


def rows_of_recipe(recipe: MemGalleryRecipe, setting: Setting) -> dict[str, StoryRow]:
    """By id, the conversations that a recipe tells."""
    assert recipe.stories is not None
    return rows_of(
        recipe.stories, joined_by(recipe.cluster), setting.folder, recipe.seed, recipe.copies
    )


def lives_of_recipe(
    recipe: MemGalleryRecipe, setting: Setting
) -> tuple[Personas, dict[str, StoryRow]]:
    """The conversations that a recipe tells, and whose they are.

    Raises:
        RecipeError: Numbers do not fit together, or two conversations have one id.
        UsageError: A persona does not exist or does not fit.
    """
    rows = rows_of_recipe(recipe, setting)
    given = [
        [name, row.persona, row.sizes.config, row.whole is None, *row.deck]
        for name, row in rows.items()
    ]
    files = sorted({persona_path(row.persona, setting.folder) for row in rows.values()})
    hashes = [[str(path), file_sha256(path)] for path in (*files, SIDE_EVENTS)]
    key = content_hash([given, recipe.seed, hashes])
    if key not in _TOLD:
        lives = {name: (row.persona, row.retell) for name, row in rows.items()}
        _TOLD.clear()
        _TOLD[key] = Personas.by_conversation(lives, setting.folder)
    return _TOLD[key], rows


def longer_lives(recipe: MemGalleryRecipe, setting: Setting) -> Personas:
    """Whose the conversations are that a recipe tells, with what they do not tell yet."""
    rows = rows_of_recipe(recipe, setting)
    lives = {name: (row.persona, row.with_rest) for name, row in rows.items()}
    return Personas.by_conversation(lives, setting.folder)


def telling_stages(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    """Timeline and dialogue of every conversation."""
    personas, rows = lives_of_recipe(recipe, setting)
    titles = {name: row.title for name, row in rows.items() if row.title}
    return [
        StoryTimelineStage(personas, rows, recipe.story_dials.of_history),
        DialogueStage(NAME, personas, recipe.models(WORDING_ROLES), titles),
    ]


def asking_stages(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    """The question bank of every conversation, what was cut apart joined again."""
    personas, rows = lives_of_recipe(recipe, setting)
    return [StoryQuestionStage(personas, rows, recipe.story_dials.leanings)]
