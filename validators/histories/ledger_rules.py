"""Rules on the ledger that need no query: facts hang together and can be seen somewhere."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactScope,
    FactStatus,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.taught_rule import TemplateRule, ThresholdRule, slots_of
from memassay.schemas.values.civil_time import (
    Precision,
    day_forms,
    is_day,
    is_when,
    precision,
    start,
    strictly_after,
)
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.schemas.values.text import in_person
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import says

_POINTS: Final = "WorldMemArena 4, memory points"
_CHANGING: Final = frozenset({FactOperation.REVISE, FactOperation.DELETE, FactOperation.MERGE})
_WITH_DAY: Final = frozenset({Precision.DAY, Precision.MINUTE, Precision.SECOND})


def _facts(bundle: Bundle) -> dict[str, Fact]:
    return {fact.id: fact for fact in bundle.facts}


def _facts_in_text(bundle: Bundle) -> set[str]:
    """Ids of the facts that nobody has taken out of the text."""
    return {name for name, fact in _facts(bundle).items() if fact.status is not FactStatus.UNSAID}


@RULES.conversation("ledger.references", Severity.ERROR, _POINTS)
def references(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Facts that a fact supersedes or follows from exist, and so does its speaker."""
    known = _facts(bundle)
    speakers = {speaker.id for speaker in bundle.conversation.speakers}
    for fact in bundle.facts:
        for name, others in (("supersedes", fact.supersedes), ("entailed_by", fact.entailed_by)):
            for at, other in enumerate(others):
                if other not in known:
                    yield problem(
                        fact.id, (name, at), "a fact that exists", other, "add it, or drop it"
                    )
        if fact.speaker is not None and fact.speaker not in speakers:
            fix = "name a speaker of the conversation"
            yield problem(fact.id, ("speaker",), "a known speaker", fact.speaker, fix)


@RULES.conversation("ledger.no_cycles", Severity.ERROR, _POINTS)
def no_cycles(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No fact supersedes or entails itself, through whatever chain."""
    for name in ("supersedes", "entailed_by"):
        edges: dict[str, list[str]] = {fact.id: getattr(fact, name) for fact in bundle.facts}
        for fact in bundle.facts:
            if _reaches(edges, fact.id):
                yield problem(
                    fact.id,
                    (name,),
                    "a chain that ends",
                    f"a chain back to {fact.id}",
                    "drop one link of the chain",
                )


def _reaches(edges: dict[str, list[str]], origin: str) -> bool:
    """Whether a walk along the edges comes back to where it began."""
    waiting, seen = list(edges[origin]), set[str]()
    while waiting:
        name = waiting.pop()
        if name == origin:
            return True
        if name not in seen:
            seen.add(name)
            waiting.extend(edges.get(name, []))
    return False


@RULES.conversation("ledger.update_chain", Severity.ERROR, _POINTS)
def update_chain(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A fact that changes the state says which facts it replaces, and comes no earlier.

    A deletion of what nobody stated says by itself that something ended.
    """
    known = _facts(bundle)
    stated = Counter((fact.subject, fact.attribute) for fact in bundle.facts)
    for fact in bundle.facts:
        lone = fact.operation is FactOperation.DELETE and stated[fact.subject, fact.attribute] == 1
        if fact.operation in _CHANGING and not fact.supersedes and not lone:
            yield problem(
                fact.id,
                ("supersedes",),
                f"the facts that the {fact.operation} replaces",
                "none",
                "name them, or append",
            )
        for at, name in enumerate(fact.supersedes):
            other = known.get(name)
            if other is None:
                continue
            if _earlier(fact, other):
                got = f"{fact.valid_from}, before {other.valid_from} of {name}"
                fix = "correct the dates, or turn the chain round"
                yield problem(fact.id, ("supersedes", at), "a fact from before it", got, fix)


@RULES.conversation("ledger.update_subject", Severity.WARNING, _POINTS)
def update_subject(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A fact supersedes facts about its own subject; a merge joins those of several."""
    known = _facts(bundle)
    for fact in bundle.facts:
        if fact.operation is FactOperation.MERGE:
            continue
        for at, name in enumerate(fact.supersedes):
            other = known.get(name)
            if other is not None and other.subject != fact.subject:
                got = f"{other.subject} of {name}"
                fix = "name a fact of the same subject"
                yield problem(fact.id, ("supersedes", at), fact.subject, got, fix)


def _earlier(fact: Fact, other: Fact) -> bool:
    dates = (fact.valid_from, other.valid_from)
    if dates[0] is None or dates[1] is None or not all(is_when(str(each)) for each in dates):
        return False
    return strictly_after(dates[1], dates[0])


@RULES.conversation("ledger.rule_value", Severity.ERROR, "memassay records, taught rules")
def rule_value(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A value has a rule exactly when its type is rule, and the rule says one thing of a case."""
    for fact in bundle.facts:
        rule, kind = fact.value.rule, fact.value.type
        if rule is None and kind is ValueType.RULE:
            fix = "state the rule, or give the value another type"
            yield problem(fact.id, ("value", "type"), "a value with a rule", kind, fix)
        if rule is not None and kind is not ValueType.RULE:
            fix = "give the value the type rule, or drop the rule"
            yield problem(fact.id, ("value", "rule"), f"no rule in a {kind}", rule.kind, fix)
        if isinstance(rule, TemplateRule) and not slots_of(rule.text):
            fix = "name at least one slot in braces"
            yield problem(fact.id, ("value", "rule", "text"), "a form with slots", rule.text, fix)
        if isinstance(rule, ThresholdRule):
            least = Counter(Decimal(step.least) for step in rule.steps)
            for at, step in enumerate(rule.steps):
                if least[Decimal(step.least)] > 1:
                    parts, fix = ("value", "rule", "steps", at, "least"), "keep one of the steps"
                    yield problem(fact.id, parts, "a number of its own", step.least, fix)


@RULES.conversation("ledger.interference", Severity.ERROR, "WorldMemArena 4, interference points")
def interference(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Filler changes nothing: no fact of status interference supersedes or entails another's."""
    known = _facts(bundle)
    for fact in bundle.facts:
        if fact.status is FactStatus.INTERFERENCE and fact.supersedes:
            fix = "append the filler, or make it part of the story"
            yield problem(fact.id, ("supersedes",), "nothing for filler", fact.supersedes, fix)
        for at, name in enumerate(fact.entailed_by):
            other = known.get(name)
            source_is_filler = other is not None and other.status is FactStatus.INTERFERENCE
            if source_is_filler and fact.status is not FactStatus.INTERFERENCE:
                fix = "let it follow from the story"
                yield problem(fact.id, ("entailed_by", at), "no filler", name, fix)


@RULES.conversation("ledger.said", Severity.ERROR, "WorldMemArena data, memory points never said")
def mention_present(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A fact of the history has a mention, follows from others, names its session, or is unsaid."""
    shown = {each.fact for each in bundle.mentions}
    for fact in bundle.facts:
        exempt = (
            fact.scope is FactScope.QUESTION
            or fact.holder is FactHolder.EXTERNAL
            or bool(fact.entailed_by)
            or fact.session is not None
            or fact.status is FactStatus.UNSAID
        )
        if not exempt and fact.id not in shown:
            yield problem(
                fact.id, (), "a mention in the history", "none", "say the fact, or drop it"
            )


@RULES.conversation("ledger.session_exists", Severity.ERROR, _POINTS)
def session_exists(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """The session after which a fact should be known exists."""
    for fact in bundle.facts:
        if fact.session is not None and fact.session not in bundle.session_by_id:
            fix = "name a session of the conversation"
            yield problem(fact.id, ("session",), "a session that exists", fact.session, fix)


@RULES.conversation("ledger.mention_resolves", Severity.ERROR, "memassay records, mentions")
def mention_resolves(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Fact, round, turn, attachment, asset and speaker of a mention exist and belong together."""
    facts = _facts(bundle)
    for mention in bundle.mentions:
        for name, expected in _wrong_fields(bundle, mention, facts):
            yield problem(
                mention.id,
                (name,),
                expected,
                getattr(mention, name),
                "locate the mention again",
            )


def _wrong_fields(
    bundle: Bundle, mention: Mention, facts: dict[str, Fact]
) -> Iterator[tuple[str, str]]:
    """Fields of a mention that lead nowhere, with what they should name."""
    if mention.fact not in facts:
        yield "fact", "a fact that exists"
    if mention.round not in bundle.round_by_id:
        yield "round", "a round that exists"
        return
    turns = {turn.id: turn for turn in bundle.round_by_id[mention.round].turns}
    if mention.turn is not None and mention.turn not in turns:
        yield "turn", f"a turn of {mention.round}"
        return
    spoken = [turns[mention.turn]] if mention.turn else list(turns.values())
    shown = {each.id: each.asset for turn in spoken for each in turn.attachments}
    if mention.attachment is not None and mention.attachment not in shown:
        yield "attachment", f"an attachment of {mention.turn or mention.round}"
    if mention.asset is not None and mention.asset not in bundle.asset_by_id:
        yield "asset", "an asset that exists"
    elif mention.asset is not None and not _shows(bundle, shown, mention):
        yield "asset", f"an asset that {mention.attachment or mention.turn or mention.round} shows"
    if mention.speaker is not None and mention.speaker not in {turn.speaker for turn in spoken}:
        yield "speaker", f"a speaker of {mention.turn or mention.round}"


def _shows(bundle: Bundle, shown: dict[str, str], mention: Mention) -> bool:
    """Whether the attachments of a mention, by id, show its asset or a page of it."""
    named = shown.get(mention.attachment or "")
    assets = set(shown.values()) if named is None else {named}
    parents = {bundle.asset_by_id[each].parent for each in assets if each in bundle.asset_by_id}
    return mention.asset in assets | parents


@RULES.conversation("ledger.span", Severity.ERROR, "memassay records, spans in code points")
def span(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A span lies inside its turn's text, and a full mention's span holds the value."""
    facts = _facts(bundle)
    for mention in bundle.mentions:
        turn = bundle.turn_by_id.get(mention.turn or "")
        if mention.span is None or turn is None:
            continue
        start, end = mention.span
        if not 0 <= start < end <= len(turn.text):
            got, expected = mention.span, f"a span inside 0 to {len(turn.text)}"
            yield problem(mention.id, ("span",), expected, got, "locate the mention again")
            continue
        fact, text = facts.get(mention.fact), turn.text[start:end]
        readable = mention.form is MentionForm.FULL and mention.modality is Modality.TEXT
        if fact is not None and readable and not _says_value(bundle, mention, fact, text):
            fix = "locate the mention again, or mark it as partial"
            yield problem(mention.id, ("span",), f"a text that says {fact.value.text}", text, fix)


def _says_value(bundle: Bundle, mention: Mention, fact: Fact, text: str) -> bool:
    """Whether a text says a fact's value, a day also as counted from the day it was said on."""
    if any(says(text, form) for form in [*_forms(fact), *_own_forms(bundle, mention, fact)]):
        return True
    day, said = fact.value.text, bundle.date_by_round.get(mention.round)
    if fact.value.type is not ValueType.DATE or not is_day(day) or said is None:
        return False
    if precision(said) not in _WITH_DAY:
        return False
    wanted = DayRange(start(day).date(), start(day).date())
    return any(wanted in found.readings for found in relative_dates(text, start(said).date()))


def _own_forms(bundle: Bundle, mention: Mention, fact: Fact) -> Iterator[str]:
    """How a speaker says what has their own name in it: `my first soup`."""
    for one in bundle.conversation.speakers:
        if one.id == mention.speaker and one.name in fact.value.text:
            own = in_person(fact.value.text, one.name)
            yield from [own] if own else []


def _forms(fact: Fact) -> list[str]:
    """The wordings in which a text can hold a fact's value."""
    day = fact.value.text
    is_day = fact.value.type is ValueType.DATE and is_when(day) and precision(day) == "day"
    return [day, *day_forms(day)] if is_day else [day]


@question_rule(
    "ledger.evidence_facts",
    Severity.ERROR,
    "WorldMemArena data, evidence of memory points that do not exist",
    applies=lambda item: bool(item.evidence.facts),
)
def evidence_facts(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """Every fact that an answer rests on exists, and nobody has taken it out of the text."""
    known = context.once(_facts_in_text, bundle)
    for at, name in enumerate(item.evidence.facts):
        if name not in known:
            yield problem(
                item.id,
                ("evidence", "facts", at),
                "a fact that exists and is said",
                name,
                "name the fact that was meant; recall can never be full otherwise",
            )
