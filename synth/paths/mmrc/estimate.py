"""What writing by models will cost: stages run over stand-ins of usual length, prompts and all."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import SMALL_IMAGE_TOKENS
from memassay.schemas.contracts.paths import Estimate, OpenContext
from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.records.bundle import Bundle
from memassay.synth.extraction.proposals import Checked, Problem
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.extraction.stand_in import Replies, StandIn, StandInContext
from memassay.synth.paths.mmrc.by_model.wording import ModelWording
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.paths.mmrc.dialogues import Dialogues, name_of
from memassay.synth.paths.mmrc.paper.items import AbilityItems
from memassay.synth.paths.mmrc.paper.questions import AbilityDesk
from memassay.synth.paths.mmrc.paper.stages import PaperDialogueStage
from memassay.synth.paths.mmrc.recipe import NAME, MMRCRecipe
from memassay.synth.tallies import Tallies

_EITHER_WAY: Final = Decimal("0.25")
"""What part of it a bill may lie above or below its estimate (our choice)."""
_ASSUMED: Final = {
    "ledger-first": "no turn is sent back",
    "paper": "audits flag nothing, and every fourth question is sent back once",
}
"""By mode, what an estimate takes for granted; every breach is a call more."""

_USER_WORDS: Final = 19
_ASSISTANT_WORDS: Final = 46
"""Words of a stand-in, which are longer than people's: as long as 27 and 65 words of a text, in the
middle of what prompts ask for (our choice)."""
_FILLING: Final = 8
"""Words of a gist for each that a turn has more than it (our choice)."""
_SENT_BACK: Final = 4
"""Each so many questions, one is sent back (our choice)."""


def estimate_dialogues(
    recipe: MMRCRecipe, dialogues: Dialogues, open_context: OpenContext
) -> Estimate:
    """Write every dialogue with stand-ins, and tally what the models would be asked."""
    # No picture of a pack is larger.
    sizes = {role: SMALL_IMAGE_TOKENS[one.provider] for role, one in _models(recipe).items()}
    tallies, tally = (
        Tallies(an_image=sizes),
        _tally_wording if recipe.mode != "paper" else _tally_chats,
    )
    tally(dialogues, recipe.dialogues, open_context, tallies)
    return Estimate(tallies.by_role, _EITHER_WAY, _ASSUMED[recipe.mode])


def _models(recipe: MMRCRecipe) -> Mapping[str, ModelSection]:
    return recipe.writing.models if recipe.writing is not None else {}


def _tally_wording(
    dialogues: Dialogues, count: int, open_context: OpenContext, tallies: Tallies
) -> None:
    """What is asked where a model words planned dialogues, each turn about as long as its gist."""

    def write(task: Task[Any]) -> Any:
        words = len(task.inputs["gist"].split())
        text = " ".join([task.inputs["gist"], *["another"] * (words // _FILLING)])
        reply = task.response(text=text)
        tallies.count(task, reply.model_dump_json())
        return reply

    for number in range(count):
        topic, ordinal = dialogues.place(number)
        name = name_of(number)
        plain = topic.bundle(ordinal, name, NAME, open_context("dialogue", name).blobs)
        ModelWording(topic.plan(ordinal), plain, write).word()


def _tally_chats(
    dialogues: Dialogues, count: int, open_context: OpenContext, tallies: Tallies
) -> None:
    """What is asked in paper mode, if replies have their usual lengths."""
    stand_in = StandIn(_REPLIES, tallies)
    for number in range(count):
        name = name_of(number)
        context = StandInContext(open_context("estimate", name), stand_in)
        records: list[Record] = list(PaperDialogueStage(dialogues, {}).run([], context))
        records += ExtractionStage({}).run(records, context)
        desk = AbilityDesk(Bundle.from_records(records), context, _StandInItems)
        desk.ask(dialogues.card(number).asked)


class _StandInItems(AbilityItems):
    """Keeps the first draft of an ability, of every fourth one after it was mended."""

    def __init__(self, bundle: Bundle) -> None:
        """Take the dialogue."""
        super().__init__(bundle)
        self._codes: list[str] = []

    def candidate(self, asked: Asked, draft: ItemDraft) -> Checked:
        """The item of a draft, whatever the draft says."""
        is_new = asked.code not in self._codes
        self._codes += [asked.code] if is_new else []
        if is_new and len(self._codes) % _SENT_BACK == 0:
            said = "evidence: expected rounds that are shown, got another"
            return None, [Problem(DropReason.OUTSIDE_WINDOW, said)]
        return self._item(Asked(asked.code, "open", asked.turn), draft), []


def _drafts(stand_in: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    places = [one["round"] for one in inputs["rounds"]][: int(inputs["count"])]
    return {"items": [stand_in.draft(place) for place in places]}


_REPLIES: Final[Replies] = {
    "aim_user_turn": lambda it, _: {"text": it.text(_USER_WORDS)},
    "aim_assistant_turn": lambda it, _: {"text": it.text(_ASSISTANT_WORDS)},
    "ability_questions": _drafts,
}
