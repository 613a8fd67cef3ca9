"""What a data card says of its records: languages, licences, sizes, shortcuts, an example."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memassay.exports.release.public.asking import question_text
from memassay.exports.release.public.tables import (
    TABLES,
    credit_of,
    licence_of,
    offered_rows,
    public_ids,
)
from memassay.exports.release.rows import table_rows
from memassay.exports.release.text_lines import portable_json
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem

_SCRIPTS: Final = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
}
_WORDS: Final = {
    "en": "the and of to is was with that for it my you have",
    "de": "der die und das ist nicht ich mit ein eine zu wir",
    "fr": "le la les et des est une pas je que pour dans",
    "es": "el los las y que es una por con para pero mi",
    "it": "il gli che e di una per con non sono mia anche",
    "pt": "o os que e uma para com não mas minha do da",
}
"""Words that are frequent in one language and rare in the others."""
_SAMPLE: Final = 20_000
"""Letters of a conversation that are looked at for its language."""
_Z: Final = 1.96
"""Standard errors of a 95 % interval."""


class Shortcut(NamedTuple):
    """What a system scores that gives one answer to all questions of a type."""

    type: str
    items: int
    share: float
    low: float
    high: float


class Example(NamedTuple):
    """A round, what is shown in it, and a question of the same conversation."""

    round: Round
    asset: Asset | None
    question: str
    speakers: dict[str, str]


def languages(bundles: Sequence[Bundle]) -> list[str]:
    """ISO 639-1 codes of what is spoken, by function words and scripts; unknown ones are left out.

    Args:
        bundles: The conversations.
    """
    found = (_language(_spoken_text(bundle)) for bundle in bundles)
    return sorted({code for code in found if code})


def _spoken_text(bundle: Bundle) -> str:
    parts: list[str] = []
    size = 0
    for session in bundle.conversation.sessions:
        for turn in (turn for round_ in session.rounds for turn in round_.turns):
            parts.append(turn.text)
            size += len(turn.text)
            if size > _SAMPLE:
                return " ".join(parts)
    return " ".join(parts)


def _language(text: str) -> str | None:
    letters = sum(letter.isalpha() for letter in text)
    for code, script in _SCRIPTS.items():
        if 5 * len(script.findall(text)) > letters > 0:
            return code
    words = Counter(re.findall(r"\w+", text.lower()))
    shares = {code: sum(words[word] for word in own.split()) for code, own in _WORDS.items()}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] else None


def sizes(bundles: Sequence[Bundle]) -> dict[str, int | str]:
    """Figures of the histories by name; means have one decimal."""
    sessions = [one for bundle in bundles for one in bundle.conversation.sessions]
    rounds = [one for session in sessions for one in session.rounds]
    turns = [turn for round_ in rounds for turn in round_.turns]
    shown = sum(len(turn.attachments) for turn in turns)
    words = sum(len(turn.text.split()) for turn in turns)
    return {
        "Conversations": len(bundles),
        "Sessions": len(sessions),
        "Rounds": len(rounds),
        "Turns": len(turns),
        "Words of turns": words,
        "Images and documents shown": shown,
        "Sessions a conversation": _mean(len(sessions), len(bundles)),
        "Rounds a session": _mean(len(rounds), len(sessions)),
        "Images and documents a session": _mean(shown, len(sessions)),
        "Questions a conversation": _mean(
            sum(len(bundle.questions) for bundle in bundles), len(bundles)
        ),
    }


def _mean(total: int, number: int) -> str:
    return f"{total / number:.1f}" if number else "-"


def shortcuts(bundles: Sequence[Bundle]) -> list[Shortcut]:
    """By type, the share of the most frequent gold, with its 95 % interval (Wilson)."""
    golds: dict[str, Counter[tuple[str, ...]]] = {}
    for item in _items(bundles):
        own = tuple(sorted(value.casefold().strip() for value in item.answer.values))
        golds.setdefault(item.type.value, Counter())[own] += 1
    return [
        Shortcut(name, items, hits / items, *_wilson(hits, items))
        for name, counted in sorted(golds.items())
        for items in [counted.total()]
        for hits in [max(counted.values())]
    ]


def _wilson(hits: int, items: int) -> tuple[float, float]:
    share, square = hits / items, _Z * _Z
    middle = (share + square / (2 * items)) / (1 + square / items)
    half = math.sqrt(share * (1 - share) / items + square / (4 * items * items))
    half *= _Z / (1 + square / items)
    return max(0.0, middle - half), min(1.0, middle + half)


def text_bytes(config: str, bundles: Sequence[Bundle]) -> int:
    """Bytes of the texts of a configuration, before compression and as JSON."""
    if config in TABLES:
        rows = (row for bundle in bundles for row in offered_rows(config, bundle))
        return sum(len(portable_json(row).encode("utf-8")) for row in rows)
    rows = (row for bundle in bundles for row, _ in table_rows(config, bundle))
    return sum(len(portable_json(row).encode("utf-8")) for row in rows)


def licences(bundles: Sequence[Bundle]) -> dict[str, int]:
    """Images and documents that are here, by licence; a part has that of the whole, too."""
    found = Counter(licence_of(*each) or "not stated" for each in _present(bundles))
    return dict(sorted(found.items()))


def credits_of(bundles: Sequence[Bundle]) -> dict[str, int]:
    """Images and documents that are here, by whom they are to be credited to."""
    named = (credit_of(*each) for each in _present(bundles))
    return dict(sorted(Counter(name for name in named if name).items()))


def origins(bundles: Sequence[Bundle]) -> dict[str, int]:
    """Images and documents that are here by where they are from: `rendered`, `import` and so on."""
    named = ((asset.origin or "not stated").partition(":")[0] for asset, _ in _present(bundles))
    found = Counter(named)
    return dict(sorted(found.items()))


def example(bundles: Sequence[Bundle]) -> Example | None:
    """A question and a round that it is about, one with an image if there is any."""
    found = [one for bundle in bundles for one in _examples(bundle)]
    pictured = (one for one in found if one.asset is not None)
    return next(pictured, next(iter(found), None))


def _examples(bundle: Bundle) -> Iterator[Example]:
    names = {each.id: each.name for each in bundle.conversation.speakers}
    places = _places(bundle)
    ids = public_ids(bundle)
    for item in sorted(bundle.questions, key=lambda item: ids[item.id]):
        if not item.answerable or item.question.attachments:
            continue
        for place in item.evidence.canonical:
            if (round_ := places.get(place)) is not None:
                yield Example(round_, _picture(round_, bundle), question_text(item), names)
                break


def _places(bundle: Bundle) -> dict[str, Round]:
    places: dict[str, Round] = {}
    for session in bundle.conversation.sessions:
        for round_ in session.rounds:
            places[round_.id] = round_
            for turn in round_.turns:
                places[turn.id] = round_
                places |= {each.id: round_ for each in turn.attachments}
    return places


def _picture(round_: Round, bundle: Bundle) -> Asset | None:
    for turn in round_.turns:
        for attachment in turn.attachments:
            asset = bundle.asset_by_id.get(attachment.asset)
            if asset is None or asset.availability is not Availability.PRESENT:
                continue
            if (asset.media_type or "").startswith("image/"):
                return asset
    return None


def _present(bundles: Sequence[Bundle]) -> Iterator[tuple[Asset, Bundle]]:
    for bundle in bundles:
        for asset in bundle.assets:
            if asset.availability is Availability.PRESENT:
                yield asset, bundle


def _items(bundles: Sequence[Bundle]) -> Iterator[QAItem]:
    for bundle in bundles:
        yield from bundle.questions
