"""What an item asks by its query: subjects, attributes, facts, and what is said around them."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from memassay.schemas.queries.asked.names import EVENT
from memassay.schemas.queries.grammar.expressions import SelectFacts
from memassay.schemas.queries.grammar.query import Query, parts
from memassay.schemas.queries.grammar.truth import Claim, Conflict
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import is_day
from memassay.schemas.values.text import normalise
from memassay.validators.items.asked.history import History

_SIDES: Final = ("subject", "attribute", "value")


class Queried:
    """One item: its query in parts, with the facts of the ledger that it is about."""

    def __init__(self, history: History, item: QAItem, query: Query) -> None:
        """Take an item and its parsed query."""
        self.history = history
        self.item = item
        self.query = query
        self.parts = [part for _, part in parts(query)]
        self.selects = [part for part in self.parts if isinstance(part, SelectFacts)]

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
        """The subjects that each selection names; any of them will do."""
        named = [texts_of(select.where.subject) or self._only(select) for select in self.selects]
        named += [[claim.subject] for claim in self.claims]
        return [list(each) for each in dict.fromkeys(map(tuple, named)) if each]

    def _only(self, select: SelectFacts) -> list[str]:
        """The one subject of a selection that names none: of all facts of its attribute."""
        found = {
            subject
            for attribute in texts_of(select.where.attribute)
            if select.of is None and select.where.value is None and not select.where.modality
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
    def described(self) -> frozenset[str]:
        """The subjects that its references mean: what they name or, of pictures, what they show."""
        history = self.history
        means = {reference.means for reference in self.item.references}
        found = set(means)
        for event in history.bundle.events:
            if event.id in means:
                found |= {event.title, f"{EVENT}{event.card}"}
                # Whoever compares the pictures of an event need not name each of them.
                own = set(event.facts.values())
                found |= {fact.subject for fact in self.facts if fact.id in own}
        for fact in self.facts:
            shown = history.ledger.mentions.get(fact.id, ())
            if any(mention.attachment in means for mention in shown):
                found.add(fact.subject)
        return frozenset(found)

    @cached_property
    def literals(self) -> list[str]:
        """Every text and number of the query itself."""
        return list(_texts(self.item.query))

    @cached_property
    def texts_around(self) -> list[str]:
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
    def series_entries(self) -> list[Fact]:
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
            for fact in self.series_entries
            for mention in ledger.mentions.get(fact.id, ())[:1]
            if mention.turn in turns
        ]

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
