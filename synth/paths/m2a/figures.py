"""M2A's own figures of a collection: sizes, images, guests and categories beside §5.1's."""

import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from memassay.schemas.benchmarks.locomo import PRINTED as LOCOMO
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, PathFigures
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc

PRINTED: Final = {"conversations": 10, "turns": 621, "tokens": 10_000, "images": 214}
"""§5.1: turns on average, tokens approximately; of images see `_images`."""
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
"""§5.1 names no tokenizer (our choice)."""


class Counted(NamedTuple):
    """What the tables need of one conversation: its row of sizes, questions by category."""

    size: dict[str, Cell]
    questions: Counter[str]


def _count(bundle: Bundle) -> Counted:
    return Counted(_size(bundle), Counter(item.benchmark_type for item in bundle.questions))


def _show(counts: Sequence[Counted]) -> list[Figure]:
    """Sizes, images by either reading of §5.1, and questions by category."""
    sizes = [one.size for one in counts]
    return [
        Figure("§5.1: sizes a conversation; a token is a word or a mark", _sizes(sizes)),
        Figure('§5.1: "with 214 images" can be read both ways', _images(sizes)),
        Figure("§5.1 and C: questions by category", _categories(counts)),
    ]


M2A_FIGURES: Final = PathFigures(_count, _show)


def _sizes(rows: Sequence[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """A row for each conversation, their mean, and what the paper prints."""
    heads = list(rows[0]) if rows else []
    mean: dict[str, Cell] = {
        head: round(fmean(float(row[head] or 0) for row in rows), 1) for head in heads[1:]
    }
    printed: dict[str, Cell] = dict.fromkeys(heads)
    known: dict[str, Cell] = {
        "conversation": "M2A, printed",
        "turns": PRINTED["turns"],
        "tokens": PRINTED["tokens"],
    }
    return [*rows, {"conversation": "mean", **mean}, {**printed, **known}]


def _size(bundle: Bundle) -> dict[str, Cell]:
    talk = bundle.conversation
    guests = [one for one in talk.sessions if one.arc is SessionArc.GUEST]
    guest_turns = sum(len(round_.turns) for one in guests for round_ in one.rounds)
    turns = list(talk.turns())
    return {
        "conversation": bundle.id,
        "sessions": len(talk.sessions),
        "of guests": len(guests),
        "turns": len(turns),
        "of guests, %": round(100 * guest_turns / len(turns), 1) if turns else None,
        "tokens": sum(len(_TOKEN.findall(turn.text)) for turn in turns),
        "images": len(talk.attachments()),
        "of concepts": _of_concepts(bundle),
        "held out": sum(len(one.held_out) for one in bundle.concepts),
        "questions": len(bundle.questions),
    }


def _of_concepts(bundle: Bundle) -> int:
    """Images that turns show of concepts."""
    concepts = {name for one in bundle.concepts for name in one.shown}
    return sum(image.asset in concepts for _, image in bundle.conversation.attachments())


def _images(sizes: Sequence[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """Images of the whole set and of a conversation, each beside the one printed number.

    Three or four concepts of two or three images in ten hosts are 60 to 120; the rest of 214 are
    then the hosts' own.
    """
    shown = sum(int(row["images"] or 0) for row in sizes)
    concepts = sum(int(row["of concepts"] or 0) for row in sizes)
    parts = {"images": shown, "of concepts": concepts, "the hosts' own": shown - concepts}
    count = max(1, len(sizes))
    return [
        {"read as": "of the whole set", **parts, "printed": PRINTED["images"]},
        {
            "read as": "of each conversation",
            **{name: round(number / count, 1) for name, number in parts.items()},
            "printed": PRINTED["images"],
        },
    ]


def _categories(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    """Questions by category; M2A prints none, LoCoMo those of its own, which M2A took over."""
    counted = Counter[str]()
    for one in counts:
        counted.update(one.questions)
    printed = LOCOMO.types
    return [
        {
            "category": code,
            "name": TYPES[code].name,
            "ours": counted[code],
            "a conversation": round(counted[code] / max(1, len(counts)), 1),
            "LoCoMo, printed": printed[own].questions if own in printed else None,
        }
        for code in TYPES
        for own in ["5" if code == "adversarial" else code if code != "5" else ""]
    ]
