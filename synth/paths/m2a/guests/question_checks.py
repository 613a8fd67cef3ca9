"""Checks of questions that a model asks about guest sessions it wrote (M2A C, step 3)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.schemas.ids import natural_key, round_id, session_id
from memassay.schemas.values.civil_time import MONTHS, day_forms, is_day, is_when, start
from memassay.schemas.values.relative_dates import relative_dates
from memassay.schemas.values.text import content_tokens, coverage, holds, is_blank, normalise
from memassay.synth.paths.m2a.guests.brief import Brief, Problem, quote_start, without
from memassay.synth.paths.m2a.guests.session_checks import LONGEST, ids_in
from memassay.synth.paths.m2a.tasks import ConceptQuestion, GuestSession, GuestTurn

LONGEST_ANSWER: Final = 200
"""Characters of an answer at most (our choice)."""
BORNE: Final = 0.5
"""Share of the words of an answer that its evidence has to say (our choice)."""
_SINGLE: Final = 2
"""Turns of a single fact at most: it may be said in answer to the other (our choice)."""
YES_NO: Final = frozenset({"yes", "no"})

_PLACE: Final = re.compile(r"D?([0-9]{1,6}):([0-9]{1,6})")
_OPTIONS: Final = re.compile(r"(?:^|\s)\(?[A-Da-d1-4][).:]\s")
_NAMED: Final = re.compile(r"<([^<>\n]{1,80})>")
_LENGTH: Final = re.compile(
    r"(?:about |over |almost )?[\w-]+(?: and a half)? (?:minute|hour|day|week|month|year)s?",
    re.IGNORECASE,
)
_TODAY: Final = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|just now)\b", re.I
)
_FROM_ZERO: Final = "evidence: expected places that count from 1, got some from 0"
_FILLERS: Final = frozenset(
    {
        *("a", "and", "are", "as", "at", "be", "been", "but", "by", "did", "do", "does", "for"),
        *("from", "had", "has", "have", "he", "her", "hers", "him", "his", "how", "i", "in", "is"),
        *("it", "its", "me", "my", "of", "on", "one", "or", "our", "she", "so", "than", "that"),
        *("their", "them", "then", "they", "this", "those", "to", "two", "was", "we", "were"),
        *("what", "when", "where", "which", "who", "whose", "why", "will", "with", "you", "your"),
    }
)
"""Words that two texts share without speaking of one thing."""


@dataclass(frozen=True)
class Place:
    """A turn of the sessions.

    Attributes:
        id: `D2:5`.
        turn: What is said and shown there.
        date: `When` of its session.
    """

    id: str
    turn: GuestTurn
    date: str

    @property
    def said(self) -> str:
        """Who says what."""
        return f"{self.turn.speaker}: {self.turn.text[:LONGEST]}"


@dataclass
class Sorted:
    """Questions by what becomes of them.

    Attributes:
        right: Those that are kept, at most as many of each category as are wanted.
        wrong: What is wrong with each of the others, by its number from 0.
        surplus: Numbers of those that are right and more than wanted.
        lacking: By category, how many questions more are wanted.
    """

    right: list[ConceptQuestion] = field(default_factory=list)
    wrong: dict[int, list[Problem]] = field(default_factory=dict)
    surplus: list[int] = field(default_factory=list)
    lacking: dict[str, int] = field(default_factory=dict)


def places_of(brief: Brief, sessions: Sequence[GuestSession]) -> dict[str, Place]:
    """The turns of the sessions by their ids, in order."""
    return {
        name: Place(name, turn, when)
        for at, (session, when) in enumerate(zip(sessions, brief.dates, strict=True), start=1)
        for number, turn in enumerate(session.turns, start=1)
        for name in [round_id(session_id(at), number)]
    }


def sort_questions(
    brief: Brief, places: Mapping[str, Place], questions: Sequence[ConceptQuestion]
) -> Sorted:
    """Which questions are kept, which are wrong and why, and how many are lacking."""
    checks = _Checks(brief, places)
    found = Sorted(lacking=dict(brief.wanted))
    by_number = [list(checks.of(question)) for question in questions]
    if _counts_from_zero(questions, by_number):
        by_number = [[(_FROM_ZERO, True)]] * len(questions)
    for number, (question, problems) in enumerate(zip(questions, by_number, strict=True)):
        code = str(question.category)
        if problems:
            found.wrong[number] = [
                Problem(number + 1, f"{quote_start(question.question)}, {said}", lost)
                for said, lost in problems
            ]
        elif not found.lacking.get(code):
            found.surplus.append(number)
        else:
            found.right.append(question)
            found.lacking[code] -= 1
    found.lacking = {code: number for code, number in found.lacking.items() if number}
    return found


def _counts_from_zero(
    questions: Sequence[ConceptQuestion], problems: Sequence[Sequence[object]]
) -> bool:
    """Whether a place with a 0 is no slip: then none of the others is where it seems to be."""
    zeros = any("0" in place.split(":") for one in questions for place in _plain(one))
    return zeros and sum(map(bool, problems)) * 2 > len(questions)


def evidence_of(question: ConceptQuestion, places: Mapping[str, Place]) -> list[str]:
    """The turns that a question cites, in order; those that do not exist are left out."""
    cited = {f"D{int(s)}:{int(t)}" for s, t in (one.split(":") for one in _plain(question))}
    return sorted(cited & places.keys(), key=natural_key)


def _plain(question: ConceptQuestion) -> list[str]:
    """Places of the form `2:5` that a question cites."""
    matches = (_PLACE.fullmatch(one.strip()) for one in question.evidence)
    return [f"{int(one[1])}:{int(one[2])}" for one in matches if one]


class _Checks:
    """Looks at questions one after the other."""

    def __init__(self, brief: Brief, places: Mapping[str, Place]) -> None:
        self.brief, self.places = brief, places
        self.order = list(places)
        self.asked: set[str] = set()

    def of(self, question: ConceptQuestion) -> Iterator[tuple[str, bool]]:
        """What is wrong with a question, and whether no record can be made of it."""
        lost = list(self._shape(question))
        if lost:
            yield from ((said, True) for said in lost)
            return
        yield from ((said, False) for said in self._words(question))
        wrong = list(self._places(question))
        yield from ((said, False) for said in wrong or self._grounds(question))

    def _shape(self, question: ConceptQuestion) -> Iterator[str]:
        for name, text, most in (
            ("question", question.question, LONGEST),
            ("answer", question.answer, LONGEST_ANSWER),
        ):
            if is_blank(text) or len(text) > most:
                got = quote_start(text) if len(text) <= most else f"{len(text):,}"
                yield f"{name}: expected words, at most {most} characters, got {got}"
        if str(question.category) not in self.brief.wanted:
            yield f"category: expected 6, 7, 8 or 9, got {question.category}"

    def _words(self, question: ConceptQuestion) -> Iterator[str]:
        extra = without(question, "question, answer, category and evidence")
        if extra:
            yield extra
        if len(_OPTIONS.findall(question.question)) > 1:
            yield "question: expected no options"
        if normalise(question.question) in self.asked:
            yield "question: expected one that was not asked yet"
        self.asked.add(normalise(question.question))
        # Who asks which of several it is has to name them all.
        offered = set(_NAMED.findall(question.question))
        closed = normalise(question.answer) in YES_NO or (
            len(offered) > 1 and question.answer.strip("<>") in offered
        )
        if not closed and holds(question.question, question.answer):
            answer = quote_start(question.answer)
            yield f"question: expected one that does not say its answer {answer}"
        for name in dict.fromkeys(_NAMED.findall(question.question)):
            if name not in self.brief.concepts:
                yield f"question: expected names of concepts in angle brackets, got <{name}>"
        for image in ids_in(question.question, self.brief):
            yield f"question: expected no id of an image, got {image!r}"
        if question.category == 7 and _is_day_in_words(question.answer):
            yield f"answer: expected a day as YYYY-MM-DD, got {quote_start(question.answer)}"

    def _places(self, question: ConceptQuestion) -> Iterator[str]:
        if not question.evidence:
            yield "evidence: expected at least one turn, got none"
        for one in question.evidence:
            found = _PLACE.fullmatch(one.strip())
            name = f"D{int(found[1])}:{int(found[2])}" if found else ""
            if name not in self.places:
                yield f"evidence: expected turns of the sessions as `D2:5`, got {quote_start(one)}"

    def _grounds(self, question: ConceptQuestion) -> Iterator[str]:
        """Whether what is cited is what the answer rests on, as far as words tell."""
        cited = [self.places[name] for name in evidence_of(question, self.places)]
        if question.category == 6 and len(cited) < 2:
            yield f"evidence: expected two turns or more, got {cited[0].id}"
        if question.category == 8:
            if not any(one.turn.images for one in cited):
                yield f"evidence: expected a turn that shows an image, got {_ids(cited)}"
            return
        if question.category == 9 and len(cited) > _SINGLE:
            yield f"evidence: expected one turn, got {_ids(cited)}"
        idle = [one for one in cited if not _speaks(question, one, cited)]
        if self._is_borne(question, cited):
            if idle:
                yield f"evidence: expected turns that the answer rests on, got also {_ids(idle)}"
            return
        beside = [one for one in self._beside(cited) if self._is_borne(question, [one])]
        said = f"evidence: expected turns that say {quote_start(question.answer)}"
        nearest = f"; {_ids(beside)} does" if beside else ""
        yield f"{said}, got {_ids(cited)}{nearest}"

    def _beside(self, cited: Sequence[Place]) -> list[Place]:
        """The turns before and after those that are cited."""
        own = [self.order.index(one.id) for one in cited]
        near = {at + by for at in own for by in (-1, 1)} - set(own)
        return [self.places[self.order[at]] for at in sorted(near) if 0 <= at < len(self.order)]

    def _is_borne(self, question: ConceptQuestion, cited: Sequence[Place]) -> bool:
        answer = question.answer
        if is_when(normalise(answer)) and len(answer.strip()) >= len("2024-03"):
            return any(_says_when(one, answer.strip()) for one in cited)
        said = " ".join(one.said for one in cited)
        if normalise(answer).rstrip(".!") in YES_NO or _LENGTH.fullmatch(answer.strip()):
            # Nobody has to say a conclusion; what it is drawn from speaks of what is asked.
            return holds(said, answer) or all(_shares(question.question, one) for one in cited)
        words = [one for one in content_tokens(answer) if one not in _FILLERS]
        numbers = [one for one in words if one[:1].isdigit()]
        told = set(content_tokens(said))
        if coverage(said, " ".join(words) or answer) >= BORNE and told.issuperset(numbers):
            return True
        # No text has a sum or a difference.
        derived = question.category in (6, 7) and bool(numbers)
        return derived and all(_shares(question.question, one) for one in cited)


def _speaks(question: ConceptQuestion, place: Place, cited: Sequence[Place]) -> bool:
    """Whether a turn has to do with a question, its answer, or another turn of its evidence."""
    others = (one.turn.text[:LONGEST] for one in cited if one is not place)
    return _shares(" ".join([question.question, question.answer, *others]), place)


def _ids(places: Sequence[Place]) -> str:
    return " and ".join(one.id for one in places)


def _shares(question: str, place: Place) -> bool:
    """Whether a turn speaks of what a question asks about."""
    words = set(content_tokens(question)) - _FILLERS
    return bool(words & set(content_tokens(place.said)))


def _is_day_in_words(answer: str) -> bool:
    words = normalise(answer)
    months = [month for month in MONTHS if re.search(rf"\b{month[:3].casefold()}", words)]
    return bool(months) and bool(re.search(r"\b[0-9]{1,2}(?:st|nd|rd|th)?\b", words))


def _says_when(place: Place, when: str) -> bool:
    """Whether a turn says a day or month: in full, or in words that count from its own day."""
    text, spoken = place.turn.text[:LONGEST], start(place.date).date()
    told = [reading for one in relative_dates(text, spoken) for reading in one.readings]
    if not is_day(when):
        ends = [(one.first.isoformat()[:7], one.last.isoformat()[:7]) for one in told]
        is_told = any(first <= when <= last for first, last in ends)
        return is_told or when == place.date[:7] or holds(text, MONTHS[int(when[5:7]) - 1])
    day = start(when).date()
    if any(holds(text, form) for form in (when, *day_forms(when))):
        return True
    is_today = day == spoken and _TODAY.search(text) is not None
    return is_today or any(one.contains(day) for one in told)
