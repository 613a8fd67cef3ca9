"""KR and CD of what a history itself holds: what changed, and claims about it (Mem-Gallery A.3)."""

from collections.abc import Iterator
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.choice import is_plainly_note, rivals
from memassay.synth.questions.drafts import Draft, get, in_turn, select
from memassay.synth.questions.history import History
from memassay.synth.questions.knowledge.drafting import ask_conflict
from memassay.synth.questions.recall import answer_format
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


def updates(history: History) -> Iterator[tuple[Fact, Fact]]:
    """Facts that replaced another one for good, each with the one that was said before it."""
    for _, _, new in history.said_facts():
        if not new.supersedes or new.id in history.replaced or not history.is_labelled(new):
            continue
        said = (history.facts[name] for name in new.supersedes)
        old = next((one for one in said if history.in_text(one)), None)
        if old is not None and old.value.text != new.value.text:
            yield old, new


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
    changed = [pair for old, new in updates(history) for pair in ((new, old), (new, new))]
    said = [fact for _, spec, fact in history.said_facts() if spec.ask and history.is_settled(fact)]
    plain = [fact for fact in said if is_plainly_note(history, fact)]
    settled = []
    for fact in random.sample(plain, len(plain)):
        wrong = rivals(fact, said)
        if wrong and fact.value.type in (ValueType.NUMBER, ValueType.TEXT, ValueType.DATE):
            settled += [(fact, random.choice(wrong)), (fact, fact)]
    pairs = [one for two in zip(_twos(changed), _twos(settled), strict=False) for one in two]
    rest = max(_twos(changed), _twos(settled), key=len)[len(pairs) // 2 :]
    drafts = [
        [_claim(history, fact, said, at) for fact, said in both]
        for at, both in enumerate([*pairs, *rest])
    ]
    # Of each fact one claim: wrong ones and right ones in turn.
    for at, both in enumerate(drafts):
        yield both[at % 2]
    yield from in_turn([[both[1 - at % 2] for at, both in enumerate(drafts)]])


def _twos(claims: list[tuple[Fact, Fact]]) -> list[list[tuple[Fact, Fact]]]:
    return [claims[at : at + 2] for at in range(0, len(claims), 2)]


def _claim(history: History, fact: Fact, said: Fact, turn: int) -> Draft:
    """Whether a property with a value conflicts with what holds."""
    value = spoken_value(said.value)
    claim = {"subject": fact.subject, "attribute": fact.attribute, "value": value}
    now = {"op": "as_of", "of": select(fact), "at": "end"}
    query = {"op": "conflict", "claim": claim, "against": now}
    text = ask_conflict(f"{history.label(fact)} is {value}", turn)
    return Draft(text, query, AnswerFormat.YES_NO, (fact.id,))
