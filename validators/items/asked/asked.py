"""What an item asks by its query, and the words of the ledger that may stand in its question."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Final

from memassay.schemas.queries.asked.words import Run, Word, places_of, run_of, spaced, words_of
from memassay.schemas.queries.grammar.expressions import SelectFacts
from memassay.schemas.queries.grammar.query import Query, parts
from memassay.schemas.queries.grammar.truth import Claim, Conflict
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS, day_forms, is_day
from memassay.schemas.values.text import normalise
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.history import History
from memassay.validators.wording import key_words

_NEAR: Final = 3
"""Words beside a negation that say what is denied (our choice)."""
_SIDES: Final = ("subject", "attribute", "value")


class Asked:
    """One item: its query in parts, its question in words, and what explains them."""

    def __init__(self, history: History, item: QAItem, query: Query) -> None:
        """Take an item and its parsed query."""
        self.history = history
        self.item = item
        self.query = query
        self.parts = [part for _, part in parts(query)]
        self.selects = [part for part in self.parts if isinstance(part, SelectFacts)]

    @cached_property
    def text(self) -> str:
        """The question without the options that are listed behind it."""
        text = self.item.question.text
        listed = " ".join(f"{one.label}. {one.text}" for one in self.item.answer.options)
        return text.removesuffix(listed) if listed else text

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the question."""
        return words_of(self.text)

    @cached_property
    def line(self) -> Run:
        """The same, folded."""
        return tuple(word.folded for word in self.words)

    @cached_property
    def whole(self) -> Run:
        """The words of the question with its options."""
        return run_of(self.item.question.text)

    @cached_property
    def facts(self) -> list[Fact]:
        """The facts that its selections are about, whether or not they fit every filter."""
        found: dict[str, Fact] = {}
        for select in self.selects:
            keys = [
                (side, [normalise(one) for one in texts_of(getattr(select.where, side))])
                for side in _SIDES
                if getattr(select.where, side) is not None
            ]
            if keys:
                wanted = [(side, set(texts)) for side, texts in keys]
                for fact in self.history.ledger.candidates(keys):
                    sides = self.history.ledger.sides[fact.id]
                    if all(sides.get(side) in texts for side, texts in wanted):
                        found[fact.id] = fact
        return list(found.values())

    @cached_property
    def subjects(self) -> list[list[str]]:
        """The subjects that each selection names, any of which will do."""
        named = [texts_of(select.where.subject) or self._only(select) for select in self.selects]
        named += [[claim.subject] for claim in self.claims]
        return [list(each) for each in dict.fromkeys(map(tuple, named)) if each]

    def _only(self, select: SelectFacts) -> list[str]:
        """The one subject of a selection that names none: of all facts of its attribute."""
        found = {
            subject
            for attribute in texts_of(select.where.attribute)
            if select.of is None and select.where.value is None
            for subject in self.history.subjects_of(attribute)
        }
        return list(found) if len(found) == 1 else []

    @cached_property
    def claims(self) -> list[Claim]:
        """What the question itself asserts."""
        return [
            one.claim
            for one in self.parts
            if isinstance(one, Conflict) and isinstance(one.claim, Claim)
        ]

    @cached_property
    def attributes(self) -> list[str]:
        """The attributes that its operators name."""
        named = [text for part in self.parts for text in texts_of(_attribute(part))]
        named += [claim.attribute for claim in self.claims]
        return list(dict.fromkeys(named))

    @cached_property
    def subjects_of_all(self) -> list[list[str]]:
        """The subjects of each selection in turn, repeated ones too."""
        return [texts_of(select.where.subject) for select in self.selects]

    @cached_property
    def attributes_of_all(self) -> list[list[str]]:
        """The attributes of each selection in turn, repeated ones too."""
        return [texts_of(select.where.attribute) for select in self.selects]

    @cached_property
    def titles(self) -> frozenset[str]:
        """Titles of the events that its facts belong to."""
        return frozenset(event.title for event in self.events)

    @cached_property
    def events(self) -> list[TimelineEvent]:
        """The events that its facts belong to."""
        of = self.history.names.event_of
        facts = [name for fact in self.facts for name in (fact.id, *fact.entailed_by)]
        found = {of[name].id: of[name] for name in facts if name in of}
        return list(found.values())

    @cached_property
    def narrow(self) -> tuple[Run, ...]:
        """Lines that the query itself or its facts bring in."""
        names = self.history.names
        values = [text for select in self.selects for text in texts_of(select.where.value)] + [
            one.text for one in self.item.answer.options
        ]
        values += [claim.value for claim in self.claims]
        units = {fact.value.unit for fact in self.facts if fact.value.unit}
        texts = [*map(plain, self.attributes), *self.titles, *values, *units]
        texts += [plain(fact.attribute) for fact in self.facts]
        texts += [form for text in values if is_day(text) for form in day_forms(text)]
        runs = [run for keys in self.subjects for key in keys for run in names.runs.get(key, ())]
        return tuple(filter(None, dict.fromkeys([*runs, *map(run_of, texts)])))

    @cached_property
    def wide(self) -> tuple[Run, ...]:
        """Lines of the history around the answer: its evidence and what tells of its facts."""
        return tuple(run_of(text) for text in self.told)

    def knows(self, word: str) -> bool:
        """Whether a word stands in the query and its facts, or around the answer."""
        return any(word in line for line in self.narrow) or any(word in line for line in self.wide)

    @cached_property
    def told(self) -> list[str]:
        """Texts and captions of the rounds that are cited, or that nearly answer a refusal."""
        bundle, item = self.history.bundle, self.item
        places = [place for group in item.evidence.groups for place in group] or item.decoys
        rounds = {round_.id: round_ for place in places for round_ in bundle.rounds_of(place)}
        texts = []
        for round_ in rounds.values():
            for turn in round_.turns:
                texts.append(turn.text)
                texts += [shown.caption for shown in turn.attachments if shown.caption]
        return texts

    @cached_property
    def masked(self) -> frozenset[int]:
        """Places of the words that stand for parts of the query, not for what is done to them."""
        found: set[int] = set()
        for run in self.narrow:
            if len(run) > 1 or run[0] not in _LOOSE:
                for at in places_of(run, self.line):
                    found.update(at)
        return frozenset(found)

    @cached_property
    def frame(self) -> Run:
        """The question with its masked words left out."""
        return tuple(word for at, word in enumerate(self.line) if at not in self.masked)

    @cached_property
    def joined(self) -> str:
        """The frame as one text."""
        return " ".join(self.frame)

    @cached_property
    def negations(self) -> list[int]:
        """Places of the words that deny what is asked, or leave something out.

        Not those of a clause that only says when or who, of `or not` and `without another`.
        """
        line = self.line
        # Where a value is asked by, the clause that says it is the question itself.
        passing = all(select.where.value is None for select in self.selects)
        return [
            at
            for at, word in enumerate(line)
            if at not in self.masked
            and (word in cues.NEGATION or word.endswith("n't") or line[at : at + 2] in cues.BUT)
            and not (at and line[at - 1] == "or")
            and not (word == "without" and _manner(line[at + 1 :]))
            and not (word != "without" and passing and cues.CLAUSES & set(line[1:at]))
        ]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences that state its facts, or what entails them."""
        ledger, turns = self.history.ledger, self.history.bundle.turn_by_id
        found = []
        for fact in self.facts:
            for name in (fact.id, *fact.entailed_by):
                for mention in ledger.mentions.get(name, ()):
                    if mention.turn in turns:
                        found.append(_around(turns[mention.turn].text, mention.span))
        return found

    @cached_property
    def noted(self) -> list[Fact]:
        """Entries of a series: facts of an attribute, each noted with an event of its own."""
        series = {
            attribute
            for select in self.selects
            if not texts_of(select.where.subject)
            for attribute in texts_of(select.where.attribute)
        }
        events = self.history.names.is_event
        return [fact for fact in self.facts if fact.attribute in series and events(fact.subject)]

    @cached_property
    def turns(self) -> list[str]:
        """Texts of the turns that state the entries of a series."""
        ledger, turns = self.history.ledger, self.history.bundle.turn_by_id
        return [
            turns[mention.turn].text
            for fact in self.noted
            for mention in ledger.mentions.get(fact.id, ())[:1]
            if mention.turn in turns
        ]

    @cached_property
    def known(self) -> frozenset[str]:
        """Key words of all that may explain a word of the question."""
        texts = [*(" ".join(run) for run in self.narrow), *self.told]
        return frozenset().union(*map(key_words, texts))

    def tells(self, words: Iterable[str]) -> bool:
        """Whether the facts, or what is said around them, have these words too."""
        return all(key_words(word) <= self.known for word in words)

    def denied(self, at: int) -> bool:
        """Whether the facts deny something, or the history the very word that is denied here."""
        own = [*map(plain, self.attributes), *self.titles]
        if any(map(_denies, own)) or any(not cues.DENIALS.isdisjoint(run_of(one)) for one in own):
            return True
        wanted = next(filter(None, map(key_words, self.line[at + 1 :])), frozenset[str]())
        return any(
            not wanted.isdisjoint(key_words(" ".join(line[place + 1 : place + 1 + _NEAR])))
            for line in self.wide
            for place, word in enumerate(line)
            if word in cues.NEGATION or word.endswith("n't")
        )

    @cached_property
    def literals(self) -> list[str]:
        """Every text and number that stands in the query itself."""
        return list(_texts(self.item.query))

    @cached_property
    def days(self) -> list[str]:
        """Days on which its facts hold, and on which they are told."""
        bundle, item = self.history.bundle, self.item
        places = [place for group in item.evidence.groups for place in group] or item.decoys
        dates = [
            bundle.date_by_round.get(one.id) for place in places for one in bundle.rounds_of(place)
        ]
        dates += [fact.valid_from for fact in self.facts]
        return [date[:10] for date in dates if date and is_day(date[:10])]

    @staticmethod
    def is_number(text: str) -> bool:
        """Whether a text is a decimal number."""
        return _equal(text, text)

    def says(self, value: str) -> bool:
        """Whether the question has a value: its words, one of the forms of a day, a number."""
        if self.is_number(value):
            return self.says_number(value)
        forms = [value, *(day_forms(value) if is_day(value) else ())]
        return any(places_of(run_of(form), self.line) for form in forms)

    def says_number(self, number: str) -> bool:
        """Whether the question has a number, however many zeros end it."""
        return any(_equal(word, number) for word in self.line)

    def date_words(self, when: str) -> list[str]:
        """The words by which a time is named."""
        year, _, rest = when.partition("-")
        month = rest[:2]
        return [year] + ([MONTHS[int(month) - 1].casefold()] if month else [])


def _manner(after: Run) -> bool:
    """Whether what follows `without` says how: `without stumbling`, `without another between`."""
    return bool(after) and (after[0].endswith("ing") or after[0] == "another")


def _denies(text: str) -> bool:
    return any(
        word in cues.NEGATION or word.endswith("n't") or (word[:2] == "un" and word[2:5] not in _UN)
        for word in run_of(text)
    )


def _texts(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        for one in node:
            yield from _texts(one)
    elif isinstance(node, str | int):
        yield str(node)


def _around(text: str, span: list[int] | None) -> str:
    """The sentence around a span, or the whole text."""
    if span is None:
        return text
    start = max((text.rfind(mark, 0, span[0]) for mark in ".!?"), default=-1)
    ends = [at for mark in ".!?" if (at := text.find(mark, span[1])) >= 0]
    return text[start + 1 : min(ends, default=len(text))]


def _equal(word: str, number: str) -> bool:
    try:
        return Decimal(word) == Decimal(number)
    except InvalidOperation:
        return False


_UN: Final = frozenset({"til", "der", "cle", "it", "its", "ion", "ive", "iqu", "ifo"})
"""How words go on that begin with `un` and deny nothing."""
_LOOSE: Final = spaced(
    "first last next new old most least day days week weeks time date order step price"
)
"""Words that do not stand for a part of a query when they stand alone."""


def texts_of(words: object) -> list[str]:
    """One text or several as a list."""
    if words is None:
        return []
    return [str(one) for one in words] if isinstance(words, list) else [str(words)]


def plain(attribute: str) -> str:
    """An attribute in words: keys are joined by underscores, cells of tables by a slash."""
    return attribute.replace("_", " ").replace("/", " ")


def _attribute(part: object) -> object:
    where = getattr(part, "where", None)
    return getattr(where if where is not None else part, "attribute", None)


def in_any(words: Iterable[str], lines: Iterable[Run]) -> bool:
    """Whether every one of some words stands in one of the lines or another."""
    known = {word for line in lines for word in line}
    return all(word in known for word in words)
