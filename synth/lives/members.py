"""Conversations cut apart: every session a dialogue of its own, with what belongs to it."""

from collections.abc import Collection, Iterable, Sequence

from memassay.schemas.changes.lending import lent
from memassay.schemas.ids import natural_key, parse_place, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactHolder, FactScope
from memassay.schemas.records.question import QAItem


def cut_out(source: Bundle, session: str) -> Bundle:
    """One session as a dialogue, with its ledger, its assets and the questions about it alone.

    Ids stay as they are: the dialogue `alex/D3` is a bundle of `alex` whose only session is D3.
    """
    member = lent(source, session, ledger=True)
    own = source.session_by_id[session]
    events = {one.event for one in own.rounds}
    questions = [one for one in source.questions if sessions_of(one) == {session}]
    return member.model_copy(
        update={
            "conversation": member.conversation.model_copy(update={"sessions": [own]}),
            "events": [one for one in source.events if one.id in events],
            "facts": facts_of(source, member.facts, {session}, questions),
            "assets": assets_of(source, member.assets, questions),
            "questions": questions,
        }
    )


def dialogue_id(member: Bundle) -> str:
    """Id of a dialogue: `alex/D3`."""
    return record_id(member.id, member.conversation.sessions[0].id)


def sessions_of(item: QAItem) -> set[str]:
    """Ids of the sessions that a question cites; what is no place counts as one of its own."""
    grouped = (place for group in item.evidence.groups for place in group)
    cited = {*item.evidence.canonical, *grouped, *item.decoys}
    parsed = {place: parse_place(place) for place in cited}
    named = {found.session if found is not None else place for place, found in parsed.items()}
    return named - {"Q"}


def assets_of(source: Bundle, own: Iterable[Asset], questions: Iterable[QAItem]) -> list[Asset]:
    """Assets, and those that questions show beside them, in the order of the source."""
    wanted = {one.id for one in own}
    wanted |= {shown.asset for item in questions for shown in item.question.attachments}
    known = source.asset_by_id
    wanted |= {parent for one in wanted if one in known and (parent := known[one].parent)}
    return [one for one in source.assets if one.id in wanted]


def facts_of(
    source: Bundle, own: Iterable[Fact], sessions: Collection[str], questions: Sequence[QAItem]
) -> list[Fact]:
    """Facts that sessions state, and those without a mention that belong to them.

    These follow from what is stated, are known after one of the sessions, or are what the
    questions bring along: what their pictures show, and what everybody knows.
    """
    stated = {one.id: one for one in own}
    asked = {name for item in questions for name in item.evidence.facts}
    mentioned = {one.fact for one in source.mentions}
    waiting = [one for one in source.facts if one.id not in mentioned]
    # A fact can follow from one that itself came in by this rule.
    while True:
        more = [
            one
            for one in waiting
            if one.id not in stated
            and (
                (one.entailed_by and stated.keys() >= set(one.entailed_by))
                or one.session in sessions
                or (one.id in asked and _comes_with_question(one))
            )
        ]
        if not more:
            break
        stated |= {one.id: one for one in more}
    kept = (stated[name] for name in sorted(stated, key=natural_key))
    return [_without_unknown_facts(one, stated) for one in kept]


def _comes_with_question(fact: Fact) -> bool:
    return fact.scope is FactScope.QUESTION or fact.holder is FactHolder.EXTERNAL


def _without_unknown_facts(fact: Fact, known: Collection[str]) -> Fact:
    """A fact that refers to known ones only."""
    update = {
        "supersedes": [one for one in fact.supersedes if one in known],
        "entailed_by": [one for one in fact.entailed_by if one in known],
    }
    return fact.model_copy(update=update)
