"""Sentences of points: told by the user, asked for by the assistant, stated in the third person."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import FactOperation
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Attribute
from memassay.synth.paths.worldmemarena.lifelong.telling.dealing import Manner, Piece
from memassay.synth.paths.worldmemarena.lifelong.telling.frames import CLAIM, PEOPLE
from memassay.synth.paths.worldmemarena.lifelong.telling.words import load_words
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role, World
from memassay.synth.world.grammar import Expansion, Span, expand

VALUE: Final = "v"
_TOLD: Final = "told"
_BEFORE: Final = "that "
"""What a clause is expanded after, so that it begins as within a sentence, with a small letter."""
_RANKS: Final = ("first", "second", "last")


@dataclass(frozen=True)
class Sentence:
    """Something that the user says.

    Attributes:
        words: The text; the spans of slots are called by the key of the point whose value they are.
        points: What it tells.
        shows: Points that a picture beside it shows.
    """

    words: Expansion
    points: tuple[Point, ...] = ()
    shows: tuple[Point, ...] = ()


class Wordsmith:
    """Words the points of a world; equal points get equal words."""

    def __init__(self, world: World) -> None:
        """Take the world."""
        self.world, self.cast, self.draws = world, world.cast, world.draws
        self.words = load_words()
        self.by_key = {point.key: point for point in world.points}

    def spec(self, point: Point) -> Attribute:
        """The attribute of a point that states a value."""
        return self.cast.spec(point.slot)

    def noun(self, point: Point) -> str:
        """What a point is about, as a noun phrase: `the due date of the login page`."""
        thing = self.cast.things[point.slot.thing]
        if thing.name == self.cast.user:
            return f"my {self.spec(point).say}"
        return f"the {self.spec(point).say} of {thing.spoken}"

    def statement(self, point: Point) -> str:
        """A point in the third person: the content of a memory point."""
        random = self.draws.random("statement", point.key)
        vertical = self.cast.vertical
        if point.role is Role.RULE:
            return self._fill(
                random.choice(vertical.rules[point.slot.thing].statement), random, {}
            ).text
        if point.role is Role.RANK:
            rank = _RANKS[vertical.sources.names.index(point.slot.thing)]
            names = {"s": point.slot.thing, "rank": rank}
            return self._fill(random.choice(vertical.sources.statement), random, names).text
        spec = self.spec(point)
        form = spec.statement
        if point.operation is FactOperation.DELETE and spec.ended is not None:
            form = spec.ended.statement
        elif point.operation is FactOperation.MERGE and spec.merged is not None:
            form = spec.merged.statement
        stated = self._fill(random.choice(form), random, self._third_person(point)).text
        if point.role is Role.CLAIM:
            stated = f"{point.source[:1].upper()}{point.source[1:]}: {stated}"
        return stated

    def ask(self, point: Point, forms: list[str], *purpose: str) -> str:
        """A question about the slot of a point, in one of some forms."""
        random = self.draws.random("ask", point.subject, point.slot.attribute, *purpose)
        return self._fill(random.choice(forms), random, self._third_person(point)).text

    def sentence(self, piece: Piece, *, starts_event: bool, follows: bool) -> Sentence:
        """What the user says to tell a piece.

        Args:
            piece: What is told.
            starts_event: Whether it is the first effect of its event.
            follows: Whether it comes after another one in its turn.
        """
        point = piece.point
        random = self.draws.random("told", piece.manner, *(one.key for one in piece.points))
        if piece.manner is Manner.TAIL:
            return Sentence(self._tail(piece, random))
        if piece.manner is Manner.PICTURE:
            picture = self.cast.kind(point.slot.thing).picture
            assert picture is not None  # only such points are pictured
            shown = self._fill(random.choice(picture.shown), random, self._names(point))
            made = Sentence(shown, shows=piece.points)
        elif piece.manner is Manner.FRAME:
            made = Sentence(self._frame(piece, random), piece.points)
        else:
            made = Sentence(
                self._news(piece, random, follows=follows and not starts_event), piece.points
            )
        if not starts_event:
            return made
        event = self.cast.vertical.events[point.event]
        lead = self._fill(random.choice(event.told), random, self._names(point))
        return replace(made, words=_after(lead, made.words))

    def _news(self, piece: Piece, random: KeyedRandom, *, follows: bool) -> Expansion:
        point, vertical = piece.point, self.cast.vertical
        if point.role is Role.RANK:
            names = dict(zip("abc", vertical.sources.names, strict=True))
            return self._fill(random.choice(vertical.sources.told), random, names)
        if point.role is Role.RULE:
            return self._fill(random.choice(vertical.rules[point.slot.thing].told), random, {})
        if point.role is Role.CLAIM:
            around = random.choice(self.words.claims)
            return self._around(around, self._clause(point, random), random, {"s": point.source})
        told = self._clause_of_user(point, random)
        plain = not point.is_change or point.operation in {
            FactOperation.DELETE,
            FactOperation.MERGE,
        }
        changed = self.words.news if not plain else []
        joined = self.words.joins if follows else ["{told}."]
        around = random.choice(changed or joined)
        return self._around(around, told, random, {"old": self._old(point)})

    def _old(self, point: Point) -> str:
        """The value that the slot of a point has until then."""
        if point.replaces:
            return _value_of(self.by_key[point.replaces[0]])
        held = [
            one
            for one in self.world.points
            if one.slot == point.slot and not one.is_false and one.session < point.session
        ]
        return _value_of(held[-1]) if held else ""

    def _clause_of_user(self, point: Point, random: KeyedRandom) -> Expansion:
        """The clause in which a point is told."""
        spec = self.spec(point)
        forms = spec.told
        if point.operation is FactOperation.DELETE and spec.ended is not None:
            forms = spec.ended.told
        elif point.operation is FactOperation.MERGE and spec.merged is not None:
            forms = spec.merged.told
        return self._inside(random.choice(forms), point, random)

    def _clause(self, point: Point, random: KeyedRandom) -> Expansion:
        return self._inside(self.spec(point).clause, point, random)

    def _inside(self, form: str, point: Point, random: KeyedRandom) -> Expansion:
        """A clause for a sentence around it, with the spans of the value, called by the point."""
        words = self._fill(f"{_BEFORE}{form}", random, self._names(point)).move(-len(_BEFORE))
        spans = tuple(
            Span(point.key, span.start, span.end) for span in words.spans if span.slot == VALUE
        )
        return Expansion(words.text.removeprefix(_BEFORE), spans)

    def _frame(self, piece: Piece, random: KeyedRandom) -> Expansion:
        assert piece.frame is not None
        point = piece.point
        names = dict(piece.frame.filling) | self._people(point, random)
        pattern = piece.frame.pair.pattern(is_false=point.is_false)
        return self._around(
            pattern.replace(f"{{{CLAIM}}}", f"{{{_TOLD}}}"),
            self._clause(point, random),
            random,
            names,
        )

    def _tail(self, piece: Piece, random: KeyedRandom) -> Expansion:
        assert piece.tail is not None
        point = piece.point
        names = self._people(point, random) | {"n": self.noun(point)}
        return expand(piece.tail.pattern(is_false=point.is_false), random, names)

    def _people(self, point: Point, random: KeyedRandom) -> dict[str, str]:
        """Two people who are neither the value nor what the point is about."""
        others = [
            name
            for name in self.cast.people
            if name not in (point.value.text, point.slot.thing, self._old(point))
        ]
        return dict(zip(PEOPLE, random.sample(others, len(PEOPLE)), strict=True))

    def _around(
        self, pattern: str, inner: Expansion, random: KeyedRandom, names: Mapping[str, str]
    ) -> Expansion:
        """A sentence around a clause, with the spans of the clause."""
        outer = expand(pattern, random, {**names, _TOLD: inner.text})
        at = next(span.start for span in outer.spans if span.slot == _TOLD)
        return Expansion(outer.text, inner.move(at).spans)

    def _names(self, point: Point) -> dict[str, str]:
        thing = self.cast.things[point.slot.thing]
        other = self.cast.things[point.other].spoken if point.other else ""
        return {"e": thing.spoken, "f": other, VALUE: _value_of(point)}

    def _third_person(self, point: Point) -> dict[str, str]:
        return {"e": point.slot.thing, "f": point.other, VALUE: _value_of(point)}

    def _fill(self, form: str, random: KeyedRandom, names: Mapping[str, str]) -> Expansion:
        return expand(form, random, {"user": self.cast.user, **names})

    # What the assistant says

    def reply(self, piece: Piece, random: KeyedRandom) -> str:
        """What the assistant says to a piece that is told as news and placed by nothing later."""
        point = piece.point
        ended = point.operation in {FactOperation.DELETE, FactOperation.MERGE}
        if point.role is not Role.SLOT or ended:
            return self.nod(random)
        return self._fill(random.choice(self.spec(point).reply), random, {}).text

    def nod(self, random: KeyedRandom) -> str:
        """What the assistant says to anything, whether it holds or not."""
        return expand(random.choice(self.words.acks), random, {}).text

    def question(self, piece: Piece, random: KeyedRandom, *, is_known: bool) -> str:
        """What the assistant asks, to which the next piece is an answer.

        Args:
            piece: The next piece.
            random: Where words are drawn from.
            is_known: Whether the user spoke of its thing before.
        """
        point, asks = piece.point, self.words.asks
        if piece.manner is Manner.TAIL or point.role is not Role.SLOT:
            return expand(random.choice(asks.open), random, {}).text
        name = self.cast.things[point.slot.thing].name
        if name == self.cast.user:
            return f"And {self.spec(point).back}?"
        forms = asks.known if point.is_change else asks.fresh
        form = random.choice(forms if is_known else asks.open)
        return expand(form, random, {"e": name, "back": self.spec(point).back}).text


def _value_of(point: Point) -> str:
    return spoken_value(point.value)


def _after(first: Expansion, second: Expansion) -> Expansion:
    text = f"{first.text} {second.text}"
    return Expansion(text, second.move(len(first.text) + 1).spans)
