"""Whether questions have the answers that they had before sessions joined their conversation."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memassay.schemas.contracts.rules import LooksAt, RuleContext
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import RULES, check_conversation

_ANSWER = "visitors.speaks"
_ASKED = frozenset({LooksAt.QUESTION, LooksAt.CONVERSATION})


@dataclass(frozen=True)
class Change:
    """What a session would change.

    Attributes:
        record: Id of the record, most often a question.
        rule: What found it.
        message: In words.
    """

    record: str
    rule: str
    message: str


@dataclass
class Standing:
    """What rules and queries say of a conversation, to be compared with what they say later.

    Attributes:
        bundle: The conversation.
        found: How many findings there are by rule and record.
        given: What each query gives, by question.
    """

    bundle: Bundle
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    given: dict[str, Execution] = field(default_factory=dict)

    @classmethod
    def of(cls, bundle: Bundle) -> "Standing":
        """What is said of a conversation now."""
        found = Counter((one.rule, one.target) for one in _findings(bundle))
        return cls(bundle, found, _executions(bundle))

    def with_more(self, after: Bundle) -> "tuple[Standing, list[Change]]":
        """What is said of the conversation with sessions more, and what of it differs.

        The rival search comes first: most sessions that change anything are found by it.
        """
        spoken = check_conversation(after, _context(), [RULES[_ANSWER]])
        if spoken:
            return self, [Change(one.target, one.rule, one.message) for one in spoken]
        findings = _findings(after)
        now = Standing(
            after, Counter((one.rule, one.target) for one in findings), _executions(after)
        )
        return now, [*self._facts(after), *self._answers(now), *self._changes(findings)]

    def _changes(self, findings: Iterable[Finding]) -> Iterator[Change]:
        """What the conversation had before it may have afterwards, wherever it is now."""
        left = Counter(self.found)
        for one in findings:
            left[one.rule, one.target] -= 1
            if left[one.rule, one.target] < 0:
                yield Change(one.target, one.rule, one.message)

    def _facts(self, after: Bundle) -> Iterator[Change]:
        """Facts that came along say nothing of a property that the conversation has facts about."""
        own = {one.id for one in self.bundle.facts}
        known = {(one.subject.casefold(), one.attribute) for one in self.bundle.facts}
        for one in after.facts:
            if one.id not in own and (one.subject.casefold(), one.attribute) in known:
                message = (
                    f"{one.id}: expected a fact about another subject or property, got "
                    f"{one.attribute} of '{one.subject}'"
                )
                yield Change(one.id, "distractors.fact", message)

    def _answers(self, now: "Standing") -> Iterator[Change]:
        """Every query gives its gold, from the same facts, over the whole."""
        for item, before in self.given.items():
            found = now.given.get(item)
            if found is None or found.why != before.why:
                got = "another answer" if found is None else ", ".join(found.values)
                message = (
                    f"{item}.query: expected {', '.join(before.values)} from the same facts, got "
                    f"'{got}'"
                )
                yield Change(item, "proof.executes", message)


def _context() -> RuleContext:
    return RuleContext(draws=False)


def _findings(bundle: Bundle) -> list[Finding]:
    asked = [one for one in RULES if one.looks_at in _ASKED and one.id != _ANSWER]
    rules = [one for one in asked if one.severity is not Severity.INFO]
    return check_conversation(bundle, _context(), rules)


def _executions(bundle: Bundle) -> dict[str, Execution]:
    """What each query of a conversation gives; those that give nothing are left out."""
    asked = [item for item in bundle.questions if item.query is not None]
    try:
        ledger = Ledger(bundle.history) if asked else None
    except QueryError:
        return {}
    found = {}
    for item in asked:
        try:
            found[item.id] = check_item(item, bundle, ledger)
        except (QueryError, RecordError):
            continue
    return found
