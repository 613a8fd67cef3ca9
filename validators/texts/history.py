"""An index of what is said in a history, and how well a place speaks of a question and its gold."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import cached_property, wraps
from math import log
from typing import Final

from memassay.schemas.contracts.rules import Applies, LooksAt, Problem, RuleContext
from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Speaker, SpeakerKind
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.stems import stem
from memassay.schemas.values.text import tokens
from memassay.validators.places import evidence_rounds
from memassay.validators.registry import RULES
from memassay.validators.wording import CONCLUDED, STOP_WORDS, words, yes_or_no

NEAR: Final = 3
"""Rounds so far from each other, at most, belong to one exchange."""
OPENING: Final = 4
"""Letters by which two forms of a word are one."""
_SHORT_NAME: Final = 3
_WEIGHED: Final = re.compile(r"\b(?:conflict|contradict)", re.IGNORECASE)
_COUNTED: Final = re.compile(r"\bhow (?:many|much|often|old|long)\b", re.IGNORECASE)

IMAGE_ID: Final = re.compile(ATTACHMENT_PATTERN)
CONCLUDED_PLACE: Final = re.compile(r"\b(?:country|countries|continents?|states?)\b", re.IGNORECASE)
"""What people conclude from the name of a town: no text needs to say it."""

Words = frozenset[str]
ItemCheck = Callable[["History", QAItem], Iterator[Problem]]


@text_cache(1 << 16)
def roots(text: str) -> Words:
    """Distinct stems of the content words of a text; single letters are left out."""
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS and word[1:])


def is_unbacked(item: QAItem) -> bool:
    """Whether no ledger proves an item, but places of its history are to."""
    return (
        item.answerable
        and item.query is None
        and not item.evidence.facts
        and item.origin is not ItemOrigin.MACHINE
        and bool(item.evidence.groups or item.evidence.canonical)
    )


def recalls(item: QAItem) -> bool:
    """Whether the words of an unbacked gold are to be found in the history, not concluded."""
    return (
        is_unbacked(item)
        and item.answer.format is AnswerFormat.FREE
        and item.type not in CONCLUDED
        and not item.question.attachments
        and CONCLUDED_PLACE.search(item.question.text) is None
        and not any(yes_or_no(value) or IMAGE_ID.search(value) for value in item.answer.values)
    )


def recalls_words(item: QAItem) -> bool:
    """Whether an unbacked gold is to be found in words, and is no date."""
    return recalls(item) and item.type is not QuestionType.TEMPORAL


def openings(some: Words) -> Words:
    """The first letters of words: "marriage" and "married" are one, and "corkboard" and "cork"."""
    return frozenset(word[:OPENING] for word in some)


def asks_directly(item: QAItem) -> bool:
    """Whether an unbacked item asks what was, and not if a statement, maybe made up, holds."""
    return is_unbacked(item) and not weighs_statement(item.question.text)


def weighs_statement(question: str) -> bool:
    """Whether a question asks if a statement, which may be made up, goes against the history."""
    return _WEIGHED.search(question) is not None


def counts(item: QAItem) -> bool:
    """Whether a question asks for a number, which the history need not say."""
    return _COUNTED.search(item.question.text) is not None


class History:
    """What is said in a history, by round, the unit of evidence.

    Attributes:
        bundle: The history.
        rounds: Its rounds in order.
    """

    def __init__(self, bundle: Bundle) -> None:
        """Index a history; the words of its rounds are counted when they are first asked for."""
        self.bundle = bundle
        self.rounds = bundle.conversation.rounds()
        self._at = {each.id: at for at, each in enumerate(self.rounds)}

    @cached_property
    def names(self) -> Words:
        """Stems of the names of those who speak, and of short forms (`Mel`)."""
        first = [speaker.name.split()[0] for speaker in self.humans if speaker.name.split()]
        return roots(" ".join(form for name in first for form in _forms(name)))

    @cached_property
    def humans(self) -> list[Speaker]:
        """Those who speak and are people."""
        return [
            each for each in self.bundle.conversation.speakers if each.kind is SpeakerKind.HUMAN
        ]

    @cached_property
    def words(self) -> dict[str, Words]:
        """Content words of what a round says and shows, by its id."""
        return {name: roots(text) - self.names for name, text in self.texts.items()}

    @cached_property
    def texts(self) -> dict[str, str]:
        """Text and captions of each round by its id."""
        return {each.id: _text_of(each) for each in self.rounds}

    @cached_property
    def openings(self) -> dict[str, set[str]]:
        """Every word of the history, names of speakers included, by its first three letters."""
        found: dict[str, set[str]] = defaultdict(set)
        names = [each.name for each in self.bundle.conversation.speakers]
        for text in (*self.texts.values(), *names):
            for word in tokens(text):
                found[word[:_SHORT_NAME]].add(word)
        return found

    @cached_property
    def _rarity(self) -> dict[str, float]:
        counted = Counter(word for said in self.words.values() for word in said)
        return {word: log((1 + len(self.rounds)) / count) for word, count in counted.items()}

    def position(self, of: Round) -> int:
        """The number of a round among all, from 0."""
        return self._at[of.id]

    def weight(self, some: Collection[str]) -> float:
        """How much words tell a round from others; one that nobody says weighs most."""
        rarest = log(1 + len(self.rounds))
        return sum(self._rarity.get(word, rarest) for word in sorted(some))

    def words_of(self, rounds: Collection[Round]) -> Words:
        """Content words of several rounds together."""
        return frozenset[str]().union(*(self.words[each.id] for each in rounds))

    def question_words(self, item: QAItem) -> Words:
        """Content words of a question."""
        return roots(item.question.text) - self.names

    def gold_words(self, item: QAItem) -> Words:
        """Content words of a gold that the question does not say; all of them if it says all."""
        found = roots(" . ".join(item.answer.values)) - self.names
        return found - self.question_words(item) or found

    def near(self, of: Round) -> list[Round]:
        """The rounds of the same session at most `NEAR` away, itself left out, nearest first."""
        at = self._at[of.id]
        around = self.rounds[max(0, at - NEAR) : at + NEAR + 1]
        found = [each for each in around if each.id != of.id and session_of(each) == session_of(of)]
        return sorted(found, key=lambda each: abs(self._at[each.id] - at))

    def before(self, of: Round) -> Round | None:
        """The round in front of another in its session."""
        at = self._at[of.id]
        earlier = self.rounds[at - 1] if at else None
        same = earlier is not None and session_of(earlier) == session_of(of)
        return earlier if same else None

    def after(self, of: Round) -> Round | None:
        """The round behind another in its session."""
        later = self.rounds[self._at[of.id] + 1 : self._at[of.id] + 2]
        return later[0] if later and session_of(later[0]) == session_of(of) else None

    def evidence(self, item: QAItem) -> list[Round]:
        """The rounds that an item cites."""
        return evidence_rounds(self.bundle, item)

    def text(self, item: QAItem) -> str:
        """All that the cited rounds say and show."""
        return " . ".join(self.texts[each.id] for each in self.evidence(item))

    def people_in(self, text: str) -> list[Speaker]:
        """People of the conversation whom a text names, by first name or a short form of it."""
        return [each for each in self.humans if _is_named(each, text)]


def _forms(name: str) -> list[str]:
    return [name[:size] for size in range(min(_SHORT_NAME, len(name)), len(name) + 1)]


def _is_named(speaker: Speaker, text: str) -> bool:
    forms = _forms(speaker.name.split()[0]) if speaker.name.split() else []
    return (
        bool(forms) and re.search(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", text) is not None
    )


def session_of(round_: Round) -> str:
    """Id of the session of a round."""
    return round_.id.partition(":")[0]


def speakers_of(round_: Round) -> set[str]:
    """Ids of those who speak in a round."""
    return {turn.speaker for turn in round_.turns}


def _text_of(round_: Round) -> str:
    captions = [each.caption or "" for turn in round_.turns for each in turn.attachments]
    return " . ".join([*(turn.text for turn in round_.turns), *captions])


_LAST: Final[dict[str, History]] = {}
"""The history that was indexed last: one rule after the other asks about the same one."""


def history_of(bundle: Bundle) -> History:
    """The index of a history; the last one is kept."""
    kept = _LAST.get("")
    if kept is None or kept.bundle is not bundle:
        kept = _LAST[""] = History(bundle)
    return kept


def unbacked_rule(
    rule_id: str, severity: Severity, source: str, applies: Applies = is_unbacked
) -> Callable[[ItemCheck], ItemCheck]:
    """Register a check of single items that shares one index of the conversation."""

    def register(check: ItemCheck) -> ItemCheck:
        @wraps(check)
        def over_questions(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
            asked = [item for item in bundle.questions if applies(item)]
            if not asked:
                return
            history = history_of(bundle.history)
            for item in asked:
                yield from check(history, item)

        RULES.conversation(rule_id, severity, source, looks_at=LooksAt.QUESTION, applies=applies)(
            over_questions
        )
        return check

    return register
