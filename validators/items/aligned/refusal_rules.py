"""Rules on refusals without a ledger: what the one asked about tells is not what is refused."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import tokens
from memassay.validators.items.aligned.clauses import share
from memassay.validators.items.aligned.contrasts import OPPOSITES, THINGS, meant, named
from memassay.validators.items.aligned.marked import unsaid_marks
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import (
    OPENING,
    History,
    Words,
    is_refused,
    only_asks,
    roots,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences, words

_MOST: Final = 0.68
"""Share of a question's words that the one asked about tells, where they likely answer it."""
_FEWEST: Final = 2
_LEAST: Final = 0.1
_WORDS: Final = 5
_LIGHT: Final = (
    "come call live give name say tell mention grow make type kind sort thing own use take find"
    " share see know learn instrument animal food place person item object old new"
    " reason period time theme related picture photo recently visit enjoy specific made"
)
"""Words with which it may be asked for anything that is told in other words."""


@unbacked_rule(
    "refused.as_asked",
    Severity.WARNING,
    "our choice: answerable questions marked as not answerable",
    applies=is_refused,
)
def as_asked(history: History, item: QAItem) -> Iterator[Problem]:
    """What a refused question asks of somebody, no cited turn of theirs tells as it is asked."""
    people, asked = history.named(item.question.text), history.asked(item)
    if len(people) != 1 or len(asked) < _FEWEST:
        return
    for each in history.cited(item):
        own = people[0].id in speakers_of(each) and not only_asks(each)
        text = _with_question(history, each)
        if own and share(history, asked, text) >= _MOST and not _alters(item, text):
            yield problem(
                item.id,
                ("answer", "values"),
                "a history that does not say it",
                f"{each.id}, in which {people[0].name} tells of it",
                "read the round; if it answers, correct the gold",
            )
            return


@unbacked_rule(
    "refused.of_teller",
    Severity.WARNING,
    "our choice: answerable questions marked as not answerable",
    applies=is_refused,
)
def of_teller(history: History, item: QAItem) -> Iterator[Problem]:
    """What a refused question asks of the one who tells the cited turns, they do not speak of.

    Such questions are made of what another tells, or with another thing in the place of one; words
    with which anything may be asked for need not be said.
    """
    people, cited, asked = (
        history.named(item.question.text),
        history.cited(item),
        history.asked(item),
    )
    telling = [each for each in cited if _tells(each)]
    tellers = {name for each in cited for name in speakers_of(each)}
    if not telling or len(asked) < _FEWEST or tellers != {each.id for each in people}:
        return
    around = [one for each in cited for one in (each, *history.near(each))]
    near = " . ".join(history.shown[each.id] for each in around)
    there = roots(base_forms(near)) | roots(near)
    unsaid = [word for word in asked if not any(_is_form(word, other) for other in there)]
    told = share(history, asked, " . ".join(history.shown[each.id] for each in telling))
    light = frozenset(unsaid) <= roots(_LIGHT) | _of_days(item.question.text)
    if (told >= _LEAST or not unsaid) and light and not _alters(item, near):
        yield problem(
            item.id,
            ("answer", "values"),
            "a question of which its places do not tell",
            f"{telling[0].id}, in which {people[0].name} tells of it",
            "read the round; if it answers, correct the gold",
        )


def _tells(round_: Round) -> bool:
    """Whether a round says something before it asks back."""
    said = [part for turn in round_.turns for part in sentences(turn.text)]
    return any(not part.endswith("?") and len(words(part)) >= _WORDS for part in said)


def _of_days(text: str) -> Words:
    """Words of a question that say when: a turn need not say its own day."""
    days = [word for word in tokens(text) if word.isdecimal() or word.capitalize() in MONTHS]
    return roots(" ".join(days))


def _is_form(word: str, other: str) -> bool:
    """Whether two stems are forms of one word: one of them, if long enough, begins the other."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= OPENING and long.startswith(short))


def _with_question(history: History, of: Round) -> str:
    """What a round says and shows, with the question in front of it."""
    before = history.before(of)
    asks = history.shown[before.id] if before and only_asks(before) else ""
    return f"{asks} . {history.shown[of.id]}"


def _alters(item: QAItem, text: str) -> bool:
    """Whether a question names a thing, or a marked word, that a place does not speak of."""
    return bool(unsaid_marks(item.question.text, text)) or any(
        not each.numbers & meant(text, table).get(each.sort, frozenset())
        for table in (THINGS, OPPOSITES)
        for each in named(item.question.text, table)
    )
