"""M3Exam's eight types of question (A.3), in the order in which they are made."""

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m3exam import CONSTRAINTS, LONGEST_SHORT_GOLD, TYPES
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.several import multi_session
from memassay.synth.questions.choice import judgement
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import Maker, QuestionKind
from memassay.synth.questions.own_material import own_material
from memassay.synth.questions.recall import implicit, single_session, thematic
from memassay.synth.questions.times.temporal import temporal
from memassay.synth.questions.visual.matching import find_matching
from memassay.synth.questions.visual.multimodal import multimodal
from memassay.synth.questions.windows import WindowShape

_PIXELS: Final = (Modality.DOCUMENT, Modality.IMAGE)


def _matching(history: History, random: Random) -> Iterator[Draft]:
    yield from own_material(history, random)
    yield from find_matching(history, random)


def _kind(
    code: str,
    maker: Maker,
    sessions: tuple[int, int],
    rounds: tuple[int, int] | None,
    **more: Any,
) -> QuestionKind:
    """A type; the paper's numbers of sessions and rounds are lost, those here are our choice."""
    return QuestionKind(
        code,
        TYPES[code].type,
        maker,
        WindowShape(sessions, rounds),
        tuple(one for one in CONSTRAINTS if one.code == code),
        prompt=f"questions_{code}",
        **more,
    )


_RECALL: Final = partial(single_session, longest=LONGEST_SHORT_GOLD)
_KINDS: Final = (
    _kind("ss", _RECALL, (1, 1), (6, 10)),
    _kind("ms", multi_session, (2, 4), (6, 10), limit=2),
    # An event's own date, its distance from another, its place among several: all are different.
    _kind(
        "tr",
        temporal,
        (3, 6),
        None,
        limit=3,
        most=6,
        format_prompt="Answer with a date as YYYY-MM-DD, a number with its unit, or a list.",
    ),
    _kind("mr", multimodal, (1, 1), (3, 6), modalities=_PIXELS, images=1),
    _kind(
        "fm",
        _matching,
        (1, 1),
        None,
        modalities=_PIXELS,
        images=2,
        format=AnswerFormat.IMAGE_ID,
        format_prompt="Answer with the id of one image only.",
    ),
    _kind("th", thematic, (1, 1), (12, 20), format_prompt="List the steps in order."),
    _kind(
        "fj",
        judgement,
        (2, 4),
        (6, 10),
        format=AnswerFormat.CHOICE,
        format_prompt="Answer with one letter only: A, B, C or D.",
    ),
    _kind("ii", implicit, (2, 5), (4, 8)),
)

KINDS: Final[Mapping[str, QuestionKind]] = {kind.code: kind for kind in _KINDS}
"""By the paper's code."""
