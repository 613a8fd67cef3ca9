"""Audits of a written dialogue, per chunk and across chunks (M3Exam §2.2, A.4, E, figures 18, 19).

Per chunk, a turn is compared with its own event and the rounds about it; across chunks, with
everything the history has settled: who the persona is, the facts, what was shown so far, dates.
The rules look at records that any author's history has, and say nothing about histories whose
persona is not known.
"""

from collections.abc import Iterator
from datetime import date
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.validators.drift.contradictions import contradictions
from memassay.validators.drift.drift_scores import Strayed, Themes
from memassay.validators.drift.persona_claims import foreign_claims
from memassay.validators.drift.profanity import profanity
from memassay.validators.drift.seen_values import Seen
from memassay.validators.drift.sentences import known_names, persona_of, sentences
from memassay.validators.drift.spoken_dates import out_of_order as spoken_out_of_order
from memassay.validators.drift.strict_order import out_of_order
from memassay.validators.registry import RULES, problem

AUDIT_VERSION: Final = "5"
"""Raised when a rule of the audits would say something else about the same records."""

_SOURCE: Final = "M3Exam §2.2 and A.4, dialogue self-check: "
_KIN: Final = 0.75
"""A turn whose words the rest of the history knows at least this far may name somebody new."""


@RULES.conversation(
    "audit.persona", Severity.ERROR, _SOURCE + "persona violations", looks_at=LooksAt.HISTORY
)
def keeps_to_its_persona(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Nobody gives the persona another profession or name than their own."""
    persona = persona_of(bundle)
    if persona is None:
        return
    names = known_names(bundle)
    for one in sentences(bundle):
        for claim in foreign_claims(one.text, persona, names, by_user=one.by_user):
            expected = f"{persona.name}, {persona.profession}"
            yield problem(bundle.id, one.parts, expected, claim, "let the persona be who they are")


@RULES.conversation(
    "audit.drift", Severity.WARNING, _SOURCE + "core-event drift", looks_at=LooksAt.HISTORY
)
def stays_on_its_line(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A turn of the core line is about its event: it says the facts noted in it, and no others."""
    persona = persona_of(bundle)
    if persona is None:
        return
    themes = Themes(bundle, persona)
    for s, session in enumerate(bundle.conversation.sessions):
        for r, round_ in enumerate(session.rounds):
            if round_.event not in themes.core:
                continue
            for t, turn in enumerate(round_.turns):
                strayed = themes.strays(round_, turn)
                if _drifts(strayed):
                    parts = ("sessions", s, "rounds", r, "turns", t, "text")
                    fix = "say what its event is about"
                    yield problem(bundle.id, parts, f"words about {round_.event}", turn.text, fix)


def _drifts(strayed: Strayed) -> bool:
    """Whether a turn does not say what was noted in it, or says what only another life holds.

    A round that says all that was noted in it may name anybody: the Alps, or a famous law.
    """
    stranger = strayed.names and strayed.kin < _KIN and not strayed.settled
    return bool(strayed.unsaid or strayed.numbers or stranger)


@RULES.conversation(
    "audit.contradiction", Severity.ERROR, _SOURCE + "contradictions", looks_at=LooksAt.HISTORY
)
def agrees_with_the_ledger(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Nothing that is said or shown gives a property another value than the ledger."""
    if persona_of(bundle) is None:
        return
    for one in context.once(contradictions, bundle.history):
        fix = "give the value of the ledger"
        yield problem(bundle.id, one.parts, one.expected, one.text, fix)


@RULES.conversation(
    "audit.hallucination", Severity.ERROR, _SOURCE + "hallucinations", looks_at=LooksAt.HISTORY
)
def reads_what_is_there(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What the assistant reads in a picture can be read in one, or was said before."""
    if persona_of(bundle) is None:
        return
    seen = Seen(bundle)
    for one in sentences(bundle):
        seen.show(one)
        if not one.by_user:
            for thing, invented in seen.inventions(one.text):
                expected = f"what the {thing} shows"
                fix = "read what is there, or say that it is not"
                yield problem(bundle.id, one.parts, expected, invented, fix)


@RULES.conversation(
    "audit.date_order", Severity.ERROR, _SOURCE + "date order", looks_at=LooksAt.HISTORY
)
def goes_forward(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Sessions follow one another on the days of their events; spoken dates fit the day."""
    if persona_of(bundle) is None:
        return
    events = {event.id: event for event in bundle.events}
    sessions = bundle.conversation.sessions
    days = [(session.date or "")[:10] for session in sessions]
    if all(days):
        for at, expected in out_of_order(days):
            yield problem(
                bundle.id, ("sessions", at, "date"), expected, days[at], "date it in between"
            )
    for at, session in enumerate(sessions):
        told = {events[one.event].day for one in session.rounds if one.event in events}
        if days[at] and told and days[at] not in told:
            expected = f"the day of its events, {', '.join(sorted(told))}"
            yield problem(bundle.id, ("sessions", at, "date"), expected, days[at], "date it so")
    for one in sentences(bundle):
        event = events.get(one.said_in.event or "")
        day = event.day if event else days[one.session]
        if not day:
            continue
        for spoken, expected in spoken_out_of_order(
            one.text, date.fromisoformat(day), bundle.events
        ):
            yield problem(bundle.id, one.parts, expected, spoken.day, "say a day that can be")


@RULES.conversation(
    "audit.offensive", Severity.ERROR, _SOURCE + "offensive contents", looks_at=LooksAt.HISTORY
)
def speaks_decently(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Nobody uses insults or foul language."""
    if persona_of(bundle) is None:
        return
    for one in sentences(bundle):
        for word in profanity(one.text):
            yield problem(bundle.id, one.parts, "decent words", word, "say it decently")
