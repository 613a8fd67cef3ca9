"""Rules on support: the places that an item cites say its gold, and no place beside says it better.

They weigh the words of question and gold by how rare they are in the conversation; a word of the
gold counts twice. Thresholds are our choice, set on read LoCoMo conversations.
"""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.places import evidence_places
from memassay.validators.registry import problem
from memassay.validators.texts.history import (
    History,
    Words,
    counts,
    recalls,
    session_of,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.wording import agrees, tells_of_other

_BETTER: Final = 0.22
"""By so much of the weight of question and gold a place beside the evidence must say more."""
_HARDLY: Final = 0.1
"""Less than so much of the gold the evidence says."""
_MORE_GOLD: Final = 0.2
"""So much of the gold the place beside must say."""
_SAYS_ALL: Final = 0.9
_SAYS_HARDLY: Final = 0.25
"""Shares of question and gold in a round, and in evidence that was taken from another item."""
_IN_SESSION: Final = 0.5
_IN_OTHER: Final = 0.8
"""Shares of a gold that a round says, in a session that is cited and in another."""
_SEVERAL: Final = 2
_MANY: Final = 11
"""From so many places a gold is concluded."""


def _recalls_no_date(item: QAItem) -> bool:
    return recalls(item) and item.type is not QuestionType.TEMPORAL


def _cites_several(item: QAItem) -> bool:
    return recalls(item) and len(evidence_places(item)) >= _SEVERAL and not counts(item)


def _share(history: History, item: QAItem, said: Words) -> float:
    """How much of question and gold some words are, from 0 to 1."""
    gold, asked = history.gold_words(item), history.question_words(item) - history.gold_words(item)
    whole = 2 * history.weight(gold) + history.weight(asked)
    found = 2 * history.weight(gold & said) + history.weight(asked & said)
    return found / whole if whole else 1.0


def _gold_share(history: History, item: QAItem, said: Words) -> float:
    gold = history.gold_words(item)
    whole = history.weight(gold)
    return history.weight(gold & said) / whole if whole else 1.0


def _beside(history: History, item: QAItem, cited: list[Round]) -> Round | None:
    """The round near the evidence that says most of the gold, if one says much more than it."""
    known = {each.id for each in cited}
    near = {one.id: one for each in cited for one in history.near(each) if one.id not in known}
    if not near or not cited:
        return None
    best = max(near.values(), key=lambda one: _share(history, item, history.words[one.id]))
    there, here = history.words[best.id], history.words_of(cited)
    better = _share(history, item, there) - _share(history, item, here)
    # Evidence that says part of a gold may say the rest in other words.
    unsaid = _gold_share(history, item, here) < _HARDLY
    says = _gold_share(history, item, there) >= _MORE_GOLD
    agreed = any(
        _agrees_to(history, each, best) or any(tells_of_other(turn.text) for turn in each.turns)
        for each in cited
    )
    if agreed or not (unsaid and says and better >= _BETTER):
        return None
    # One that only repeats the question may lead to the one that answers it.
    return max(near.values(), key=lambda one: _gold_share(history, item, history.words[one.id]))


def _agrees_to(history: History, cited: Round, other: Round) -> bool:
    """Whether a round agrees to what another, at most two before it, says."""
    steps = history.position(cited) - history.position(other)
    return 0 < steps <= _SEVERAL and agrees(cited.turns[0].text)


def _whole_place(history: History, item: QAItem, cited: list[Round]) -> Round | None:
    """A round that says nearly all of question and gold, of which the evidence says hardly any."""
    if _share(history, item, history.words_of(cited)) > _SAYS_HARDLY:
        return None
    places = (
        each
        for each in _by_people_asked(history, item)
        if _share(history, item, history.words[each.id]) >= _SAYS_ALL
    )
    return next(places, None)


def _gold_place(history: History, item: QAItem, cited: list[Round]) -> Round | None:
    """The round that says most of a gold of which the evidence says no word.

    Half of the gold will do in a session that is cited, elsewhere it must be nearly all.
    """
    gold, asked = history.gold_words(item), history.question_words(item)
    sessions = {session_of(each) for each in cited}
    if not gold or gold & history.words_of(cited):
        return None
    found = [
        (session_of(each) in sessions, share, history.weight(asked & history.words[each.id]), each)
        for each in _by_people_asked(history, item)
        for share in [len(gold & history.words[each.id]) / len(gold)]
        if share >= (_IN_SESSION if session_of(each) in sessions else _IN_OTHER)
    ]
    best = max(found, key=lambda one: one[:3], default=None)
    told = any(tells_of_other(turn.text) for each in cited for turn in each.turns)
    if best is None or told or any(_agrees_to(history, each, best[3]) for each in cited):
        return None
    return best[3]


def _by_people_asked(history: History, item: QAItem) -> list[Round]:
    """The rounds in which those speak whom a question names; all if it names nobody."""
    people = {each.id for each in history.people_in(item.question.text)}
    return [each for each in history.rounds if not people or people & speakers_of(each)]


@unbacked_rule(
    "support.elsewhere",
    Severity.INFO,
    "LoCoMo data, evidence beside the place that answers, golds that another place says",
    applies=_recalls_no_date,
)
def better_place(history: History, item: QAItem) -> Iterator[Problem]:
    """No other place says much more of question and gold than the evidence."""
    cited = history.evidence(item)
    if not cited:
        return
    found = _beside(history, item, cited)
    if found is None and not counts(item):
        found = _whole_place(history, item, cited) or _gold_place(history, item, cited)
    if found is not None:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"{found.id}, which says more of the answer",
            evidence_places(item),
            "cite the round that answers",
        )


@unbacked_rule(
    "support.reply",
    Severity.WARNING,
    "LoCoMo data, evidence one round beside the place that answers",
    applies=_cites_several,
)
def reply_beside(history: History, item: QAItem) -> Iterator[Problem]:
    """Among several places none is another person's turn beside the one that says the gold."""
    people = {each.id for each in history.people_in(item.question.text)}
    cited = history.evidence(item)
    known = {each.id for each in cited}
    missing = history.gold_words(item) - history.words_of(cited)
    for each in cited if len(people) == 1 and len(cited) < _MANY else ():
        if people & speakers_of(each) or history.gold_words(item) & history.words[each.id]:
            continue
        after = history.after(each)
        if after is not None and after.id in known:
            continue  # The reply is cited.
        meant = [
            one.id
            for one in history.near(each)[:2]
            if one.id not in known and people & speakers_of(one) and missing & history.words[one.id]
        ]
        if meant:
            yield problem(
                item.id,
                ("evidence", "canonical"),
                f"{meant[0]}, in which the one asked about says it",
                each.id,
                "cite the round that answers",
            )
