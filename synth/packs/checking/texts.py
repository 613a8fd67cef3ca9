"""The texts of a pack with their places, and the words of a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from memassay.schemas.values import stems as english
from memassay.schemas.values.caches import text_cache
from memassay.synth.packs.files.pack_file import SLOT, Pack
from memassay.synth.packs.files.pack_parts import ChangeSpec, ListSpec, Sentence, Sentences

_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’\-]*\w)?|\d+(?:[.,:]\d+)*")
_TOKEN: Final = re.compile(rf"{SLOT.pattern}|{_WORD.pattern}")
_A_OR_THE: Final = re.compile(r"^(?:an?|the|some) ", re.IGNORECASE)
_GRAM: Final = 3
"""Tokens of a run that two wordings can share."""


@dataclass(frozen=True)
class Turn:
    """One turn of a scene, or what is said of a change or of a piece of a list.

    Attributes:
        place: Where it is in the file.
        speaker: Who says it.
        text: Its sentences.
        scene: Name of its scene; empty for changes and lists.
        part: Position of its round in the scene.
        aside: Name of the change or list; empty for scenes.
    """

    place: str
    speaker: Literal["user", "assistant"]
    text: Sentences
    scene: str = ""
    part: int = 0
    aside: str = ""

    def sentences(self) -> Iterator[tuple[str, Sentence]]:
        """Each sentence with its place."""
        for at, sentence in enumerate(self.text):
            yield f"{self.place}.{at}", sentence

    def wordings(self) -> Iterator[tuple[str, str]]:
        """Each wording with its place."""
        for place, sentence in self.sentences():
            for at, wording in enumerate(sentence.wordings):
                yield f"{place}.{at}", wording


def turns_of(pack: Pack) -> Iterator[Turn]:
    """Every turn of a pack: those of scenes, then asides."""
    for name, scene in pack.scenes.items():
        for at, each in enumerate(scene.rounds):
            place = f"scenes.{name}.rounds.{at}"
            yield Turn(f"{place}.user", "user", each.user, name, at)
            yield Turn(f"{place}.assistant", "assistant", each.assistant, name, at)
            if each.shown is not None:
                yield Turn(f"{place}.shown", "user", each.shown, name, at)
    for place, spec in asides_of(pack).items():
        yield Turn(f"{place}.user", "user", spec.user, aside=place)
        yield Turn(f"{place}.assistant", "assistant", spec.assistant, aside=place)


def asides_of(pack: Pack) -> dict[str, ChangeSpec | ListSpec]:
    """What is said of changes and lists, by place."""
    changes: dict[str, ChangeSpec | ListSpec] = {
        f"changes.{name}": spec for name, spec in pack.changes.items()
    }
    return changes | {f"lists.{name}": spec for name, spec in pack.lists.items()}


def wordings_of(pack: Pack) -> Iterator[tuple[str, str]]:
    """Every wording of every turn with its place."""
    for turn in turns_of(pack):
        yield from turn.wordings()


def questions_of(pack: Pack) -> Iterator[tuple[str, str]]:
    """Every question that a pack asks, with its place."""
    for name, fact in pack.facts.items():
        yield from _by_position(f"facts.{name}.ask", fact.ask)
    for name, each in pack.lists.items():
        yield from _by_position(f"lists.{name}.ask", each.ask)
    for at, join in enumerate(pack.joins):
        yield from _by_position(f"joins.{at}.ask", join.ask)
        yield from _by_position(f"joins.{at}.recommend", join.recommend)
    for at, never in enumerate(pack.never):
        yield from _by_position(f"never.{at}.ask", never.ask)
        yield from _by_position(f"never.{at}.premise", never.premise)


def image_texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """Every text that is printed in a picture, with its place; then what it shows."""
    for name, image in pack.images.items():
        yield f"images.{name}.title", image.title
        for part, cells in (("rows", image.rows), ("lines", image.lines)):
            for key, text in cells.items():
                yield f"images.{name}.{part}.{key}", f"{key} {text}"
        yield f"images.{name}.what", image.what


def plain_texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """Texts that are printed as they are: noun phrases, values, units, options."""
    for name, role in pack.roles.items():
        for at, referent in enumerate(role.draw):
            yield f"roles.{name}.draw.{at}.name", referent.name
            yield f"roles.{name}.draw.{at}.intro", referent.intro or ""
    for name, fact in pack.facts.items():
        yield f"facts.{name}.say", fact.say
        yield from _by_position(f"facts.{name}.draw", fact.draw or [])
    for name, each in pack.lists.items():
        yield f"lists.{name}.say", each.say
        yield from _by_position(f"lists.{name}.items", each.items)
    for at, join in enumerate(pack.joins):
        yield from _by_position(f"joins.{at}.options", join.options)
    for at, never in enumerate(pack.never):
        yield f"never.{at}.say", never.say
    for name, image in pack.images.items():
        yield f"images.{name}.group", image.group or ""


def _by_position(place: str, texts: list[str]) -> Iterator[tuple[str, str]]:
    for at, text in enumerate(texts):
        yield f"{place}.{at}", text


def without_article(text: str) -> str:
    """A noun phrase without its article."""
    return _A_OR_THE.sub("", text)


def words(text: str) -> list[str]:
    """Words and numbers of a text, without its slots."""
    return _WORD.findall(SLOT.sub(" ", text.replace("’", "'")))


@text_cache(1 << 14)
def tokens(text: str) -> tuple[str, ...]:
    """Words, numbers and slots of a text, lower-case."""
    return tuple(found.group().lower() for found in _TOKEN.finditer(text.replace("’", "'")))


@text_cache(1 << 14)
def grams(text: str) -> frozenset[tuple[str, ...]]:
    """Runs of three tokens of a text; all of it where it is shorter."""
    said = tokens(text)
    count = max(1, len(said) - _GRAM + 1)
    return frozenset(said[at : at + _GRAM] for at in range(count))


def likeness(one: str, other: str) -> float:
    """Jaccard likeness of two texts by their runs of three tokens, 0 to 1."""
    first, second = grams(one), grams(other)
    return len(first & second) / len(first | second)


@text_cache(1 << 14)
def content(text: str) -> tuple[str, ...]:
    """Stems of the telling words of a text, in order."""
    lower = (word.lower().removesuffix("'s") for word in words(text))
    telling = (word for word in lower if word[1:].isalpha() and word not in _stop_words())
    return tuple(english.stem(word) for word in telling)


@cache
def _stop_words() -> frozenset[str]:
    # The library takes most of a second to import; who only loads a pack does not need it.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)
