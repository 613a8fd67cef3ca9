"""Rounds of a lesson: the user shows a picture and says what it is called, one a round."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeVar

from memassay.schemas.base import Modality, Record
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.drawings import Box
from memassay.schemas.ids import attachment_id, natural_key, round_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment, Round, RoundKind, Speaker, Turn
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.values.text import ORDINALS
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.concepts.pictures import LOOK, taken_in
from memassay.synth.lessons.colours import colour_of
from memassay.synth.lessons.planning import Lesson, Taught
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.words import lesson_words
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.world.grammar import Expansion, article, join, slots_of, with_article

EXTRAS: Final = "lessons"
"""Key of what an asset notes of where a picture was."""
FEATURE: Final = "feature"
"""Attribute of what the user points out in a picture."""
_TAIL: Final = 0.3
_REMARK: Final = 0.3
_SHOW: Final = 0.15
_CHAT: Final = 0.2
_COLOURS: Final = 0.5
"""Shares of pictures with one more sentence, a remark on it, a question back and a chat behind, and
of turns about a picture of no mark that speak of the colour of what is drawn (our choice)."""
_SEEN: Final = frozenset({"hint", "coloured"})
"""Slots of what can be seen: a pattern has one at most."""


@dataclass(frozen=True)
class Line:
    """A round before it is one.

    Attributes:
        user: What the user says.
        reply: What the assistant says.
        shown: The picture with the class that it is of.
        hint: What is pointed out in it; empty for nothing.
    """

    user: Expansion
    reply: Expansion
    shown: tuple[Taught, ConceptImage] | None = None
    hint: str = ""


@dataclass
class Told:
    """What a lesson brings along.

    Attributes:
        facts: What its pictures show, and what is said of them.
        mentions: Where.
        assets: The pictures.
        shown: By name of a class, the ids of the assets of its pictures.
    """

    facts: list[Fact] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    assets: list[Asset] = field(default_factory=list)
    shown: dict[str, list[str]] = field(default_factory=dict)


One = TypeVar("One", bound=Record)


def by_id(records: Iterable[One]) -> list[One]:
    """Records in natural order of their ids."""
    return sorted(records, key=lambda one: natural_key(str(one.id)))


def take_in_picture(
    image: ConceptImage, name: str, licence: str, blobs: BlobStore, look: str
) -> tuple[Asset, Box]:
    """The asset of a picture and the box of its thing.

    Layouts call it after where it is shown: the name of its file may tell its class.

    Args:
        image: The picture.
        name: Id of the asset.
        licence: SPDX identifier.
        blobs: Where the bytes go.
        look: Id of the fact that it shows.
    """
    asset, box = taken_in(image, name, licence, blobs, [look])
    update: dict[str, object] = {"uri": None}
    if image.looks is None:
        update["extras"] = {EXTRAS: {"source": image.name}}
    return asset.model_copy(update=update), box


def caption_of(lesson: Lesson) -> str:
    """What everybody may know of a picture: `A dog`."""
    noun = lesson.family.noun
    return f"{article(noun).capitalize()} {noun}"


class LessonScript:
    """What is said in each session of a lesson."""

    def __init__(
        self, lesson: Lesson, section: LessonsSection, book: Phrasebook, random: Random
    ) -> None:
        """Take the lesson, its dials, and words for it."""
        self.lesson, self.section, self.book, self.random = lesson, section, book, random
        self.words = lesson_words()
        self.known: list[str] = []
        self.plain = {
            "noun": lesson.family.noun,
            "plural": lesson.family.plural,
            "kind": lesson.family.kind,
        }

    def lines(self, at: int) -> list[Line]:
        """The rounds of a session of the lesson, from 0."""
        lines = [self._opening(at)]
        shown = [(one, image) for one in self.lesson.classes for image in one.parts[at : at + 1]]
        pictures = [(one, image) for one, images in shown for image in images]
        right = ""
        for nth, (taught, image) in enumerate(pictures):
            last = nth == len(pictures) - 1
            line, right = self._picture(taught, image, right, begins=nth == 0, last=last)
            lines.append(line)
            for _ in range(self._talks_after(nth, len(pictures), at)):
                lines.append(self._exchange(self.words.chat, right))
                right = ""
        lines.append(self._exchange(self.words.closing, right))
        return lines

    def _talks_after(self, nth: int, pictures: int, at: int) -> int:
        """How many exchanges without a picture follow a picture of a session."""
        if self.lesson.talks is None:
            return int(nth < pictures - 1 and self.random.random() < _CHAT)
        talks = self.lesson.talks[at]
        return talks * (nth + 1) // pictures - talks * nth // pictures

    def _opening(self, at: int) -> Line:
        if at:
            line = self._exchange(self.words.again, "")
        else:
            photos = self.words.drawn if self.lesson.drawn else self.words.photos
            user = self.book.say(photos, self.plain)
            line = Line(user, self.book.say(self.words.welcome, self.plain))
        if self.section.place == "sessions":
            return line
        before = self.book.say(self.words.before, self.plain)
        return Line(join([before, line.user]), line.reply)

    def _exchange(self, pairs: Sequence[tuple[str, str]], right: str) -> Line:
        # Of those that were shown: what was not is no news.
        name = self.random.choice(self.known)
        values = {**self.plain, "name": name, "a": article(name)}
        user, reply = self.book.exchange(pairs, values)
        return Line(self._agree(right, user), reply)

    def _agree(self, right: str, user: Expansion) -> Expansion:
        """What the user says, after a word on what the assistant guessed."""
        return join([Expansion(right, ()), user]) if right else user

    def _picture(
        self, taught: Taught, image: ConceptImage, right: str, *, begins: bool, last: bool
    ) -> tuple[Line, str]:
        """The round of a picture, and what the user says to it at the next turn."""
        new = taught.name not in self.known
        self.known.append(taught.name)
        values = self._values(taught, image)
        if not new and not begins and self.random.random() < self.section.quiz:
            user, reply = self.book.exchange(self.words.quiz, values)
            agrees = self.book.say(self.words.right, self.plain).text
            return Line(self._agree(right, user), reply, (taught, image)), agrees
        hint = self._hint(taught)
        values |= {"hint": hint} if hint else {}
        patterns = self.words.begin if begins else self.words.next if new else self.words.more
        said = [self._say(patterns, values)]
        if self.random.random() < _TAIL:
            said.append(self._say(self.words.tail, values, seen=False))
        answer = [self._say(self.words.take if new else self.words.keep, values)]
        if self.random.random() < _REMARK:
            answer.append(self._say(self.words.remark, values, seen=False))
        if not last and self.random.random() < _SHOW:
            answer.append(self._say(self.words.show, values, seen=False))
        line = Line(self._agree(right, join(said)), join(answer), (taught, image), hint)
        return line, ""

    def _values(self, taught: Taught, image: ConceptImage) -> dict[str, str]:
        """What can be said of a picture; its colour only where that is no matter of the class."""
        name, family = taught.name, self.lesson.family
        values = {**self.plain, "name": name, "a": article(name)}
        times = self.known.count(name)
        if 1 < times <= len(ORDINALS):
            values["nth"] = list(ORDINALS)[times - 1]
        colour = colour_of(image) if self.lesson.drawn else None
        if colour:
            thing = family.coloured.format(noun=family.noun, colour=colour, a=article(colour))
            values["coloured"] = with_article(thing)
        return values

    def _say(
        self, patterns: Sequence[str], values: Mapping[str, str], *, seen: bool = True
    ) -> Expansion:
        """One of the patterns that speak of the mark, if one is pointed out, or of the colour."""
        wanted = _SEEN & values.keys() if seen else set()
        if "hint" in wanted:
            wanted = {"hint"}
        elif wanted and self.random.random() >= _COLOURS:
            wanted = set()
        fit = [one for one in patterns if _SEEN & set(slots_of(one)) == wanted]
        known = [one for one in fit if set(slots_of(one)) <= values.keys()]
        return self.book.say(known, values)

    def _hint(self, taught: Taught) -> str:
        hints = taught.source.hints
        wanted = bool(hints) and self.random.random() < self.section.hints
        return self.random.choice(hints) if wanted else ""


class LessonWriter:
    """Makes rounds with facts, mentions and assets of what is said; numbers go on between calls."""

    def __init__(
        self,
        lesson: Lesson,
        speakers: tuple[Speaker, Speaker],
        named: Callable[[str], str],
        blobs: BlobStore,
    ) -> None:
        """Take what is shown, who talks, how records are called, and where bytes go.

        Args:
            lesson: The lesson.
            speakers: The user and the assistant.
            named: Gives the id of a record by its local name.
            blobs: Where the bytes of pictures go.
        """
        self.lesson, self.speakers, self.named, self.blobs = lesson, speakers, named, blobs
        self._pictures = self._facts = self._mentions = 0
        self.told = Told()

    def rounds(
        self, session: str, lines: Sequence[Line], before: int = 0, images: int = 0
    ) -> list[Round]:
        """The rounds of a session.

        Args:
            session: Its id.
            lines: What is said.
            before: How many rounds it has already.
            images: The highest number among its images.
        """
        made = []
        for number, line in enumerate(lines, start=before + 1):
            place = round_id(session, number)
            shown: list[Attachment] = []
            if line.shown is not None:
                images += 1
                shown = [self._show(attachment_id(session, images), place, line, *line.shown)]
            turns = [
                Turn(id=turn_id(place, at), speaker=speaker.id, text=said.text)
                for at, (speaker, said) in enumerate(
                    zip(self.speakers, (line.user, line.reply), strict=True), start=1
                )
            ]
            turns[0] = turns[0].model_copy(update={"attachments": shown})
            made.append(Round(id=place, kind=RoundKind.EXCHANGE, turns=turns))
        return made

    def _show(
        self, name: str, place: str, line: Line, taught: Taught, image: ConceptImage
    ) -> Attachment:
        self._pictures += 1
        asset_id = self.named(f"A{self._pictures:03d}")
        look = self._fact("L", asset_id, LOOK, taught.source.look)
        licence = self.lesson.licence
        asset, box = take_in_picture(image, asset_id, licence, self.blobs, look.id)
        self.told.assets.append(asset)
        self.told.shown.setdefault(taught.name, []).append(asset_id)
        self._mention(
            look,
            place,
            1,
            attachment=name,
            asset=asset_id,
            box=list(box),
            modality=Modality.IMAGE,
        )
        kind = self._fact("K", asset_id, self.lesson.family.attribute, taught.name)
        said = {"name": kind}
        if line.hint:
            said["hint"] = self._fact("T", asset_id, FEATURE, line.hint)
        for turn, slot, span in _spans(line):
            if slot in said:
                self._mention(said[slot], place, turn, span=span, modality=Modality.TEXT)
        return Attachment(id=name, asset=asset_id, caption=caption_of(self.lesson))

    def _fact(self, letter: str, subject: str, attribute: str, text: str) -> Fact:
        if letter == "L":
            self._facts += 1
        fact = Fact(
            id=self.named(f"{letter}{self._facts:03d}"),
            subject=subject,
            attribute=attribute,
            value=FactValue(type=ValueType.TEXT, text=text),
        )
        self.told.facts.append(fact)
        return fact

    def _mention(self, fact: Fact, place: str, turn: int, **where: object) -> None:
        self._mentions += 1
        self.told.mentions.append(
            Mention.model_validate(
                {
                    "id": self.named(f"M{self._mentions:04d}"),
                    "fact": fact.id,
                    "round": place,
                    "turn": turn_id(place, turn),
                    "speaker": self.speakers[turn - 1].id,
                    **where,
                }
            )
        )


def _spans(line: Line) -> Iterator[tuple[int, str, list[int]]]:
    """Turn, slot and place of each value that is said."""
    for turn, said in enumerate((line.user, line.reply), start=1):
        for span in said.spans:
            yield turn, span.slot, [span.start, span.end]
