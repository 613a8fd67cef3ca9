"""MMRC's own figures of a collection, beside Table 2 and the public part of its data."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from memassay.schemas.benchmarks.mmrc import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, PathFigures
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.paths.mmrc.deck import CHOICES, QUESTIONS, TRUE_FALSE

_PUBLIC: Final = {"dialogues": "457", "questions": "2105", "rounds": "12.9", "images": "2.6 or 2.9"}
"""The public part, as two later papers count it; of images they say different things."""
_PRINTED: Final = {"dialogues": "5120", "questions": "28720", "rounds": "15.2", "images": "4.65"}
"""Table 2."""
_SIZES: Final = {
    "dialogues": "Dialogues",
    "questions": "Questions",
    "rounds": "Rounds a dialogue",
    "images": "Images a dialogue",
}
_TRUTH: Final = {"True", "False"}
_FORMS: Final = {
    "open": sum(QUESTIONS.values()) - CHOICES - TRUE_FALSE,
    "multiple choice": CHOICES,
    "true or false": TRUE_FALSE,
}


class Counted(NamedTuple):
    """What the tables need of one dialogue."""

    rounds: int
    images: int
    category: str
    group: str
    questions: list[tuple[str, str]]
    updates: list[int]


def _count(bundle: Bundle) -> Counted:
    talk, meter = bundle.conversation, HardnessMeter(bundle)
    updated = [item for item in bundle.questions if item.benchmark_type == "IU"]
    return Counted(
        rounds=len(talk.rounds()),
        images=len(talk.attachments()),
        category=talk.domain or "",
        group=next(iter(talk.tags), ""),
        questions=[(item.benchmark_type, _form_of(item)) for item in bundle.questions],
        updates=[meter.measure(item).updates for item in updated],
    )


def _form_of(item: QAItem) -> str:
    if item.answer.format is not AnswerFormat.CHOICE:
        return "open"
    labels = {option.label for option in item.answer.options}
    return "true or false" if labels == _TRUTH else "multiple choice"


def _show(counts: Sequence[Counted]) -> list[Figure]:
    return [
        Figure("Table 2 and the public part: sizes", _sizes(counts)),
        Figure("Table 2: questions by ability", _abilities(counts)),
        Figure("Table 2: questions by form", _forms(counts)),
        Figure("Figure 4: dialogues by rounds", _lengths(counts)),
        Figure("Figure 5: dialogues by category", _categories(counts)),
        Figure("§3.1: how often what an IU question asks for was changed", _updates(counts)),
    ]


MMRC_FIGURES: Final = PathFigures(_count, _show)


def _sizes(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    ours: dict[str, Cell] = {
        "dialogues": len(counts),
        "questions": sum(len(one.questions) for one in counts),
        "rounds": _mean([one.rounds for one in counts]),
        "images": _mean([one.images for one in counts]),
    }
    return [
        {"what": said, "ours": ours[key], "MMRC": _PRINTED[key], "public part": _PUBLIC[key]}
        for key, said in _SIZES.items()
    ]


def _abilities(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter(code for one in counts for code, _ in one.questions)
    return [
        {"ability": code, "name": TYPES[code].name, **_beside(found, code, printed)}
        for code, printed in QUESTIONS.items()
    ]


def _forms(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter(form for one in counts for _, form in one.questions)
    return [{"form": form, **_beside(found, form, printed)} for form, printed in _FORMS.items()]


def _beside(found: Counter[str], key: str, printed: int) -> dict[str, Cell]:
    return {
        "ours": found[key],
        "%": _share(found[key], found.total()),
        "MMRC": printed,
        "MMRC, %": _share(printed, sum(QUESTIONS.values())),
    }


def _lengths(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter(one.rounds for one in counts)
    return [{"rounds": rounds, "dialogues": found[rounds]} for rounds in sorted(found)]


def _categories(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter((one.category, one.group) for one in counts)
    return [
        {
            "category": category,
            "group": group,
            "dialogues": number,
            "%": _share(number, len(counts)),
        }
        for (category, group), number in sorted(found.items())
    ]


def _updates(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter(number for one in counts for number in one.updates)
    return [
        {"updates": number, "questions": found[number], "%": _share(found[number], found.total())}
        for number in sorted(found)
    ]


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _mean(numbers: Sequence[int]) -> float | None:
    return round(fmean(numbers), 2) if numbers else None
