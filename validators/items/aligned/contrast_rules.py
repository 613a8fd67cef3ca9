"""Rules on things of one sort: what question and gold name is not told of another of that sort."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.items.aligned.clauses import claims, is_worded, offers
from memassay.validators.items.aligned.contrasts import (
    OPPOSITES,
    THINGS,
    Named,
    Things,
    meant,
    named,
)
from memassay.validators.items.leakage_rules import hidden_text
from memassay.validators.items.unbacked.index import (
    History,
    session_of,
    unbacked_rule,
)
from memassay.validators.places import Parts
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: things of one sort exchanged"
_NAME: Final = re.compile(r"\b[A-Z][a-z]+\b")


@unbacked_rule("claims.exchanged_thing", Severity.WARNING, _SOURCE, applies=is_worded)
def exchanged_thing(history: History, item: QAItem) -> Iterator[Problem]:
    """Where the evidence names one thing, question and gold name no other of its sort."""
    cited = history.cited(item)
    text = history.text(item)
    around = " . ".join(history.shown[one.id] for one in _with_replies(history, cited))
    near = " . ".join(history.shown[one.id] for each in cited for one in history.near(each))
    for table in (THINGS, OPPOSITES):
        told, backed = named(text, table), meant(around, table)
        sorts = {one.sort for one in told}
        # Where the evidence names nothing of a sort, what is said near it counts for and against.
        near_by = [one for one in named(near, THINGS) if one.sort not in sorts]
        besides = meant(f"{around} . {near}", table)
        whole = " . ".join((item.question.text, *item.answer.values))
        beside = {one.stem for one in named(whole, table)}
        for where, claim in claims(item):
            # Of two things that a question offers, naming one backs it no more than the other.
            rest = "" if offers(item) else whole.replace(claim, " ", 1)
            known = [backed, meant(rest, table)]
            for each in named(claim, table):
                known[0] = backed if each.sort in sorts else besides
                if any(each.numbers & some.get(each.sort, frozenset()) for some in known):
                    continue
                asks = where[0] == "question" and table == THINGS
                instead = [
                    one.stem
                    for one in (*told, *(near_by if asks else ()))
                    if one.sort == each.sort and (offers(item) or one.stem not in beside)
                ]
                if instead and not _may_be_seen(history, item, each, ("question",)):
                    expected = f"what the evidence speaks of ({', '.join(instead)})"
                    fix = "correct it, or cite the place that names it"
                    yield problem(item.id, where, expected, each.stem, fix)
                    return


def _with_replies(history: History, cited: list[Round]) -> list[Round]:
    """Rounds with what each of them answers; of several, with all that is said near them."""
    if len(cited) > 1:
        return [one for each in cited for one in (each, *history.near(each))]
    return [one for each in cited for one in (history.before(each), each) if one is not None]


@unbacked_rule("claims.absent_thing", Severity.WARNING, _SOURCE, applies=is_worded)
def absent_thing(history: History, item: QAItem) -> Iterator[Problem]:
    """A thing that question or gold names, some session of the evidence speaks of."""
    sessions = sorted({session_of(each) for each in history.cited(item)})
    told = [history.derived(_by_session)[each] for each in sessions]
    # What hidden metadata alone says of a picture is `leakage.hidden_words`.
    told.append(meant(_hidden(history, item), THINGS) if told else {})
    for where, claim in claims(item) if sessions else ():
        for each in named(claim, THINGS):
            if _may_be_seen(history, item, each, where) or _goes_by_name(history, item, each):
                continue
            if not any(each.numbers & there.get(each.sort, frozenset()) for there in told):
                expected = "things of which a session of the evidence speaks"
                fix = "correct it, or cite the place that names it"
                yield problem(item.id, where, expected, each.stem, fix)
                return


def _may_be_seen(history: History, item: QAItem, thing: Named, where: Parts) -> bool:
    """Whether a picture may show a thing: a colour, or one of several things of a gold."""
    cited = history.cited(item)
    shows = any(turn.attachments for each in cited for turn in each.turns)
    several = where[0] == "answer" and len(cited) > 1
    return shows and (thing.sort == "colour" or several)


def _goes_by_name(history: History, item: QAItem, thing: Named) -> bool:
    """Whether the evidence calls a thing by a name that it has elsewhere ("my dog Luna")."""
    names = {name for each in history.cited(item) for name in _NAME.findall(history.shown[each.id])}
    if not names:
        return False
    kind, name = re.escape(thing.stem), "|".join(sorted(names))
    given = re.compile(
        rf"\b(?i:{kind})\w*,? (?:named |called )?(?:{name})\b|"
        rf"\b(?:{name})(?:,| is) (?:my|our|a|the) (?:\w+ )?(?i:{kind})"
    )
    return any(given.search(said) for said in history.shown.values())


def _hidden(history: History, item: QAItem) -> str:
    turns = [turn for each in history.cited(item) for turn in each.turns]
    return " . ".join(text for turn in turns for text in hidden_text(history.bundle, turn))


def _by_session(history: History) -> Mapping[str, Things]:
    """What each session speaks of."""
    texts: dict[str, list[str]] = {}
    for each in history.rounds:
        texts.setdefault(session_of(each), []).append(history.shown[each.id])
    return {name: meant(" . ".join(said), THINGS, broadly=True) for name, said in texts.items()}
