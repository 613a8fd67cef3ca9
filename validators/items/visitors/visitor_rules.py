"""Rules on hosts with visitors: sessions of guests and distractors change no answer of the host."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.visitors.sessions import (
    facts_of_visitors,
    has_visitors,
    is_of_visitor,
    without_visitors,
)
from memassay.validators.items.visitors.words import Spoken, spoken_of
from memassay.validators.places import evidence_places, visible_sessions
from memassay.validators.registry import RULES, always, problem

_SOURCE: Final = "M2A 4.4, guests between the sessions of a host; memassay design, distractors"
_FIX: Final = "leave the visitor's session out, or correct the gold"


class _Ledgers:
    """The ledger of a host with its visitors, and the one of the host alone."""

    def __init__(self, bundle: Bundle) -> None:
        """Index both.

        Raises:
            QueryError: The facts or mentions are no ledger.
        """
        self.joined = Ledger(bundle.history)
        self.alone = Ledger(without_visitors(bundle))
        self.visitors = facts_of_visitors(bundle)


def changes(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No fact of a visitor answers a question of the host, or changes its answer."""
    if not bundle.facts or not has_visitors(bundle):
        return
    try:
        ledgers = context.once(_Ledgers, bundle)
    except QueryError:  # `ledger.references` and `ledger.mention_resolves` say why
        return
    for item in bundle.questions:
        if is_of_visitor(bundle, item):
            continue
        why = _by_query(bundle, item, ledgers) if item.query else _by_facts(item, ledgers)
        if why is not None:
            gold = ", ".join(item.answer.values) or "no answer"
            expected = f"{gold} with and without the visitors"
            yield problem(item.id, ("answer", "values"), expected, why, _FIX)


def _by_query(bundle: Bundle, item: QAItem, ledgers: _Ledgers) -> str | None:
    """What the query gives with the visitors, where the host alone proves its gold."""
    history = bundle.history
    try:
        check_item(item, history, ledgers.alone)
    except (QueryError, RecordError):  # `proof.executes` says why
        return None
    try:
        rests = check_item(item, history, ledgers.joined).why
    except (QueryError, RecordError) as error:
        return str(error)
    return ", ".join(sorted(set(rests) & ledgers.visitors)) or None


def _by_facts(item: QAItem, ledgers: _Ledgers) -> str | None:
    """A visitor's fact that gives another value to a property that the gold rests on."""
    facts = ledgers.joined.facts
    rests = [facts[name] for name in item.evidence.facts if name in facts]
    try:
        moment = ledgers.joined.moment(item.asked_at)
    except QueryError:  # `evidence.before_asking` says why
        return None
    for name in sorted(ledgers.visitors & facts.keys()):
        rival = facts[name]
        for own in rests:
            alike = (own.subject, own.attribute) == (rival.subject, rival.attribute)
            if alike and own.value != rival.value and ledgers.joined.is_known(rival, moment):
                return f"{rival.value.text} of {rival.id}"
    return None


def speaks(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A visitor's session shares few words with a question of its host; else a person may look."""
    if not has_visitors(bundle):
        return
    spoken = context.once(Spoken, bundle.history)
    for item in bundle.questions:
        if is_of_visitor(bundle, item):
            continue
        weights, seen = spoken.weights(item), visible_sessions(bundle, item)
        for session, windows in spoken.windows:
            found = spoken_of(weights, windows) if seen is None or session.id in seen else None
            if found is not None:
                where = ", ".join(evidence_places(item)) or "no place"
                got = f"{found[0]}: {', '.join(sorted(found[1]))}"
                yield problem(item.id, ("answer", "values"), f"{where} alone", got, _FIX)


RULES.conversation(
    "visitors.changes",
    Severity.ERROR,
    _SOURCE,
    looks_at=LooksAt.QUESTION,
    applies=always,
    concerns=has_visitors,
)(changes)
RULES.conversation(
    "visitors.speaks",
    Severity.INFO,
    _SOURCE,
    looks_at=LooksAt.QUESTION,
    applies=always,
    concerns=has_visitors,
)(speaks)
