"""Figures and kinds that are noted again and again, read without the ledger: ms and tr.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Final

from reader_release import ReadRound
from reader_text import Sentence, Weights, first_match, sentences, stems
from reader_values import days_told, numbers_in, plain

_LIMIT: Final = r"(?P<word>above|below|at least|at most) (?P<limit>-?[\d.]+) ?(?P<unit>\S*?)"
_KEEPS: Final[dict[str, Callable[[Decimal, Decimal], bool]]] = {
    "above": lambda number, limit: number > limit,
    "below": lambda number, limit: number < limit,
    "at least": lambda number, limit: number >= limit,
    "at most": lambda number, limit: number <= limit,
}
COUNTED: Final = (
    re.compile(
        r"(?:.+, )?[Hh]ow (?:many times|often|many of the times that it was noted) "
        rf"(?:was|did \S+ (?:note|have)) (?P<label>.+) {_LIMIT}\?"
    ),
    re.compile(rf"On how many occasions was (?P<label>.+) {_LIMIT}\?"),
    re.compile(rf"Count the times that (?P<label>.+) was {_LIMIT}\."),
    re.compile(rf"Was (?P<label>.+) often {_LIMIT}\? How many times\?"),
)
TIMES: Final = (
    re.compile(
        r"(?:.+, w|W|Exactly how much w)(?:hat was|as) (?P<label>.+) the (?P<which>first|last) "
        rf"time it was {_LIMIT}\?"
    ),
    re.compile(rf"The (?P<which>first|last) time that (?P<label>.+) was {_LIMIT}, what was .+\?"),
    re.compile(
        rf"(?P<label>.+) was {_LIMIT} more than once\. What was it the (?P<which>first|last) "
        r"time\?"
    ),
    re.compile(rf"When (?P<label>.+) was {_LIMIT} for the (?P<which>first|last) time, .+\?"),
)
DAYS: Final = (
    re.compile(rf"On what date was (?P<label>.+) {_LIMIT} for the (?P<which>first|last) time\?"),
    re.compile(rf"When was (?P<label>.+) (?P<which>first|last) {_LIMIT}\?"),
    re.compile(rf"Give the date on which (?P<label>.+) was (?P<which>first|last) {_LIMIT}\."),
)
APART: Final = (
    re.compile(r".*[Hh]ow far apart (?:are|were) the highest and .+ figure for (?P<label>.+)\?"),
    re.compile(r"By how much does the highest figure for (?P<label>.+) exceed the lowest\?"),
    re.compile(r"What is the gap between the highest and .+ figure for (?P<label>.+)\?"),
    re.compile(r"How much does (?P<label>.+) vary, from the lowest to the highest\?"),
    re.compile(r"From its lowest to its highest, how far did (?P<label>.+) go\?"),
)
BESIDE: Final = (
    re.compile(
        r"What was the (?P<which>first|last) figure noted for (?P<label>.+) "
        r"(?P<side>before|after) (?P<event>.+)\?"
    ),
    re.compile(
        r"Which figure for (?P<label>.+) was noted (?P<which>first|last) "
        r"(?P<side>before|after) (?P<event>.+)\?"
    ),
    re.compile(
        r"What did .+? note for (?P<label>.+) the (?P<which>first|last) time "
        r"(?P<side>before|after) (?P<event>.+)\?"
    ),
)
PAUSES: Final = (
    re.compile(
        r"What was the (?P<which>longest|shortest) time in days between two notes of "
        r"(?P<label>.+)\?"
    ),
    re.compile(
        r"How many days was the (?P<which>longest|shortest) pause from one note of "
        r"(?P<label>.+) to the next\?"
    ),
    re.compile(
        r"From one note of (?P<label>.+) to the next, how many days was the "
        r"(?P<which>longest|shortest) wait\?"
    ),
)
_OWNED: Final = r"(?:the|[A-Z]\w*(?: [A-Z]\w*)*'s) .+"
OFTEN: Final = (
    re.compile(r"How many times was it (?P<kind>.+) for .+\?"),
    re.compile(r"How (?:often|many times) did .+? (?:note|name) (?P<kind>.+) as .+\?"),
    re.compile(r"How many times did (?P<kind>.+) come up as .+\?"),
    re.compile(
        r"(?:.+, )?(?:[Hh]ow (?:often|many times)|On how many occasions) was "
        rf"(?P<kind>.+?) {_OWNED}\?"
    ),
)
USUAL: Final = re.compile(r"most often|more (?:days|often)|most frequent|on more of")
_FEWEST: Final = 2
"""Words of a kind, at least: an article and a noun."""
_LONGEST: Final = 4
_ARTICLES: Final = frozenset({"a", "an", "the"})


@dataclass(frozen=True)
class Noted:
    """A figure with its unit, the round that notes it, and the day of that round."""

    number: Decimal
    unit: str
    round: ReadRound

    @property
    def day(self) -> date:
        """The day of its session: what is noted in passing is of that day."""
        return date.fromisoformat(str(self.round.date))

    @property
    def said(self) -> str:
        """The figure with its unit."""
        return f"{plain(str(self.number))} {self.unit}"


def day_of(each: ReadRound) -> date:
    """The last full date that the user says in a round, else the day of its session."""
    said = [one.value for one in days_told(each.turns[0], each.date) if one.value <= str(each.date)]
    return date.fromisoformat(said[-1] if said else str(each.date))


def figures(
    label: str, unit: str, rounds: Sequence[ReadRound], weights: Weights, spare: int = 0
) -> list[Noted]:
    """The figure of each round whose sentence fits a label best, in the order of time.

    Args:
        label: What is noted.
        unit: Its unit, empty where it is not known: then the one that most rounds share.
        rounds: Where to look.
        weights: How telling words are.
        spare: Rounds that may hold none, as they were cited for something else.
    """
    by_unit: dict[str, list[tuple[float, Noted]]] = {}
    for each in rounds:
        best: dict[str, tuple[float, Noted]] = {}
        for sentence in sentences([each]):
            score = weights.overlap(label, sentence.text)
            for found in numbers_in(sentence.text, unit or None) if sentence.turn == 0 else ():
                after = re.match(r"\s?(%|[^\W\d][\w/]*)", sentence.text[found.end :])
                if after and score:
                    one = Noted(Decimal(found.value), after.group(1), each)
                    if score > best.get(one.unit, (0.0,))[0]:
                        best[one.unit] = (score, one)
        for name, scored in best.items():
            by_unit.setdefault(name, []).append(scored)
    enough = {
        name: scored for name, scored in by_unit.items() if len(scored) >= len(rounds) - spare
    }
    shares = enough or by_unit
    shared = max(shares, key=lambda one: sum(score for score, _ in shares[one]), default=None)
    found_ = [] if shared is None else [noted for _, noted in shares[shared]]
    return sorted(found_, key=lambda one: one.round.position)


def _kept(match: re.Match[str], rounds: Sequence[ReadRound], weights: Weights) -> list[Noted]:
    keeps, limit = _KEEPS[match["word"]], Decimal(match["limit"])
    noted = figures(match["label"], match["unit"], rounds, weights)
    return [one for one in noted if keeps(one.number, limit)]


def in_series(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """What a question about a series of figures asks for; None for other questions."""
    if match := first_match(COUNTED, question):
        return str(len({one.round.id for one in _kept(match, rounds, weights)}))
    if match := first_match(TIMES, question):
        kept = _kept(match, rounds, weights)
        return kept[0 if match["which"] == "first" else -1].said if kept else None
    if match := first_match(DAYS, question):
        kept = _kept(match, rounds, weights)
        return kept[0 if match["which"] == "first" else -1].day.isoformat() if kept else None
    if match := first_match(APART, question):
        noted = figures(match["label"], "", rounds, weights)
        numbers = [one.number for one in noted]
        return f"{plain(str(max(numbers) - min(numbers)))} {noted[0].unit}" if noted else None
    if match := first_match(BESIDE, question):
        return _beside_event(match, rounds, weights)
    if match := first_match(PAUSES, question):
        days = sorted({date.fromisoformat(str(one.date)) for one in rounds})
        waits = [(late - early).days for early, late in pairwise(days)]
        return f"{(max if match['which'] == 'longest' else min)(waits)} days" if waits else None
    return None


def _beside_event(
    match: re.Match[str], rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """The last figure before an event, or the first after it: one round tells the event."""
    noted = figures(match["label"], "", rounds, weights, spare=1)
    # The round of a note may tell of the event, too; one that gives no figure is the event's own.
    own = [one for one in rounds if all(one is not each.round for each in noted)] or rounds
    event = max(own, key=lambda each: weights.overlap(match["event"], told(each)))
    day = day_of(event)
    before = match["side"] == "before"
    kept = [one for one in noted if (one.day < day if before else one.day > day)]
    return kept[-1 if match["which"] == "last" else 0].said if kept else None


def told(each: ReadRound) -> str:
    """What a round says, and what was said just before it."""
    return " ".join([*each.turns, *each.before])


def how_often(question: str, rounds: Sequence[ReadRound]) -> str | None:
    """How often a kind was noted: in so many rounds it is said."""
    match = first_match(OFTEN, question)
    if match is None:
        return None
    kind = match["kind"].lower()
    return str(sum(kind in one.turns[0].lower() for one in rounds))


def usual(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The kind that most rounds name: words that stand in most of the sentences asked about."""
    if not USUAL.search(question):
        return None
    best: list[Sentence] = []
    for each in rounds:
        said = [one for one in sentences([each]) if one.turn == 0]
        best.append(max(said, key=lambda one: weights.overlap(question, one.text)))
    asked = set(stems(question))
    runs: Counter[str] = Counter()
    for one in best:
        words = re.findall(r"[\w'-]+", one.text.lower())
        own = {
            " ".join(words[at : at + size])
            for size in range(_FEWEST, _LONGEST + 1)
            for at in range(len(words) - size + 1)
        }
        runs.update(run for run in own if _tells(run, asked))
    if not runs:
        return None
    # Of those said equally often, the rarest in the whole conversation names a kind.
    return max(
        runs,
        key=lambda run: (
            runs[run],
            run.split()[0] in _ARTICLES,
            _rarity(run, weights),
            len(run),
        ),
    )


def _rarity(run: str, weights: Weights) -> float:
    own = stems(run)
    return sum(weights.of(stem) for stem in own) / len(own)


def _tells(run: str, asked: set[str]) -> bool:
    """Whether a run can name a kind: new words, after an article if any little word is there."""
    own, words = stems(run), run.split()
    bare = words[1:] if words[0] in _ARTICLES else words
    return bool(own) and len(own) == len(bare) and not set(own) & asked
