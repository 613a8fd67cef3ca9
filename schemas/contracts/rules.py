"""Rules: what is checked, how bad a breach is, and where the demand comes from."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from pydantic import JsonValue

from memassay.schemas.blame import blaming
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.drawings import Redraw
from memassay.schemas.contracts.readings import Reading
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

_T = TypeVar("_T")


class LooksAt(StrEnum):
    """What a rule looks at; what it does not look at cannot change what it says."""

    QUESTION = "question"
    """One question and the history it is asked about, without the other questions."""
    TIMELINE = "timeline"
    """Personas, events and facts."""
    HISTORY = "history"
    """A told conversation with all that belongs to it, without its questions."""
    PIXELS = "pixels"
    """Assets and their bytes."""
    CONVERSATION = "conversation"
    """A conversation with all that belongs to it, its questions beside each other."""
    COLLECTION = "collection"
    """All conversations of a data set."""
    READER = "reader"
    """What somebody who read said of a question or a session, which no record tells again."""


@dataclass(frozen=True)
class RuleContext:
    """What a rule may look at beside the records.

    Attributes:
        blobs: The bytes of present assets; None when only records are at hand.
        thresholds: Numbers that a recipe sets, by rule id.
        threshold: The number of the rule that is asked, the recipe's or its own.
        draws: Whether rules may do with pixels what takes much time.
        redraw: Draws the images of a conversation again; None where nothing is drawn.
        readings: How items were read, by id, and sessions, by `session_reading_key`; none where
            no reader was asked.
        derived: What rules have derived from bundles, see `once`.
    """

    blobs: BlobStore | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)
    threshold: float = 0.0
    draws: bool = True
    redraw: Redraw | None = None
    readings: Mapping[str, Reading[Any]] = field(default_factory=dict)
    derived: dict[tuple[object, int], tuple[Bundle, Any]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def of_conversation(self) -> "RuleContext":
        """The same for the rules of one conversation: what they derive from it ends with them."""
        return replace(self, derived={})

    def once(self, derive: Callable[[Bundle], _T], bundle: Bundle) -> _T:
        """What a function derives from a bundle, computed once for all rules that ask.

        Raises:
            Exception: Whatever the function raises; then the next who asks computes it again.
        """
        key = derive, id(bundle)
        if key not in self.derived:
            # The bundle is kept too: its id must not become that of another.
            self.derived[key] = bundle, derive(bundle)
        result: _T = self.derived[key][1]
        return result


Problem = tuple[str, str, str, str]
"""What a check yields: target record id, JSON Pointer, message, fix."""

ConversationCheck = Callable[[Bundle, RuleContext], Iterable[Problem]]
Digest = Callable[[Bundle], Any]
"""Takes from a conversation what a rule about collections needs of it.

Traits are JSON values alone, since they are stored, and small, since those of all conversations
are in memory together. What several rules need, one digest gives.
"""
Judge = Callable[[Iterable[Any], RuleContext], Iterable[Problem]]
"""Finds problems in the traits of all conversations, which come in natural order of their ids."""
Traits = Mapping[str, Any]
"""What digests took from a conversation, by the names of the digests."""
Applies = Callable[[QAItem], bool]


@dataclass(frozen=True)
class Mended:
    """What would mend a finding.

    Attributes:
        pointer: JSON Pointer inside the record it is about; empty for the record.
        old: What is there in the record; None to leave it unasked.
        new: What should: nothing if it is to go.
    """

    pointer: str
    old: JsonValue
    new: tuple[JsonValue, ...]


class Measured(NamedTuple):
    """How often a rule was right where people read its findings in data that others made.

    Attributes:
        right: Findings that were.
        of: All findings that were read.
    """

    right: int
    of: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 if none was read."""
        return self.right / self.of if self.of else 0.0


Mend = Callable[[Bundle, Finding], Mended | None]
"""How the owner of the data would mend a finding; None if only a person can say."""


@dataclass(frozen=True)
class Rule:
    """One rule: an id, a severity, what it demands, where the demand comes from.

    Attributes:
        id: `family.rule`, e.g. `evidence.resolves`.
        severity: How bad a breach is.
        what: One sentence, the first line of the check's docstring.
        source: Paper section, format note or design rule the demand comes from.
        looks_at: What its check looks at.
        conversation_check: For rules that look at one conversation.
        digest: For rules about all conversations of a data set: takes the traits of one.
        digests: Kinds of data that the digest looks at beside the conversation; empty for all.
        judge: For these rules: finds problems in the traits of all.
        applies: For rules about single questions: whether it says anything about one.
        concerns: Whether it says anything about a conversation; None where it does about all.
        threshold: The number it works with, if a recipe may set it.
        mend: What would mend one of its findings, for errata.
        measured: How often it was right where people read it; None if nobody has.
    """

    id: str
    severity: Severity
    what: str
    source: str
    looks_at: LooksAt = LooksAt.CONVERSATION
    conversation_check: ConversationCheck | None = None
    digest: Digest | None = None
    digests: frozenset[str] = frozenset()
    judge: Judge | None = None
    applies: Applies | None = None
    concerns: Callable[[Bundle], bool] | None = None
    threshold: float | None = None
    mend: Mend | None = None
    measured: Measured | None = None

    def finding(self, target: str, pointer: str, message: str, fix: str) -> Finding:
        """A finding of this rule."""
        return Finding.make(self.id, self.severity, target, pointer, message, fix)

    def check_conversation(self, bundle: Bundle, context: RuleContext) -> Iterator[Finding]:
        """Findings about one conversation; none for a collection rule."""
        if self.conversation_check is not None:
            with blaming(f"rule {self.id} on {bundle.id}", self.conversation_check):
                for problem in self.conversation_check(bundle, self._own(context)):
                    yield self.finding(*problem)

    def digest_conversation(self, bundle: Bundle) -> Traits:
        """The traits of one conversation, by the name of the digest; none without a digest."""
        if self.digest is None:
            return {}
        with blaming(f"rule {self.id} on {bundle.id}", self.digest):
            return {digest_name(self.digest): self.digest(bundle)}

    def judge_collection(self, traits: Iterable[Traits], context: RuleContext) -> Iterator[Finding]:
        """Findings about all conversations, by their traits; none for a conversation rule."""
        if self.digest is not None and self.judge is not None:
            name = digest_name(self.digest)
            with blaming(f"rule {self.id}", self.judge):
                for problem in self.judge((one[name] for one in traits), self._own(context)):
                    yield self.finding(*problem)

    def _own(self, context: RuleContext) -> RuleContext:
        """The context with the number of this rule."""
        if self.threshold is None:
            return context
        return replace(context, threshold=context.thresholds.get(self.id, self.threshold))


class RuleRegistry:
    """Rules by id; a family of rules lives in one small file and registers itself here."""

    def __init__(self, *given: Iterable[Rule]) -> None:
        """Start with the rules of other books, or with none."""
        self._rules: dict[str, Rule] = {}
        for rule in chain.from_iterable(given):
            self.add(rule)

    def add(self, rule: Rule) -> Rule:
        """Register a rule.

        Raises:
            ValueError: A rule of this id is registered already.
        """
        if rule.id in self._rules:
            raise ValueError(f"rule {rule.id} is registered twice")
        self._rules[rule.id] = rule
        return rule

    def conversation(
        self,
        rule_id: str,
        severity: Severity,
        source: str,
        *,
        looks_at: LooksAt = LooksAt.CONVERSATION,
        applies: Applies | None = None,
        concerns: Callable[[Bundle], bool] | None = None,
        threshold: float | None = None,
    ) -> Callable[[ConversationCheck], ConversationCheck]:
        """Decorator: register a check of one conversation; its docstring says what it demands."""

        def register(check: ConversationCheck) -> ConversationCheck:
            self.add(
                Rule(
                    rule_id,
                    severity,
                    _what(check),
                    source,
                    looks_at,
                    conversation_check=check,
                    applies=applies,
                    concerns=concerns,
                    threshold=threshold,
                )
            )
            return check

        return register

    def collection(
        self,
        rule_id: str,
        severity: Severity,
        source: str,
        *,
        digest: Digest,
        digests: Iterable[str] = (),
        threshold: float | None = None,
    ) -> Callable[[Judge], Judge]:
        """Decorator: register a judge of all conversations; its docstring says what it demands.

        No rule holds all conversations: `digest` takes from each what the judge needs. What else
        than the conversation it looks at is read only if `digests` names its kind, or no kind.
        """

        def register(judge: Judge) -> Judge:
            self.add(
                Rule(
                    rule_id,
                    severity,
                    _what(judge),
                    source,
                    LooksAt.COLLECTION,
                    digest=digest,
                    digests=frozenset(digests),
                    judge=judge,
                    threshold=threshold,
                )
            )
            return judge

        return register

    def declare(self, rule_id: str, severity: Severity, what: str, source: str) -> Rule:
        """Register a rule without a check: an importer finds its breaches while it reads."""
        return self.add(Rule(rule_id, severity, what, source))

    def mends(self, rule_id: str) -> Callable[[Mend], Mend]:
        """Decorator: what would mend a finding of a rule that is registered."""

        def register(mend: Mend) -> Mend:
            self._rules[rule_id] = replace(self._rules[rule_id], mend=mend)
            return mend

        return register

    def measure(self, rule_id: str, right: int, of: int) -> None:
        """Note how often the findings of a rule that is registered were right when read."""
        self._rules[rule_id] = replace(self._rules[rule_id], measured=Measured(right, of))

    def __iter__(self) -> Iterator[Rule]:
        """Rules by id."""
        return iter(sorted(self._rules.values(), key=lambda rule: rule.id))

    def __getitem__(self, rule_id: str) -> Rule:
        """The rule of an id."""
        return self._rules[rule_id]


def digest_name(digest: Digest) -> str:
    """The name under which the traits that a digest takes are kept."""
    return f"{digest.__module__}.{digest.__qualname__}"


def _what(check: Callable[..., object]) -> str:
    return (inspect.getdoc(check) or "").partition("\n")[0]


def pointer(*parts: str | int) -> str:
    """A JSON Pointer (RFC 6901) from its unescaped parts."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)
