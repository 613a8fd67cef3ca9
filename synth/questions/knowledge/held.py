"""KR and CD of what a history itself holds: what changed, and claims about it (Mem-Gallery A.3)."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.linked import changes
from memassay.synth.questions.across.logs import all_of, ids_of, logs_of
from memassay.synth.questions.choice import is_plainly_note, rivals
from memassay.synth.questions.drafts import Draft, get, in_turn, select, union
from memassay.synth.questions.history import History
from memassay.synth.questions.knowledge.drafting import ask_conflict
from memassay.synth.questions.recall import answer_format
from memassay.synth.questions.times.processes import slipped_plans
from memassay.synth.world.grammar import expand

_LATEST: Final = (
    "[What is|What's] {label} now?",
    "In the end, what is {label}?",
    "After all the changes, what is {label} now?",
    "What is {label} after the last change?",
    "What did {label} turn out to be in the end?",
    "What is the latest on {label}: what is it now?",
    "Some things changed. What is {label} now?",
    "As things are now, what is {label}?",
    "What is {label} these days, after the last change?",
    "I may be out of date: what is {label} now?",
)
"""Ways to ask for what holds after a change."""


_SLIPPED: Final = (
    "For what day was {event} planned at first, and on what day did it take place?",
    "{event} moved from the day it was planned for at first. What were both days?",
    "What day was {event} planned for, and on what day was it in the end?",
    "Which day was first set for {event}, and which day did it turn out to be?",
)
"""Ways to ask for a plan and for what came of it."""
_NOTED: Final = (
    "What is {label} by the latest note?",
    "What is the latest figure for {label}?",
    "By the last figure noted, what is {label}?",
    "{label} has been noted several times. What is the latest figure?",
)
"""Ways to ask for the last entry of a log."""
_SHORT: Final = 6
"""Most entries of a series whose last one is asked for first (our choice)."""
_TURNS: Final = 10
"""Wordings of a claim; the first of a conversation is drawn."""
_MOVES: Final = {
    "more": "{label} has gone down since it was first mentioned",
    "less": "{label} has gone up since it was first mentioned",
}
"""Claims on a change, by how the last number compares with the first where they conflict."""


def updates(history: History) -> Iterator[tuple[Fact, Fact]]:
    """Facts that replaced another one for good, each with the one that was said before it."""
    for _, _, new in history.said_facts():
        if not new.supersedes or new.id in history.replaced or not history.is_labelled(new):
            continue
        said = (history.facts[name] for name in new.supersedes)
        old = next((one for one in said if history.in_text(one)), None)
        if old is not None and old.value.text != new.value.text:
            yield old, new


def resolutions(history: History, random: Random) -> Iterator[Draft]:
    """KR: what held before and after a change, first of what two rounds tell, not one of them."""
    apart = [(old, new) for old, new in updates(history) if _told_apart(history, old, new)]
    ids = {(old.id, new.id) for old, new in apart}
    changed = history.far_first(changes(history, random), random)
    both = [draft for draft in changed if draft.about in ids]
    yield from in_turn([both, list(_slips(history, random))])
    # A series needs many rounds: a short one, in every second history.
    latest = sorted(_last_notes(history, random), key=lambda draft: len(draft.about))
    short = [draft for draft in latest if len(draft.about) <= _SHORT]
    first = short[: random.randrange(2)]
    yield from first
    yield from changed
    yield from latest_states(history, random)
    yield from latest[len(first) :]


def _told_apart(history: History, old: Fact, new: Fact) -> bool:
    """Whether no round says both."""
    rounds = [{one.round for one in history.mentions.get(fact.id, ())} for fact in (old, new)]
    return rounds[0].isdisjoint(rounds[1])


def _slips(history: History, random: Random) -> Iterator[Draft]:
    """The day for which something was planned, and the one on which it happened."""
    for plan, day in slipped_plans(history, random):
        text = expand(random.choice(_SLIPPED), random, {"event": plan.subject}).text
        both = union(select(plan), select(day))
        query = get({"op": "sequence", "of": both, "by": "said"})
        yield Draft(text, query, AnswerFormat.FREE, (plan.id, day.id))


def _last_notes(history: History, random: Random) -> Iterator[Draft]:
    """The last figure of what is noted again and again."""
    logs = list(logs_of(history, numbers=True))
    for name, log, entries in random.sample(logs, len(logs)):
        text = expand(random.choice(_NOTED), random, {"label": history.log_label(name)}).text
        query = get({"op": "pick", "of": all_of(log), "by": "date", "which": "last"})
        yield Draft(text, query, AnswerFormat.NUMBER, ids_of(entries), whole=True)


def latest_states(history: History, random: Random) -> Iterator[Draft]:
    """KR: what holds after a correction or a change; the sessions tell both."""
    drafts = []
    for old, new in updates(history):
        text = expand(random.choice(_LATEST), random, {"label": history.label(new)}).text
        query = get({"op": "as_of", "of": select(new), "at": "end"})
        drafts.append(Draft(text, query, answer_format(new), (new.id, old.id)))
    yield from history.far_first(drafts, random)


def conflicts(history: History, random: Random) -> Iterator[Draft]:
    """CD: claims of what changed and of what never did, as often right as not."""
    moved = _moves(history, random)
    # Of each fact one claim, so that wrong ones and right ones take turns.
    known = {fact for both in moved for fact in both[0].about}
    rest = [(old, new) for old, new in updates(history) if new.id not in known]
    changed = [pair for old, new in rest for pair in ((new, old), (new, new))]
    said = [fact for _, spec, fact in history.said_facts() if spec.ask and history.is_settled(fact)]
    plain = [fact for fact in said if is_plainly_note(history, fact)]
    settled = []
    for fact in random.sample(plain, len(plain)):
        wrong = rivals(fact, said)
        if wrong and fact.value.type in (ValueType.NUMBER, ValueType.TEXT, ValueType.DATE):
            settled += [(fact, random.choice(wrong)), (fact, fact)]
    # Wordings take turns from anywhere, so that none has one answer.
    stated = [
        [
            [_claim(history, fact, said, turn) for fact, said in both]
            for turn, both in enumerate(kind, start=random.randrange(_TURNS))
        ]
        for kind in (_twos(settled), _twos(changed))
    ]
    drafts = list(in_turn([moved, *stated]))
    start = random.randrange(2)
    for side in (start, start + 1):
        yield from (both[(at + side) % 2] for at, both in enumerate(drafts))


def _moves(history: History, random: Random) -> list[list[Draft]]:
    """A claim which way a number went that conflicts, and one that does not, of each change."""
    found = []
    pairs = [
        (old, new)
        for old, new in updates(history)
        if new.value.type is ValueType.NUMBER and _told_apart(history, old, new)
    ]
    mixed = random.sample(pairs, len(pairs))
    for turn, (old, new) in enumerate(mixed, start=random.randrange(_TURNS)):
        last, first = (
            get({"op": "pick", "of": select(new), "by": "said", "which": which})
            for which in ("last", "first")
        )
        rose = Decimal(new.value.text) > Decimal(old.value.text)
        wrong = ["more", "less"] if rose else ["less", "more"]
        found.append(
            [
                Draft(
                    ask_conflict(_MOVES[way].format(label=history.label(new)), turn),
                    {"op": "compare", "a": last, "b": first, "with": way},
                    AnswerFormat.YES_NO,
                    (old.id, new.id),
                )
                for way in wrong
            ]
        )
    return found


def _twos(claims: list[tuple[Fact, Fact]]) -> list[list[tuple[Fact, Fact]]]:
    return [claims[at : at + 2] for at in range(0, len(claims), 2)]


def _claim(history: History, fact: Fact, said: Fact, turn: int) -> Draft:
    """Whether a property with a value conflicts with what holds."""
    value = spoken_value(said.value)
    dated = said.value.type is ValueType.DATE
    claim = {"subject": fact.subject, "attribute": fact.attribute}
    claim |= {"value": said.value.text if dated else value}
    now = {"op": "as_of", "of": select(fact), "at": "end"}
    query = {"op": "conflict", "claim": claim, "against": now}
    text = ask_conflict(f"{history.label(fact)} is {value}", turn)
    return Draft(text, query, AnswerFormat.YES_NO, (fact.id,))
