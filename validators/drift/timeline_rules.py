"""Self-check of a timeline before a word of it is written (M3Exam §2.2, A.4, E, figure 15).

The rules look at persona, events and facts alone, no matter who wrote them. They say nothing about
histories whose persona is not known.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, FactHolder, FactStatus
from memassay.schemas.records.persona import Persona
from memassay.validators.drift.drift_scores import Themes
from memassay.validators.drift.persona_claims import foreign_claims, foreign_title
from memassay.validators.drift.profanity import profanity
from memassay.validators.drift.said_values import Properties
from memassay.validators.drift.sentences import known_names, persona_of, split
from memassay.validators.drift.strict_order import out_of_order
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "M3Exam §2.2 and A.4, timeline self-check: "
_STRANGE: Final = 0.85
_STRANGER: Final = 1.3
"""How far the words of a core event must be known; further if it names somebody unknown.

Of the 343 core events of clean histories of shipped personas none is below 0.94; of 45 that were
taken from other lives, 36 are below 0.85 and all that name strangers below 1.3.
"""
_FIELDS: Final = ("title", "query")


@RULES.conversation(
    "timeline.persona", Severity.ERROR, _SOURCE + "persona violations", looks_at=LooksAt.TIMELINE
)
def keeps_to_its_persona(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An event gives the persona no other profession or name than their own."""
    persona = persona_of(bundle)
    if persona is None:
        return
    names = known_names(bundle)
    for event in bundle.events:
        for claim in foreign_title(event.title, persona, names):
            yield _stranger(event, "title", persona, claim)
        for sentence in split(event.query):
            for claim in foreign_claims(sentence, persona, names, by_user=True):
                yield _stranger(event, "query", persona, claim)


def _stranger(event: TimelineEvent, field: str, persona: Persona, claim: str) -> Problem:
    expected = f"{persona.name}, {persona.profession}"
    return problem(event.id, (field,), expected, claim, "tell what happens to this persona")


@RULES.conversation(
    "timeline.drift", Severity.WARNING, _SOURCE + "core-event drift", looks_at=LooksAt.TIMELINE
)
def stays_on_its_line(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """The title of a core event names what its facts are about."""
    persona = persona_of(bundle)
    if persona is None:
        return
    themes = Themes(bundle, persona)
    for event in bundle.events:
        if event.line is not EventLine.CORE or not event.facts:
            continue
        kin = themes.kin_of_event(event)
        if kin < _STRANGE or (kin < _STRANGER and themes.strangers(event)):
            expected = "an event of the core line that its facts know"
            yield problem(event.id, ("title",), expected, event.title, "name what its facts tell")


@RULES.conversation(
    "timeline.contradiction",
    Severity.ERROR,
    _SOURCE + "internal contradictions",
    looks_at=LooksAt.TIMELINE,
)
def agrees_with_itself(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A property has one value until a later fact replaces it, and events state no other."""
    if persona_of(bundle) is None:
        return
    owner = {fact: (event, slot) for event in bundle.events for slot, fact in event.facts.items()}
    for earlier, later in _conflicts(bundle.facts):
        event, slot = owner.get(later.id, (None, ""))
        expected = f"{later.attribute} of {later.subject}: {earlier.value.text}, or to replace it"
        target = event.id if event else later.id
        parts = ("facts", slot) if event else ("value", "text")
        fix = f"let {later.id} supersede {earlier.id}"
        yield problem(target, parts, expected, later.value.text, fix)
    properties = Properties(bundle)
    for event in bundle.events:
        for field in _FIELDS:
            for sentence in split(getattr(event, field)):
                for one, wrong in properties.wrong_values(sentence):
                    right = " or ".join(fact.value.text for fact in one.facts)
                    expected = f"{' '.join(one.words)}: {right}"
                    yield problem(event.id, (field,), expected, wrong, "state the fact's own value")


def _conflicts(facts: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Facts of one property beside an earlier one that they do not replace.

    What a speaker claims may contradict the world: then the one is theirs, the other is not.
    """
    standing: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        if fact.status is not FactStatus.ASSERTED or fact.order is not None:
            continue
        before = standing.setdefault((fact.subject, fact.attribute), [])
        for earlier in before:
            claimed = fact.holder is FactHolder.SPEAKER and earlier.holder is FactHolder.WORLD
            if earlier.value != fact.value and earlier.id not in fact.supersedes and not claimed:
                yield earlier, fact
                break
        standing[fact.subject, fact.attribute] = [
            one for one in before if one.id not in fact.supersedes
        ] + [fact]


@RULES.conversation(
    "timeline.date_order",
    Severity.ERROR,
    _SOURCE + "strictly increasing dates",
    looks_at=LooksAt.TIMELINE,
)
def goes_forward(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Each event comes up strictly later than the one before it."""
    if persona_of(bundle) is None:
        return
    events = sorted(bundle.events, key=lambda event: event.position)
    for at, expected in out_of_order([event.date for event in events]):
        event = events[at]
        yield problem(event.id, ("date",), expected, event.date, "date it between its neighbours")


@RULES.conversation(
    "timeline.offensive", Severity.ERROR, _SOURCE + "offensive contents", looks_at=LooksAt.TIMELINE
)
def speaks_decently(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No event holds an insult or foul language."""
    if persona_of(bundle) is None:
        return
    for event in bundle.events:
        for field in _FIELDS:
            for word in profanity(getattr(event, field)):
                yield problem(event.id, (field,), "decent words", word, "say it decently")
