"""Rules on hosts with visitors: what guests or distractors say changes no answer of the host's."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.question import QAItem
from memassay.validators.items.visits.answering import Best, Wanted
from memassay.validators.items.visits.statements import Visits
from memassay.validators.places import (
    evidence_places,
    evidence_rounds,
    is_visitor,
    visible_sessions,
)
from memassay.validators.registry import problem, question_rule

_SOURCE: Final = "M2A 4.4, guests between the sessions of a host"
_ENOUGH: Final = 0.24
"""How much of a question a statement must answer to be shown to people (our choice)."""
_ASIDE: Final = 0.5
"""The same of a distractor session, in which `distractors.answer` looks for the matter itself."""
_FIX: Final = "read both places; correct the gold, drop the question, or let the visitor not say it"


@question_rule(
    "visits.changes",
    Severity.WARNING,
    _SOURCE,
    lambda item: item.answerable,
    threshold=_ENOUGH,
)
def changes(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No visitor says what another value, count, first, last or latest of a host's gold may be."""
    found = _statement(bundle, item, context)
    if found is not None:
        gold = ", ".join(item.answer.values) or "the gold"
        places = ", ".join(evidence_places(item)) or "no place"
        expected = f"visitors who leave {gold} ({places}) as it is"
        got = f"{found.statement.turn.id}: {found.statement.text}"
        yield problem(item.id, ("answer", "values"), expected, got, _FIX)


@question_rule(
    "visits.answers",
    Severity.WARNING,
    _SOURCE,
    lambda item: not item.answerable,
    threshold=_ENOUGH,
)
def answers(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No visitor says what a question of the host asks that the host does not answer."""
    found = _statement(bundle, item, context)
    if found is not None:
        near = ", ".join(evidence_places(item) or item.decoys) or "no place"
        expected = f"visitors who do not say what the host does not ({near})"
        got = f"{found.statement.turn.id}: {found.statement.text}"
        yield problem(item.id, ("answer", "values"), expected, got, _FIX)


def _statement(bundle: Bundle, item: QAItem, context: RuleContext) -> Best | None:
    """What a visitor says that may answer a question of the host when it is asked."""
    talk = bundle.conversation
    if not any(is_visitor(one) for one in talk.sessions):
        return None
    visits = context.once(Visits, bundle)
    if _is_visitors(bundle, item, visits.origins):
        return None
    seen = visible_sessions(bundle, item) or {one.id for one in talk.sessions}
    aside = {one.id for one in talk.sessions if one.arc is SessionArc.SIDE}
    wanted = Wanted.of(item, visits)
    for sessions, least in (
        (seen - aside, context.threshold),
        (seen & aside, max(context.threshold, _ASIDE)),
    ):
        best = wanted.best(visits, frozenset(sessions), proven=item.query is not None)
        if best is not None and best.share >= least:
            return best
    return None


def _is_visitors(bundle: Bundle, item: QAItem, origins: set[str]) -> bool:
    """Whether a question came with a visitor: it cites visitors alone, or has their name."""
    cited = {each.id.partition(":")[0] for each in evidence_rounds(bundle, item)}
    own = {one.id for one in bundle.conversation.sessions if not is_visitor(one)}
    if cited:
        return cited.isdisjoint(own)
    return any(item.id.partition("/")[2].startswith(f"{name}-") for name in origins)
