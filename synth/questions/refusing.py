"""AR: questions about somebody that the history answers of somebody else only (Mem-Gallery A.3)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.words import run_of, words_of
from memassay.schemas.queries.evidence import decoy_places
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.questions.drafts import Draft, in_turn
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import slots_of

_KINDS: Final = frozenset({"person", "pet"})
"""Kinds whose members have much in common: of a place or a thing most questions make no sense."""
_SAYS_WHAT: Final = re.compile(r"\b(?:an?|the) [a-z]+ \{")
"""`the tomcat {tom}`: who is asked of instead may be none."""
_PRONOUNS: Final = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})


def ask_of_another(
    history: History, random: Random, asked: Collection[str] = ()
) -> Iterator[Draft]:
    """AR: a property of one of a kind, asked of another of whom nothing says it.

    The history answers the same question about the first: a near miss, and an answerable twin.

    Args:
        history: The written history.
        random: Draws facts, others and words.
        asked: Facts that other questions ask for; they come first, so that twins are worded alike.
    """
    known = {(fact.subject, fact.attribute) for fact in history.bundle.facts}
    said, names = list(history.said_facts()), Names(history.bundle, history.ledger)
    mixed = random.sample(said, len(said))
    drafts: dict[bool, list[list[Draft]]] = {True: [], False: []}
    for event, spec, fact in sorted(mixed, key=lambda each: each[2].id not in asked):
        others = _alike(history, fact)
        asks = [ask for ask in spec.ask if set(slots_of(ask)) <= {fact.subject} and _fits_all(ask)]
        drawn = random.sample(others, len(others))
        own: list[Draft] = []
        drafts[fact.id in asked].append(own)
        for other in sorted(drawn, key=lambda key: -_in_common(history, fact.subject, key)):
            if (other, fact.attribute) in known or not asks:
                continue
            name = history.names[other]
            text = history.say(random.choice(asks), event, random, {fact.subject: name})
            named = name in text and history.knows_names(text)
            if named and not _names_others(names, text, other):
                where = {"subject": other, "attribute": fact.attribute}
                query = {"op": "absent", "of": {"op": "select", "where": where}}
                own.append(Draft(text, query, AnswerFormat.REFUSAL, (fact.id, other)))
                # Of two facts about the same, one is asked of somebody.
                known.add((other, fact.attribute))
    # Every fact is asked of one, then of another.
    for each in drafts.values():
        yield from in_turn(each)


def _names_others(names: Names, text: str, about: str) -> bool:
    """Whether a question names anybody or anything beside whom it is about, and who speaks."""
    found = names.found_in(words_of(text))
    return any(about not in one.keys and not one.keys & names.speakers for one in found)


def _in_common(history: History, one: str, other: str) -> int:
    """How many kinds of properties both have: what makes sense of one may of the other."""
    kinds: dict[str, set[str]] = {one: set(), other: set()}
    for fact in history.bundle.facts:
        if fact.subject in kinds:
            kinds[fact.subject].add(head_of(fact.attribute))
    return len(kinds[one] & kinds[other])


def _fits_all(ask: str) -> bool:
    """Whether a question says nothing of whom it is about: no pronoun, and not what they are."""
    return _PRONOUNS.isdisjoint(run_of(ask)) and _SAYS_WHAT.search(ask) is None


def _alike(history: History, fact: Fact) -> list[str]:
    """Others of the kind of a fact's subject whom the history knows by name."""
    entities = history.persona.entities
    own = entities.get(fact.subject)
    if own is None or own.kind not in _KINDS:
        return []
    told = {one.subject for one in history.bundle.facts if history.in_text(one)}
    return [
        key
        for key, one in sorted(entities.items())
        if one.kind == own.kind and key != fact.subject and key in told
    ]


def with_twins(
    refusals: Sequence[QAItem], others: Sequence[QAItem], ledger: Ledger
) -> list[QAItem]:
    """Refusals with their near misses and the questions that can be answered beside them.

    Args:
        refusals: Questions without an answer.
        others: Those with one; of a refusal that one is its twin which rests on its near miss,
            else the first.
        ledger: What the queries are executed on.
    """
    # What asks for the near miss alone is worded most alike.
    plain_last = sorted(others, key=lambda item: -len(item.evidence.facts))
    by_fact: Mapping[str, QAItem] = {
        fact: item for item in plain_last for fact in item.evidence.facts
    }
    made = []
    for item in refusals:
        assert item.query is not None
        execution = execute(parse_query(item.query), ledger)
        near = [by_fact[one] for one in execution.decoys if one in by_fact]
        twin = next(iter([*near, *others]), None)
        update = {"decoys": decoy_places(execution, ledger)[:1]}
        made.append(
            item.model_copy(update={**update, "twin_of": twin.id if twin is not None else None})
        )
    return made
