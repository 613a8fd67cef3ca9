"""Mem-Gallery's types of question over a history, in the order in which they are made (A.3).

TTL is not among them: what it asks is taught in lessons that join the history.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m3exam import CONSTRAINTS, mr_pixels_only
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS, TYPES
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.linked import changes
from memassay.synth.questions.across.several import across_entities, in_several_places
from memassay.synth.questions.drafts import Draft, in_turn
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import Maker, QuestionKind
from memassay.synth.questions.knowledge.held import conflicts, latest_states
from memassay.synth.questions.recall import single_session
from memassay.synth.questions.refusing import ask_of_another
from memassay.synth.questions.times.temporal import temporal
from memassay.synth.questions.visual.gathered import gather
from memassay.synth.questions.visual.multimodal import multimodal
from memassay.synth.questions.visual.searching import search_images
from memassay.synth.questions.windows import WindowShape

REFUSALS: Final = "AR"
_LONGEST: Final = 8
"""Words of a gold that is one fact (our choice)."""
_WHOLE: Final = WindowShape((1, 60), None)
"""The paper's questions are made from whole conversations (A.2.4)."""
_PIXELS: Final = (Modality.DOCUMENT, Modality.IMAGE)


_UNSAID: Final = tuple(one for one in CONSTRAINTS if one.check is mr_pixels_only)
"""What VR asks for is in no text: then pictures are no decoration."""


def _facts(history: History, random: Random) -> Iterator[Draft]:
    """FR: what is said in several places, and single facts."""
    single = list(single_session(history, random, _LONGEST))
    yield from in_turn([list(in_several_places(history, random)), single])


def _pictures(history: History, random: Random) -> Iterator[Draft]:
    """VR: what several pictures show together, and what one shows."""
    yield from in_turn([list(gather(history, random)), list(multimodal(history, random))])


def _states(history: History, random: Random) -> Iterator[Draft]:
    """KR: how something changed, and what holds since."""
    changed = history.far_first(changes(history, random), random)
    yield from in_turn([changed, list(latest_states(history, random))])


def _kind(code: str, maker: Maker, **more: Any) -> QuestionKind:
    prompt = FORMAT_PROMPTS.get(code)
    return QuestionKind(code, TYPES[code].type, maker, _WHOLE, format_prompt=prompt, **more)


_KINDS: Final = (
    _kind("FR", _facts),
    _kind("VS", search_images, modalities=_PIXELS, format=AnswerFormat.IMAGE_ID),
    _kind("TR", temporal, limit=3, most=6),
    _kind("VR", _pictures, modalities=_PIXELS, constraints=_UNSAID),
    _kind("MR", across_entities, limit=2),
    _kind("KR", _states),
    _kind("CD", conflicts, format=AnswerFormat.YES_NO),
    _kind(REFUSALS, ask_of_another),
)

KINDS: Final[Mapping[str, QuestionKind]] = {kind.code: kind for kind in _KINDS}
"""By the paper's code."""
