"""What a data card says of its records: languages, licences, sizes, shortcuts, an example.

The facts of a release are the sum of those of its conversations, so that none has to be there
with another one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from memassay.exports.release.public.asking import question_text
from memassay.exports.release.public.sentences import sentence_counts
from memassay.exports.release.public.tables import (
    TABLES,
    credit_of,
    licence_of,
    offered_rows,
    public_ids,
    shown_assets,
)
from memassay.exports.release.rows import table_rows
from memassay.exports.release.text_lines import portable_json
from memassay.schemas.base import Shape
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round

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
RECORD_TABLES: Final = ("ledger", "assets")
"""Tables of records that the card offers beside those for `datasets`."""
_Z: Final = 1.96
"""Standard errors of a 95 % interval."""


class Shortcut(NamedTuple):
    """What a system scores that gives one answer to all questions of a type."""

    type: str
    items: int
    share: float
    low: float
    high: float


class Example(Shape):
    """A round, what is shown in it, and a question of the same conversation."""

    round: Round
    asset: Asset | None
    question: str
    speakers: dict[str, str]


@dataclass
class Facts:
    """What a card says of conversations, small beside them.

    Attributes:
        languages: ISO 639-1 codes.
        sizes: What is counted of them, by name.
        texts: Bytes of their texts, by configuration.
        golds: By type, how often each gold is right.
        made: Questions by who made them.
        licences: Images and documents that are here, by licence; a part has that of the whole, too.
        credits: The same by whom they are to be credited to.
        origins: The same by where they are from: `rendered`, `import` and so on.
        sentences: Long sentences by digest, with the number of conversations that say each.
        example: The first example there is.
        pictured: The first with an image.
    """

    languages: set[str] = field(default_factory=set)
    sizes: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    golds: dict[str, Counter[str]] = field(default_factory=dict)
    made: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    credits: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    sentences: Counter[str] = field(default_factory=Counter)
    example: Example | None = None
    pictured: Example | None = None

    def add(self, other: "Facts") -> None:
        """Count conversations in that follow these."""
        self.languages |= other.languages
        for name in ("sizes", "texts", "made", "licences", "credits", "origins", "sentences"):
            getattr(self, name).update(getattr(other, name))
        for name, counted in other.golds.items():
            self.golds.setdefault(name, Counter()).update(counted)
        self.example = self.example or other.example
        self.pictured = self.pictured or other.pictured


def facts_of(bundle: Bundle, texts: Mapping[str, int]) -> Facts:
    """The facts of one conversation.

    Args:
        bundle: The conversation.
        texts: What `text_bytes` gives of it.
    """
    present = [one for one in bundle.assets if one.availability is Availability.PRESENT]
    spoken = _language(_spoken_text(bundle))
    golds: dict[str, Counter[str]] = {}
    for item in bundle.questions:
        own = sorted(value.casefold().strip() for value in item.answer.values)
        golds.setdefault(item.type.value, Counter())[canonical_json(own)] += 1
    examples = list(_examples(bundle))
    return Facts(
        languages={spoken} if spoken else set(),
        sizes=_counts(bundle),
        texts=Counter(texts),
        golds=golds,
        made=Counter(item.origin.value for item in bundle.questions),
        licences=Counter(licence_of(one, bundle) or "not stated" for one in present),
        credits=Counter(name for one in present if (name := credit_of(one, bundle))),
        origins=Counter((one.origin or "not stated").partition(":")[0] for one in present),
        sentences=sentence_counts(bundle),
        example=next(iter(examples), None),
        pictured=next((one for one in examples if one.asset is not None), None),
    )


def sum_of_facts(facts: Iterable[Facts]) -> Facts:
    """The facts of a release from those of its conversations, in their order."""
    found = Facts()
    for one in facts:
        found.add(one)
    return found


def _counts(bundle: Bundle) -> Counter[str]:
    sessions = bundle.conversation.sessions
    rounds = [one for session in sessions for one in session.rounds]
    turns = [turn for round_ in rounds for turn in round_.turns]
    absent = [one for one in bundle.assets if one.availability is not Availability.PRESENT]
    return Counter(
        conversations=1,
        sessions=len(sessions),
        rounds=len(rounds),
        turns=len(turns),
        words=sum(len(turn.text.split()) for turn in turns),
        attachments=sum(len(turn.attachments) for turn in turns),
        questions=len(bundle.questions),
        images=len({*shown_assets(bundle)} & {*bundle.asset_by_id}),
        absent=len(absent),
    )


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


def sizes(facts: Facts) -> dict[str, int | str]:
    """Figures of the histories by name; means have one decimal."""
    found = facts.sizes
    talks, sessions, shown = found["conversations"], found["sessions"], found["attachments"]
    return {
        "Conversations": talks,
        "Sessions": sessions,
        "Rounds": found["rounds"],
        "Turns": found["turns"],
        "Words of turns": found["words"],
        "Images and documents shown": shown,
        "Sessions a conversation": _mean(sessions, talks),
        "Rounds a session": _mean(found["rounds"], sessions),
        "Images and documents a session": _mean(shown, sessions),
        "Questions a conversation": _mean(found["questions"], talks),
        **_repetition(facts, talks),
    }


def _repetition(facts: Facts, talks: int) -> dict[str, int | str]:
    """How often long sentences come again in other conversations."""
    said, several = facts.sentences.total(), [n for n in facts.sentences.values() if n > 1]
    if talks < 2 or not said:
        return {}
    most = max(facts.sentences.values())
    return {
        "Long sentences that another conversation says, too": f"{100 * sum(several) / said:.1f} %",
        "Conversations that say the most frequent one": f"{most} of {talks}",
    }


def _mean(total: int, number: int) -> str:
    return f"{total / number:.1f}" if number else "-"


def shortcuts(facts: Facts) -> list[Shortcut]:
    """By type, the share of the most frequent gold, with its 95 % interval (Wilson)."""
    return [
        Shortcut(name, items, hits / items, *_wilson(hits, items))
        for name, counted in sorted(facts.golds.items())
        for items in [counted.total()]
        for hits in [max(counted.values())]
    ]


def _wilson(hits: int, items: int) -> tuple[float, float]:
    share, square = hits / items, _Z * _Z
    middle = (share + square / (2 * items)) / (1 + square / items)
    half = math.sqrt(share * (1 - share) / items + square / (4 * items * items))
    half *= _Z / (1 + square / items)
    return max(0.0, middle - half), min(1.0, middle + half)


def text_bytes(bundle: Bundle) -> Counter[str]:
    """Bytes of the texts of a conversation by configuration, before compression and as JSON."""
    found = Counter({name: _text_size(offered_rows(name, bundle)) for name in TABLES})
    for name in RECORD_TABLES:
        found[name] = _text_size(row.columns for row in table_rows(name, bundle))
    return found


def _text_size(rows: Iterable[Mapping[str, object]]) -> int:
    return sum(len(portable_json(row).encode("utf-8")) for row in rows)


def _examples(bundle: Bundle) -> Iterator[Example]:
    names = {each.id: each.name for each in bundle.conversation.speakers}
    places = _places(bundle)
    ids = public_ids(bundle)
    for item in sorted(bundle.questions, key=lambda item: ids[item.id]):
        if not item.answerable or item.question.attachments:
            continue
        for place in item.evidence.canonical:
            if (round_ := places.get(place)) is not None:
                yield Example(
                    round=round_,
                    asset=_picture(round_, bundle),
                    question=question_text(item),
                    speakers=names,
                )
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
