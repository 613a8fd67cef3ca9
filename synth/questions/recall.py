"""Drafts of questions that are answered from what was said: ss, th, ii (M3Exam A.3)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.ledger import Fact, FactStatus
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand
from memassay.synth.world.values import spoken_value


def single_session(history: History, random: Random, longest: int) -> Iterator[Draft]:
    """ss: one detail, stated in one round, with a gold of so many words at most."""
    said = list(history.said_facts())
    for event, spec, fact in random.sample(said, len(said)):
        if not spec.ask or not history.is_settled(fact):
            continue
        if len(spoken_value(fact.value).split()) > longest:
            continue
        text = history.say(random.choice(spec.ask), event, random)
        yield Draft(text, get(select(fact)), answer_format(fact), (fact.id,))


def answer_format(fact: Fact) -> AnswerFormat:
    """The form of an answer that is a fact's value."""
    formats = {"number": AnswerFormat.NUMBER, "date": AnswerFormat.DATE}
    return formats.get(fact.value.type, AnswerFormat.FREE)


def thematic(history: History, random: Random) -> Iterator[Draft]:
    """th: the steps of a procedure in order, from the full answer down to keywords.

    Only of the persona's own cards: side events occur in other lives too, and a procedure has no
    value of its own that would tell one history from another.
    """
    for event in random.sample(history.events, len(history.events)):
        card = history.cards.of(event)
        steps = [history.facts[fact] for slot, fact in event.facts.items() if "step:" in slot]
        if card.steps is None or card.domain is not None:
            continue
        if any(fact.id not in history.mentions for fact in steps):
            continue
        text = history.say(random.choice(card.steps.ask), event, random)
        query = get({"op": "sequence", "of": select(steps[0]), "by": "order"})
        keys = [history.say(step.key, event, random) for step in card.steps.list]
        about = tuple(fact.id for fact in steps)
        # From full to keyword: all the steps in short, then what the first is about.
        coarser = (", ".join(keys), keys[0])
        yield Draft(text, query, AnswerFormat.FREE, about, coarser=coarser)


def implicit(history: History, random: Random) -> Iterator[Draft]:
    """ii: what is never said but follows from what is; no counting; clues far apart first."""
    yield from history.far_first(_implied_drafts(history, random), random)


def _implied_drafts(history: History, random: Random) -> Iterator[Draft]:
    asked = {(one.about, one.attribute): one for one in history.persona.implied.values()}
    values = {"user": history.persona.name, **history.names}
    for fact in history.bundle.facts:
        spec = asked.get((fact.subject, fact.attribute))
        if fact.status is not FactStatus.IMPLIED or spec is None:
            continue
        if not all(history.in_text(history.facts[clue]) for clue in fact.entailed_by):
            continue
        text, *competitors = (
            expand(said, random, values).text
            for said in (random.choice(spec.ask), *spec.competitors)
        )
        query = select(fact)
        query["where"]["status"] = str(FactStatus.IMPLIED)
        yield Draft(
            text,
            get(query),
            AnswerFormat.FREE,
            (fact.id, *fact.entailed_by),
            competitors=tuple(competitors),
        )
