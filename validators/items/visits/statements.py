"""What visitors state in a history, found by its words."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, Turn
from memassay.schemas.values.text import normalise, tokens
from memassay.validators.items.visits.revising import Revision
from memassay.validators.items.visits.senses import Senses, content, spoken
from memassay.validators.places import is_visitor
from memassay.validators.texts.history import History, roots
from memassay.validators.wording import sentences

_OWN: Final = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b")
_YOURS: Final = re.compile(r"\b(?:you|your|yours)\b")
_SMALL_TALK: Final = re.compile(
    r"\b(?:(?:have|got|need|ought) to (?:run|go|dash|fly|leave)|must (?:run|go|dash|fly|be off)|"
    r"running around|(?:talk|see|speak|catch up)(?: to| with)?(?: you)?(?: all)? "
    r"(?:soon|later|then|tomorrow)|\w+ (?:is|are) calling|i'll (?:call|ring|write)(?: you)?\b.*|"
    r"(?:call|ring) me\b.*|of course|no worries|don't worry|look at (?:this|that|these)|"
    r"(?:send|show|tell) (?:me|us|more)\b.*|keep me posted|good (?:luck|night|morning|evening)|"
    r"take care|well done|thanks?(?: you)?(?: a lot| so much)?|"
    r"(?:i )?love (?:hearing )?(?:this|that|it)|i'd (?:have|like|love)\b.*|would have\b.*|"
    r"ma[dk]es? (?:me (?:smile|laugh|happy)|my (?:day|morning|evening|week))|"
    r"\w+ hurts? just\b.*|hugs to|can't wait|guess what|you won't believe|"
    r"sounds (?:good|great|lovely|fun)|no way|never mind|go ahead|let me (?:think|see)|"
    r"as seen|see(?=,)|you and your \w+|went quiet|in touch|\w.*please(?=[.!]*$))\b"
)
"""Set phrases, whose words say nothing of anybody's life."""
_TOLD_AS_A_QUESTION: Final = re.compile(
    r"\b(?:remember|recall) (?:when|how|that|the (?:time|day|year|summer|winter))\b|"
    r"\b(?:did|have|haven't|didn't) (?:i|you) (?:ever )?"
    r"(?:know|hear|heard|tell|told|mention\w*|say)\b|\bcan you believe\b"
)
"""Questions that state what they ask about: `Remember when we went to Rome?`"""
_CONCEPT: Final = re.compile(r"<[^<>]+>")
_IT: Final = re.compile(r"\b(?:it|its|they|them)\b")
_FEWEST: Final = 3
"""Words of a statement that is about nobody in so many words."""
_NEWS: Final = re.compile(
    r"\b(?:again|another|also|too|now|new|newly|just|finally|at last|no longer|anymore|any more|"
    r"these days|lately|recently|nowadays|since|yesterday|today|tonight|tomorrow|ago|last|next|"
    r"first|second|third|\d*th|"
    r"fourth|fifth|sixth|seventh|eighth|ninth|tenth|one more|instead|after all|over|off|actually|"
    r"really|turns? out|turned|started|stopped|quit|switched|changed|moved|back|more|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|this (?:morning|week|weekend|month|year|time))\b"
    r"|\d"
)
"""Words of what is new, comes again, or takes something back."""


@dataclass(frozen=True)
class Statement:
    """A sentence of a visitor.

    Attributes:
        session: Its session.
        turn: Its turn.
        text: It.
        plain: It, normalised.
        senses: What it can answer.
        context: What the sentence before it is about, or the question that it answers.
        about: Ids of the speakers it may be about.
        personal: Whether it speaks of "me" or "you".
        news: Whether it tells something new.
        of_concept: Whether it speaks of a concept that visitors show.
        known: Whether the ledger has what it states.
        revision: What it takes back, measures again or adds to.
    """

    session: Session
    turn: Turn
    text: str
    plain: str
    senses: Senses
    context: Senses
    about: frozenset[str]
    personal: bool
    news: bool
    of_concept: bool
    known: bool
    revision: Revision


class Visits:
    """The statements of all visitors of a host, by what they can answer."""

    def __init__(self, bundle: Bundle) -> None:
        """Index them; the host's own words are counted when they are first asked for."""
        self.bundle = bundle
        talk = bundle.conversation
        self._people = History(bundle)
        self.names = self._people.names
        self.origins = {one.origin for one in talk.sessions if one.origin and is_visitor(one)}
        self._spans = _spans(bundle)
        self._asked_before: frozenset[str] = frozenset()
        self._shown_before = False
        self._statements = list(self._found())

    @cached_property
    def _by_sense(self) -> dict[str, list[int]]:
        found = defaultdict(list)
        for at, one in enumerate(self._statements):
            for sense in one.senses.forms | one.senses.near | one.context.forms | one.context.near:
                found[sense].append(at)
        return found

    @cached_property
    def _counts(self) -> tuple[int, Counter[str]]:
        """How many rounds the host has, and how many of them have each word."""
        own = [one for one in self.bundle.conversation.sessions if not is_visitor(one)]
        said = [
            roots(" . ".join(_shown(turn) for turn in round_.turns))
            for session in own
            for round_ in session.rounds
        ]
        return len(said), Counter(word for words in said for word in words)

    def weight(self, word: str) -> float:
        """How much a word tells one matter of the host from others."""
        rounds, counts = self._counts
        return log((2 + rounds) / (1 + counts[word]))

    def with_any(self, senses: Collection[str]) -> Iterator[Statement]:
        """The statements that can answer at least one of some senses, in order of time."""
        found = {at for sense in senses for at in self._by_sense.get(sense, ())}
        for at in sorted(found):
            yield self._statements[at]

    def named(self, text: str) -> frozenset[str]:
        """Ids of the people of the conversation whom a text names."""
        return frozenset(one.id for one in self._people.named(text))

    def _found(self) -> Iterator[Statement]:
        for session in self.bundle.conversation.sessions:
            if not is_visitor(session):
                continue
            self._shown_before = False
            for round_ in session.rounds:
                for turn in round_.turns:
                    yield from self._in_turn(session, turn)
                    self._shown_before = _CONCEPT.search(turn.text) is not None
                    self._asked_before = self._asked(turn)

    def _in_turn(self, session: Session, turn: Turn) -> Iterator[Statement]:
        end, shown = 0, self._shown_before
        before = self._asked_before
        for text in sentences(turn.text):
            begin = turn.text.find(text, end)
            end = begin + len(text)
            plain = normalise(text)
            news = _NEWS.search(plain) is not None
            about_it = _IT.search(plain) is not None or (begin > 0 and not news)
            shown = _CONCEPT.search(text) is not None or (shown and about_it)
            words = content(_SMALL_TALK.sub(" ", plain)) - self.names
            context, before = before, words
            brief = len(tokens(text)) < _FEWEST and _OWN.search(plain) is None
            asks = text.endswith("?") and _TOLD_AS_A_QUESTION.search(plain) is None
            if asks or not words or brief:
                continue
            yield Statement(
                session,
                turn,
                text,
                plain,
                spoken(words),
                spoken(frozenset() if shown else context),
                frozenset(self._about(turn, text, plain)),
                bool(_OWN.search(plain) or _YOURS.search(plain)),
                news,
                shown,
                any(first < end and begin < last for first, last in self._spans.get(turn.id, ())),
                Revision.of(text),
            )

    def _asked(self, turn: Turn) -> frozenset[str]:
        said = sentences(turn.text)
        asked = said[-1] if said and said[-1].endswith("?") else ""
        return content(_SMALL_TALK.sub(" ", normalise(asked))) - self.names

    def _about(self, turn: Turn, text: str, plain: str) -> Iterator[str]:
        yours = _YOURS.search(plain) is not None
        if not yours or _OWN.search(plain):
            yield turn.speaker
        if yours:
            yield from (one.id for one in self._people.humans if one.id != turn.speaker)
        yield from self.named(text)


def _shown(turn: Turn) -> str:
    return " . ".join([turn.text, *(one.caption or "" for one in turn.attachments)])


def _spans(bundle: Bundle) -> dict[str, list[tuple[int, int]]]:
    """By turn, where facts of the ledger are stated."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in bundle.mentions:
        if mention.turn is not None and mention.span is not None:
            found[mention.turn].append((mention.span[0], mention.span[1]))
    return found
