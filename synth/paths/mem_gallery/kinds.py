"""Mem-Gallery's types of question over a history, in the order in which they are made (A.3).

TTL is not among them: what it asks is taught in lessons that join the history.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.constraints import Breach, SaidAndShown
from memassay.schemas.benchmarks.m3exam import CONSTRAINTS, mr_pixels_only
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS, TYPES
from memassay.schemas.queries.asked.words import run_of
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.questions.across.several import across_entities, in_several_places
from memassay.synth.questions.across.together import of_one_subject
from memassay.synth.questions.drafts import Draft, in_turn, interleave
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import Maker, QuestionKind
from memassay.synth.questions.knowledge.held import conflicts, resolutions
from memassay.synth.questions.recall import single_session
from memassay.synth.questions.refusing import ask_of_another
from memassay.synth.questions.times.temporal import event_dates, temporal
from memassay.synth.questions.visual.gathered import gather
from memassay.synth.questions.visual.naming import join_pictures, read_pictures, read_together
from memassay.synth.questions.visual.searching import search_images
from memassay.synth.questions.visual.sets import count_sets, sum_things
from memassay.synth.questions.windows import WindowShape

REFUSALS: Final = "AR"
_LONGEST: Final = 8
"""Words of a gold that is one fact (our choice)."""
_PLACES: Final = 6
"""FR of several places for each of one (our choice: 2.90 clues, Table 6)."""
_READ: Final = 4
"""VR of what pictures show for each of how many there are (our choice: no answer is too common)."""
_SEVERAL: Final = 12
"""VR of several pictures for each of one alone (our choice: 3.05 clues, Table 6)."""
_WHOLE: Final = WindowShape((1, 60), None)
"""The paper's questions are made from whole conversations (A.2.4)."""
_COUNTING: Final = frozenset({"count", "fold"})
_PIXELS: Final = (Modality.DOCUMENT, Modality.IMAGE)


def _pixels_only(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """What VR asks for is in no text; what comes of counting, in none of the rounds counted."""
    counted = item.query is not None and item.query["op"] in _COUNTING
    if not counted or not all(map(str.isdigit, item.answer.values)):
        yield from mr_pixels_only(history, item)
        return
    for number in item.answer.values:
        for text in _texts(history, item, captions_only=len(number) == 1):
            if number in run_of(text):
                fix = "count what neither a caption nor a turn has as a number"
                yield Breach(("answer",), "a gold that no round of its own holds", number, fix)


def _texts(history: SaidAndShown, item: QAItem, *, captions_only: bool) -> Iterator[str]:
    """Texts of the rounds that an item cites; a lone digit tells only in a caption."""
    for place in item.evidence.canonical:
        for round_ in history.bundle.rounds_of(place):
            for turn in round_.turns:
                yield from (one.caption or "" for one in turn.attachments)
                if not captions_only:
                    yield turn.text


_UNSAID: Final = tuple(
    replace(one, check=_pixels_only) for one in CONSTRAINTS if one.check is mr_pixels_only
)
"""Pictures are no decoration."""


def _facts(history: History, random: Random) -> Iterator[Draft]:
    """FR: what is said in several places, two things of one subject, and single facts."""
    forms = (in_several_places(history, random), of_one_subject(history, random))
    single = list(single_session(history, random, _LONGEST))
    yield from interleave(list(in_turn([*map(list, forms)])), single, _PLACES)


def _pictures(history: History, random: Random) -> Iterator[Draft]:
    """VR: what several pictures show together, and what one shows."""
    pictures = history.pictures(random)
    # How many photos show something is counted with the other sets.
    told = [one for one in gather(history, random, quoted=True) if one.query["op"] != "count"]
    summed = list(in_turn([list(sum_things(history, random)), told]))
    joined = list(join_pictures(history, pictures, random))
    read = list(in_turn([summed, joined, list(read_together(history, pictures, random))]))
    counts = count_sets(history, random)
    few = len(read) // _READ + 1
    single = read_pictures(history, pictures, random)
    most = interleave(read, counts[:few], _READ)
    begun = len(most) // _SEVERAL
    yield from interleave(most, single[:begun], _SEVERAL)
    yield from interleave(single[begun:], counts[few:], _READ)


def _times(history: History, random: Random) -> Iterator[Draft]:
    """TR: intervals, orders and slipped plans, and days of single events."""
    return iter(interleave(list(temporal(history, random)), list(event_dates(history, random)), 2))


def _kind(code: str, maker: Maker, **more: Any) -> QuestionKind:
    prompt = FORMAT_PROMPTS.get(code)
    return QuestionKind(code, TYPES[code].type, maker, _WHOLE, format_prompt=prompt, **more)


_KINDS: Final = (
    _kind("FR", _facts),
    _kind("VS", search_images, modalities=_PIXELS, format=AnswerFormat.IMAGE_ID, images=1),
    _kind("TR", _times, limit=3, most=6),
    _kind("VR", _pictures, modalities=_PIXELS, constraints=_UNSAID, images=1),
    _kind("MR", across_entities, limit=2),
    _kind("KR", resolutions),
    _kind("CD", conflicts, format=AnswerFormat.YES_NO),
    _kind(REFUSALS, ask_of_another),
)

KINDS: Final[Mapping[str, QuestionKind]] = {kind.code: kind for kind in _KINDS}
"""By the paper's code."""
