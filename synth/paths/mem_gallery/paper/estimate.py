"""The estimate of paper mode: its stages run, a stand-in writes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import Estimate, OpenContext
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import Answer, AnswerFormat
from memassay.synth.drafting.bank import DraftBank
from memassay.synth.drafting.stand_in import StandInItems, stand_in_drafts
from memassay.synth.drafting.windows import Window
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.extraction.stand_in import Replies, StandIn, StandInContext
from memassay.synth.histories.streams import timeline_of
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.mem_gallery.paper.dialogue import StoryDialogueStage
from memassay.synth.paths.mem_gallery.paper.outline import OutlineStage
from memassay.synth.paths.mem_gallery.paper.questions import DRAFTING, StoryItems
from memassay.synth.paths.mem_gallery.stories_recipe import StoriesSection
from memassay.synth.sourcing.placeholders import placeholders

_RANGE: Final = Decimal("0.35")
"""What part of it a bill may lie above or below its estimate (our choice)."""
_USER_WORDS: Final = 19
_REPLY_WORDS: Final = 46
"""Words of a stand-in, which are longer than people's: as long as 27 and 65 words of a text."""
_ASSUMED: Final = (
    "audits flag nothing, every second question is sent back once, and no type of questions needs "
    "further windows"
)


class _StandInMaker(StandInItems, StoryItems):
    """Keeps what a stand-in drafts."""

    def answer(self, _code: str, draft: ItemDraft, _window: Window) -> Answer:
        """The answer of a draft, whatever its type asks for."""
        return Answer(format=AnswerFormat.FREE, values=draft.answers)


def _profile(it: StandIn, _: Mapping[str, Any]) -> dict[str, Any]:
    listed = [it.text(2) for _ in range(4)]
    own = {"name": it.text(1), "profession": it.text(3), "traits": listed, "style": it.text(12)}
    return {**own, "summary": it.text(60), "story": it.text(90), "themes": listed}


def _outline(it: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "sessions": [
            {
                "topic": it.text(6),
                "content": it.text(60),
                "images": [it.text(3) for _ in range(int(inputs["images"]))],
                "transition": it.text(18),
            }
            for _ in inputs["days"]
        ]
    }


def _rounds(it: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    one = {"user": it.text(_USER_WORDS), "reply": it.text(_REPLY_WORDS)}
    return {"rounds": [one] * int(inputs["rounds"])}


def _places(it: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    pairs = zip(inputs["images"], inputs["rounds"], strict=False)
    return {
        "places": [
            {"image": image["image"], "round": round_["round"], "reason": it.text(15)}
            for image, round_ in pairs
        ]
    }


def _reading(it: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    one = {"steps": it.text(80), "defects": [], "better": "", "verdict": "right"}
    return {"replies": [{"id": asked["id"], **one} for asked in inputs["items"]]}


_REPLIES: Final[Replies] = {
    "story_profile": _profile,
    "story_outline": _outline,
    "story_dialogue": _rounds,
    "image_placement": _places,
    "story_questions": stand_in_drafts,
    "item_reading": _reading,
}
"""Sizes of replies are our choice, in the middle of what prompts ask for."""


def estimate_stories(
    section: StoriesSection,
    outlining: OutlineStage,
    sources: Sequence[Stage],
    open_context: OpenContext,
) -> Estimate:
    """What all stories ask, if replies have their usual lengths.

    The user's own files are shown as they will be. Of images that a provider finds, or that fit a
    keyword, as many are counted as an event may have.

    Args:
        section: What the recipe says of stories.
        outlining: The stage that outlines them.
        sources: The stages that take the user's own files in.
        open_context: Gives the context of a stage.
    """
    author = StandIn(_REPLIES)
    drafting = replace(DRAFTING, maker=_StandInMaker)
    for name in outlining.shards():
        context = StandInContext(open_context("estimate", name), author)
        records: list[Record] = []
        for source in sources:
            if isinstance(source, SourcesStage) and name in source.shards():
                records += source.run([], context)
        records += outlining.run([], context)
        records += placeholders(section.sourcing, section.material, timeline_of(records))
        records += StoryDialogueStage(section.history_sizes, {}).run(records, context)
        records += ExtractionStage({}).run(records, context)
        bank = DraftBank(drafting, Bundle.from_records(records), context)
        for code, wanted in section.asked_in_words.items():
            bank.fill(code, wanted)
    return Estimate(author.tallies.by_role, _RANGE, _ASSUMED)
