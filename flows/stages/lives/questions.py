"""Questions that came with dialogues: which life each goes to, and which are held out there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from memassay.schemas.contracts.rules import Rule, RuleContext
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, SessionArc
from memassay.schemas.records.question import QAItem
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.lives.joining import JoinedLife
from memassay.synth.lives.members import sessions_of
from memassay.validators.check import RULES, check_conversation

APART: Final = SYNTHESIS_RULES.declare(
    "join.apart",
    Severity.ERROR,
    "All dialogues that a question rests on became one conversation.",
    "Mem-Gallery A.2.3",
)
LEFT_OVER: Final = SYNTHESIS_RULES.declare(
    "cluster.left_over",
    Severity.ERROR,
    "A dialogue that a question rests on is in a cluster.",
    "Mem-Gallery A.2.3",
)
CHANGED: Final = SYNTHESIS_RULES.declare(
    "join.changed",
    Severity.ERROR,
    "A question has the answer that it had, from the same facts, when dialogues are joined.",
    "Mem-Gallery A.2.3",
)
RIVAL: Final = SYNTHESIS_RULES.declare(
    "join.rival",
    Severity.ERROR,
    "No dialogue that joined mentions what a question asks about another one.",
    "Mem-Gallery A.2.3",
)
_SPEAKS: Final = "visitors.speaks"
_HOLD: Final = "Nothing: the question is held out."


Where = Mapping[tuple[str, str], str]
"""Id of a life by conversation and session, for the dialogues that are in one."""


def lives_of_questions(
    talk: Conversation, questions: Sequence[QAItem], where: Where
) -> dict[str, str | None]:
    """By question of a conversation, the life that it follows into; None where there is none.

    It goes where the first dialogue went that it cites; one that cites none, where most dialogues
    of its conversation went.
    """
    own = [where[talk.id, one.id] for one in talk.sessions if (talk.id, one.id) in where]
    lives = Counter(own)
    most = min(lives, key=lambda name: (-lives[name], natural_key(name))) if lives else None
    found: dict[str, str | None] = {}
    for item in questions:
        cited = sorted(sessions_of(item), key=natural_key)
        to = (where[talk.id, one] for one in cited if (talk.id, one) in where)
        found[item.id] = next(to, None) if cited else most
    return found


def left_over(question: str) -> Finding:
    """A question whose dialogues are in no cluster."""
    return _finding(LEFT_OVER, question, "evidence", "a dialogue of some cluster", "others")


def check_questions(
    life: Bundle, made: JoinedLife, sources: Mapping[str, Bundle]
) -> Iterator[Finding]:
    """Findings about the questions that joining dialogues made wrong."""
    own = {one.id: one for one in life.questions}
    for name, source in sources.items():
        came: dict[str, QAItem] = {
            made.records[item.id]: item
            for item in source.questions
            if made.records.get(item.id) in own
        }
        sessions = made.sessions.get(name, {})
        lost = set(_questions_apart(source, sessions, came))
        for question, item in sorted(came.items()):
            if question in lost:
                away = sorted(sessions_of(item) - sessions.keys(), key=natural_key)
                yield _finding(APART, question, "evidence", f"{', '.join(away)} beside it", "none")
        kept = life.model_copy(update={"questions": [own[one] for one in came if one not in lost]})
        yield from _changed_answers(kept, came, source, made)
        yield from _rivals(kept, name)


def _questions_apart(
    source: Bundle, sessions: Mapping[str, str], came: Mapping[str, QAItem]
) -> Iterator[str]:
    there = source.session_by_id
    for question, item in came.items():
        if any(one in there and one not in sessions for one in sessions_of(item)):
            yield question


def _changed_answers(
    kept: Bundle, came: Mapping[str, QAItem], source: Bundle, made: JoinedLife
) -> Iterator[Finding]:
    """What a query gave before it gives again, from the facts that it rested on."""
    asked = [one for one in kept.questions if one.query is not None]
    if not asked:
        return
    before, after = Ledger(source.history), Ledger(kept.history)
    for item in asked:
        old = _execution(came[item.id], source, before)
        if old is None:
            continue
        new = _execution(item, kept, after)
        if new is None:
            expected = ", ".join(old.values)
            yield _finding(CHANGED, item.id, "query", expected, "another answer")
        elif set(new.why) != {made.records.get(one, one) for one in old.why}:
            yield _finding(CHANGED, item.id, "query", "the same facts", ", ".join(new.values))


def _execution(item: QAItem, bundle: Bundle, ledger: Ledger) -> Execution | None:
    try:
        return check_item(item, bundle, ledger)
    except (QueryError, RecordError):
        return None


def _rivals(kept: Bundle, source: str) -> Iterator[Finding]:
    """What is found about questions of a conversation when the sessions of others distract."""
    talk = kept.conversation
    sessions = [
        one.model_copy(update={"arc": SessionArc.MAIN, "origin": None})
        if conversation_of(one.origin or "") == source
        else one.model_copy(update={"arc": SessionArc.SIDE, "origin": one.origin or "new"})
        for one in talk.sessions
    ]
    others = kept.model_copy(
        update={"conversation": talk.model_copy(update={"sessions": sessions})}
    )
    found = check_conversation(others, RuleContext(draws=False), [RULES[_SPEAKS]])
    seen: set[str] = set()
    for one in found:
        if one.target not in seen:
            seen.add(one.target)
            said = one.message.partition("expected ")[2]
            yield RIVAL.finding(
                one.target, one.pointer, f"{one.target}.answer.values: expected {said}", _HOLD
            )


def _finding(rule: Rule, question: str, field: str, expected: str, got: str) -> Finding:
    message = f"{question}.{field}: expected {expected}, got '{got}'"
    return rule.finding(question, f"/{field}", message, _HOLD)
