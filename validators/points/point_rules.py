"""WorldMemArena's four validators: points told, seen in captions, set aside, replaced in turn."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memassay.schemas.changes.locating import locate
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.claim_scopes import (
    Verdict,
    claim_stretch,
    verdict_around,
    verdict_later,
)
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import run_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactOperation, FactStatus, ValueType
from memassay.schemas.values.text import same
from memassay.validators.places import attachments
from memassay.validators.points.passages import (
    Points,
    hard_words,
    has_points,
    holds_value,
    is_sentence_alone,
    lines_of,
    names_attribute,
    names_subject,
    sentences_of,
)
from memassay.validators.registry import RULES, problem
from memassay.validators.wording import key_words, says

_SOURCE: Final = "WorldMemArena C.2"
_WORD: Final = re.compile(r"[\w'’-]+")
_DENIAL: Final = re.compile(r"\b(?:not|never|no longer)\b|n't\b", re.IGNORECASE)
_SAME_VOICE: Final = frozenset({None, "primary", "system"})
"""Sources that are the user: in words, or in pictures that the user shows."""
_LIKE: Final = 0.6
"""Share of the words of a sentence that a turn must have to be the one that tells it."""


@RULES.conversation(
    "points.stated", Severity.WARNING, f"{_SOURCE}, memory point coverage", concerns=has_points
)
def check_statement(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """The sentence of a memory point keeps what it is about and the value that it states."""
    points = context.once(Points, bundle)
    for fact in points.facts:
        plain = fact.operation is not FactOperation.DELETE and fact.value.type is not ValueType.RULE
        if is_sentence_alone(fact):
            continue
        if plain and points.is_spoken(fact) and not holds_value(fact, str(fact.statement)):
            fix = "keep the value in the sentence, or correct the value"
            yield problem(fact.id, ("statement",), fact.value.text, fact.statement, fix)
        if not names_subject(fact, str(fact.statement)):
            fix = "name in the sentence what it is about, or correct the subject"
            yield problem(fact.id, ("statement",), fact.subject, fact.statement, fix)


@RULES.conversation(
    "points.covered", Severity.WARNING, f"{_SOURCE}, memory point coverage", concerns=has_points
)
def check_coverage(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A memory point is told in its turn: its value, of its subject and attribute."""
    points = context.once(Points, bundle)
    for fact in points.facts:
        if any(True for _ in points.rests_on(fact)):
            continue
        if is_sentence_alone(fact):
            if missing := _missing_words(points, fact):
                got = ", ".join(missing)
                fix = "tell the point in its session, or correct it"
                yield problem(fact.id, ("statement",), "words of its session", got, fix)
        elif not _is_told(points, fact):
            expected = f"a turn that says {fact.value.text} of {fact.subject}"
            fix = "tell the point, or correct its sentence, value or place"
            yield problem(fact.id, ("statement",), expected, fact.statement, fix)


def _is_told(points: Points, fact: Fact) -> bool:
    turns = points.turns_of(fact)
    if not points.is_spoken(fact):
        return any(points.is_named(fact, turn.text) for turn in turns)
    if fact.value.type is ValueType.RULE:
        return any(holds_value(fact, turn.text) for turn in turns)
    for turn in turns:
        texts = sentences_of(turn.text)
        for at, sentence in enumerate(texts):
            if points.states(fact, sentence) and not _is_denied(points, fact, texts, at):
                return True
    return False


def _is_denied(points: Points, fact: Fact, texts: Sequence[str], at: int) -> bool:
    """Whether the words of a true point say that it is not so."""
    if fact.status is FactStatus.INTERFERENCE or fact.operation is FactOperation.DELETE:
        return False
    begin, end = _stretch(fact, texts[at])
    denied = _DENIAL.search(texts[at][begin:end]) is not None
    return denied or _verdict_at(points, fact, texts, at) is Verdict.ASIDE


def _verdict_at(points: Points, fact: Fact, texts: Sequence[str], at: int) -> Verdict:
    """What a sentence makes of a claim, with the one behind it if that is about nothing else."""
    begin, end = _stretch(fact, texts[at])
    following = texts[at + 1] if at + 1 < len(texts) else ""
    behind = "" if _is_of_its_own(points, following) else following
    return verdict_around(texts[at][:begin], f"{texts[at][end:]} {behind}")


def _missing_words(points: Points, fact: Fact) -> list[str]:
    """Numbers and names of a sentence that nothing in its session says or shows.

    A name that no session says is that of the user, whom turns do not name.
    """
    session = points.session_of(fact)
    here = frozenset[str]()
    for turn in points.turns_in(session):
        shown = [points.reading(each) for each in turn.attachments]
        here |= _all_words([turn.text, *shown])
    everywhere = points.bundle.conversation.turns()
    wanted = sorted(hard_words(str(fact.statement)) - here)
    known = _all_words(turn.text for turn in everywhere) if wanted else frozenset()
    return [word for word in wanted if word[0].isdigit() or word in known]


def _all_words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in run_of(text))


@RULES.conversation(
    "points.pictured", Severity.WARNING, f"{_SOURCE}, image caption coverage", concerns=has_points
)
def check_pictures(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What a picture shows of a memory point is in its caption, or is read in it."""
    points = context.once(Points, bundle)
    for fact in points.facts:
        for mention, shown in points.rests_on(fact):
            text = points.reading(shown)
            if not any(points.states(fact, line, text) for line in lines_of(text)):
                expected = f"a caption of {mention.attachment} with {fact.value.text}"
                fix = "say in the caption what the picture shows, or correct the point"
                yield problem(fact.id, ("statement",), expected, text or "none", fix)


@RULES.conversation(
    "points.captioned", Severity.WARNING, f"{_SOURCE}, image caption coverage", concerns=has_points
)
def check_captions(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Beside memory points every image has a caption, or something that is read in it."""
    points = context.once(Points, bundle)
    for parts, _, shown in attachments(bundle) if points.facts else ():
        if not points.reading(shown).strip():
            fix = "say what the image shows"
            yield problem(bundle.id, (*parts, "caption"), "a caption", "none", fix)


@RULES.conversation(
    "points.set_aside",
    Severity.WARNING,
    f"{_SOURCE}, interference detectability",
    concerns=has_points,
)
def check_interference(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """Interference is refuted or scoped where it is said, or later in its session."""
    points = context.once(Points, bundle)
    for fact in points.facts:
        if fact.status is not FactStatus.INTERFERENCE:
            continue
        found = list(_verdicts(points, fact))
        if found and Verdict.ASIDE not in found:
            expected = "words that set the claim aside"
            got = "a claim that holds" if Verdict.HOLDS in found else "plain news"
            fix = "refute it in its session, or make it a fact"
            yield problem(fact.id, ("statement",), expected, f"{got}: {fact.statement}", fix)


def _verdicts(points: Points, fact: Fact) -> Iterator[Verdict]:
    """What its session makes of a claim, place by place; nothing where it is not found."""
    told = {turn.id for turn in points.turns_of(fact)}
    is_found = False
    for turn in points.turns_in(points.session_of(fact)):
        texts = sentences_of(turn.text)
        for at, sentence in enumerate(texts):
            if is_found and not is_sentence_alone(fact) and _is_about(points, fact, sentence):
                begin, end = _stretch(fact, sentence)
                yield verdict_later(sentence[:begin], sentence[end:])
            elif turn.id in told and _is_claim(points, fact, sentence):
                is_found = True
                yield _verdict_at(points, fact, texts, at)


def _is_claim(points: Points, fact: Fact, sentence: str) -> bool:
    if not is_sentence_alone(fact):
        return points.states(fact, sentence)
    words = key_words(str(fact.statement))
    return bool(words) and len(words & key_words(sentence)) / len(words) >= _LIKE


def _is_about(points: Points, fact: Fact, sentence: str) -> bool:
    """Whether a sentence names the property of a claim and not its value."""
    named = points.is_named(fact, sentence) and names_attribute(fact, sentence)
    return named and not holds_value(fact, sentence)


def _is_of_its_own(points: Points, sentence: str) -> bool:
    """Whether a sentence names a thing or a property by itself."""
    return any(says(sentence, name) for name in points.things | points.attributes)


def _stretch(fact: Fact, sentence: str) -> tuple[int, int]:
    """Where a sentence speaks of a point: the stretch of value, subject and attribute."""
    if is_sentence_alone(fact):
        wanted = key_words(str(fact.statement))
        places = [one.span() for one in _WORD.finditer(sentence) if key_words(one.group()) & wanted]
        return min((a for a, _ in places), default=0), max((b for _, b in places), default=0)
    return claim_stretch(sentence, locate(sentence, fact.value), (fact.subject, fact.attribute))


@RULES.conversation(
    "points.chain", Severity.ERROR, f"{_SOURCE}, update chain consistency", concerns=has_points
)
def check_chains(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """An update replaces what holds until then: of its subject and attribute, with a new value."""
    points = context.once(Points, bundle)
    order = {session.id: at for at, session in enumerate(bundle.conversation.sessions)}
    facts = sorted(points.facts, key=lambda fact: order.get(points.session_of(fact) or "", 0))
    live: dict[str, Fact] = {}
    for fact in facts:
        if fact.status is FactStatus.INTERFERENCE:
            continue
        for at, name in enumerate(fact.supersedes):
            old = live.get(name)
            wrong = _wrong_link(fact, old)
            if wrong:
                fix = "name what holds before this session"
                got = old.statement if old else name
                yield problem(fact.id, ("supersedes", at), wrong, got, fix)
        if fact.operation is FactOperation.MERGE and len(fact.supersedes) < 2:
            fix = "name all that it joins"
            expected = "two facts or more that it joins"
            yield problem(fact.id, ("supersedes",), expected, fact.supersedes, fix)
        if fact.operation is FactOperation.APPEND:
            other = next((one for one in live.values() if _is_rival(one, fact)), None)
            if other is not None:
                fix = "mark it as an update of that, or give both their sources"
                expected = f"no other value beside {other.id}"
                yield problem(fact.id, ("operation",), expected, fact.statement, fix)
        for name in fact.supersedes:
            live.pop(name, None)
        if fact.operation is not FactOperation.DELETE:
            live[fact.id] = fact


def _wrong_link(fact: Fact, old: Fact | None) -> str:
    """What is expected of the fact that another replaces, where it is not so; else nothing."""
    if old is None:
        return "a fact that holds until then"
    if is_sentence_alone(fact):
        shared = key_words(str(fact.statement)) & key_words(str(old.statement))
        return "" if shared else "a sentence about the same thing"
    merged = fact.operation is FactOperation.MERGE and says(fact.subject, old.subject)
    if old.subject != fact.subject and not merged:
        return f"a fact about {fact.subject}"
    if old.attribute != fact.attribute:
        return f"a fact about its {fact.attribute}"
    same_value = same(old.value.text, fact.value.text)
    if fact.operation is FactOperation.REVISE and same_value:
        return f"another value than {fact.value.text}"
    if fact.operation is FactOperation.DELETE and not same_value:
        return f"the value that ended, {fact.value.text}"
    return ""


def _is_rival(one: Fact, fact: Fact) -> bool:
    """Whether two facts give one property different values, with nobody else to vouch for one."""
    return (
        not is_sentence_alone(fact)
        and (one.subject, one.attribute) == (fact.subject, fact.attribute)
        and (one.source == fact.source or {one.source, fact.source} <= _SAME_VOICE)
        and one.order is None
        and not same(one.value.text, fact.value.text)
    )
