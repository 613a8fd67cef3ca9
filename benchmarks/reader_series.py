"""Figures and kinds that are noted again and again, read without the ledger: ms and tr.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from reader_release import ReadRound
from reader_text import Weights, first_match, sentences, stems
from reader_values import days_told, numbers_in, plain

_HIGH: Final = "highest|longest"
_LOW: Final = "lowest|shortest"
_END: Final = rf"(?P<end>{_HIGH}|{_LOW})"
COURSE: Final = (
    re.compile(r"How did (?P<label>.+) develop\? .+"),
    re.compile(r"What was (?P<label>.+) the first time it was noted, and what the last time\?"),
    re.compile(r"Where did (?P<label>.+) start, and where was it the last time it was noted\?"),
    re.compile(r"From the first note to the last, from what to what did (?P<label>.+) go\?"),
    re.compile(r"What did (?P<label>.+) begin at, and what was it when it was last noted\?"),
    re.compile(r".+ me, what was (?P<label>.+) at the very first, and what is the last figure\?"),
    re.compile(r"What were the first and the last figure noted for (?P<label>.+)\?"),
)
EXTREME: Final = (
    re.compile(rf"What was (?P<label>.+) at its {_END}\?"),
    re.compile(rf"What is the {_END} that was ever noted for (?P<label>.+)\?"),
    re.compile(rf"Of all that was noted for (?P<label>.+), what was the {_END} figure\?"),
    re.compile(rf".+ me, what was (?P<label>.+) when it was {_END}\?"),
    re.compile(rf"What was the {_END} figure for (?P<label>.+)\?"),
    re.compile(rf"What was (?P<label>.+) on the day when it was {_END}\?"),
)
REACHED: Final = (
    re.compile(rf"On (?:what date|which day) was (?P<label>.+?) {_END}\?.*"),
    re.compile(rf"When was (?P<label>.+) at its {_END}\?"),
    re.compile(rf"When was the {_END} figure noted for (?P<label>.+)\?"),
    re.compile(rf"What is the date on which (?P<label>.+) was {_END}\?"),
)
ONCE_MORE: Final = re.compile(r"On what date .+ for the (?P<which>first|last) time\?")
OFTEN: Final = re.compile(r"How many times (?:did|was) .+\?")
EVERY: Final = re.compile(r"Wh(?:at|ich) .+ so far\?")
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


def figures(label: str, unit: str, rounds: Sequence[ReadRound], weights: Weights) -> list[Noted]:
    """The figure of each round whose sentence fits a label best, in the order of time.

    Args:
        label: What is noted.
        unit: Its unit, empty where it is not known: then the one that most rounds share.
        rounds: Where to look.
        weights: How telling words are.
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
    enough = {name: scored for name, scored in by_unit.items() if len(scored) >= len(rounds)}
    shares = enough or by_unit
    shared = max(shares, key=lambda one: sum(score for score, _ in shares[one]), default=None)
    found_ = [] if shared is None else [noted for _, noted in shares[shared]]
    return sorted(found_, key=lambda one: one.round.position)


def in_series(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """What a question about a series of figures or kinds asks for; None for other questions."""
    if match := first_match(EXTREME, question) or first_match(REACHED, question):
        noted = figures(match["label"], "", rounds, weights)
        pick = max if match["end"] in _HIGH else min
        end = pick(noted, key=lambda one: one.number, default=None)
        if end is None:
            return None
        return end.day.isoformat() if first_match(REACHED, question) else end.said
    if match := ONCE_MORE.fullmatch(question):
        days = sorted(str(one.date) for one in rounds)
        return days[0 if match["which"] == "first" else -1]
    return how_often(question, rounds)


def course(question: str, rounds: Sequence[ReadRound], weights: Weights) -> tuple[str, ...]:
    """The first and the last figure of a series; nothing for other questions."""
    match = first_match(COURSE, question)
    noted = figures(match["label"], "", rounds, weights) if match else []
    return (noted[0].said, noted[-1].said) if noted else ()


def told(each: ReadRound) -> str:
    """What a round says, and what was said just before it."""
    return " ".join([*each.turns, *each.before])


def how_often(question: str, rounds: Sequence[ReadRound]) -> str | None:
    """How often a kind was noted: in so many rounds those of its words are said that ask for it."""
    if not OFTEN.fullmatch(question):
        return None
    said = [one.turns[0].lower() for one in rounds]
    words = re.findall(r"[\w'-]+", question.lower())
    runs = [" ".join(words[at : at + size]) for at, size in _stretches(len(words))]
    kinds = [run for run in runs if any(run in text for text in said)]
    kind = max(kinds, key=lambda run: (sum(run in text for text in said), len(run)), default=None)
    return kind and str(sum(kind in text for text in said))


def _stretches(count: int) -> list[tuple[int, int]]:
    return [(at, size) for size in range(_FEWEST, _LONGEST + 1) for at in range(count - size + 1)]


def usual(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The kind that most rounds name: words that stand in most of the sentences asked about."""
    if not USUAL.search(question):
        return None
    own = _runs(question, rounds, weights)
    counted = Counter(run for runs in own for run in runs)
    return _best(counted, counted, weights)


def every_kind(question: str, rounds: Sequence[ReadRound], weights: Weights) -> tuple[str, ...]:
    """Every kind that the rounds name, one a round; nothing for other questions."""
    if not EVERY.fullmatch(question):
        return ()
    own = _runs(question, rounds, weights)
    counted = Counter(run for runs in own for run in runs)
    found = [_best(runs, counted, weights) for runs in own]
    return tuple(sorted({one for one in found if one}))


def _runs(question: str, rounds: Sequence[ReadRound], weights: Weights) -> list[set[str]]:
    """Of each round, the runs of words that can name a kind, in the sentence asked about."""
    asked = set(stems(question))
    found = []
    for each in rounds:
        said = [one for one in sentences([each]) if one.turn == 0]
        best = max(said, key=lambda one: weights.overlap(question, one.text))
        words = re.findall(r"[\w'-]+", best.text.lower())
        runs = {" ".join(words[at : at + size]) for at, size in _stretches(len(words))}
        found.append({run for run in runs if _tells(run, asked)})
    return found


def _best(runs: Iterable[str], counted: Counter[str], weights: Weights) -> str | None:
    """Of those said equally often, the rarest in the whole conversation names a kind."""
    return max(
        runs,
        key=lambda run: (
            counted[run],
            run.split()[0] in _ARTICLES,
            _rarity(run, weights),
            len(run),
        ),
        default=None,
    )


def _rarity(run: str, weights: Weights) -> float:
    own = stems(run)
    return sum(weights.of(stem) for stem in own) / len(own)


def _tells(run: str, asked: set[str]) -> bool:
    """Whether a run can name a kind: new words, after an article if any little word is there."""
    own, words = stems(run), run.split()
    bare = words[1:] if words[0] in _ARTICLES else words
    return bool(own) and len(own) == len(bare) and not set(own) & asked
