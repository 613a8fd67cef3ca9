"""Every rule asked of every conversation, in as many processes as there are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memassay.exports.release.checking.spill import SpilledBundles
from memassay.flows.recipes.registry import codes_of
from memassay.flows.stages.check_stages import code_findings
from memassay.schemas.contracts.collection import Mapper
from memassay.schemas.contracts.rules import RuleContext, Traits
from memassay.schemas.grouping import belongs_to
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.caches import clear_text_caches
from memassay.validators.check import (
    check_conversation,
    digest_conversation,
    judge_collection,
    order_findings,
)


class Place(NamedTuple):
    """A conversation among others.

    Attributes:
        at: Its position.
        name: Its id, where that is known without reading it.
        size: How much there is of it.
    """

    at: int
    name: str
    size: float


def places_of(bundles: Sequence[Bundle]) -> list[Place]:
    """Where each conversation is."""
    if isinstance(bundles, SpilledBundles):
        sizes = map(bundles.spill.size, bundles.ids)
        return [
            Place(at, name, size)
            for at, (name, size) in enumerate(zip(bundles.ids, sizes, strict=True))
        ]
    return [Place(at, bundle.id, 0) for at, bundle in enumerate(bundles)]


@dataclass(frozen=True)
class Asking:
    """What whoever asks the rules must know.

    Attributes:
        bundles: The conversations.
        context: Their bytes, and what is drawn again.
        asks_codes: Whether a path must have declared the codes of its questions.
    """

    bundles: Sequence[Bundle]
    context: RuleContext
    asks_codes: bool


class Answers(NamedTuple):
    """What the rules say of one conversation.

    Attributes:
        findings: By what looks at one conversation.
        traits: What rules about all conversations need of it.
        codes: Findings about codes of questions.
        counts: Its records by kind.
    """

    findings: list[Finding]
    traits: Traits
    codes: list[Finding]
    counts: Counter[str]


def ask_rules(asking: Asking, place: Place) -> Answers:
    """What the rules say of one conversation."""
    bundle = asking.bundles[place.at]
    findings = check_conversation(bundle, asking.context)
    traits = digest_conversation(bundle)
    # The next conversation has other texts; kept, these would grow with every one.
    clear_text_caches()
    codes = codes_of({bundle.conversation.path}) if asking.asks_codes else {}
    counts = Counter(map(kind_of, bundle.records()))
    return Answers(findings, traits, list(code_findings([bundle], codes)), counts)


class AllAnswers(NamedTuple):
    """What the rules say of all conversations.

    Attributes:
        findings: About conversations and their collection in the order of `check`, then about
            codes of questions.
        counts: Records by kind.
    """

    findings: list[Finding]
    counts: Counter[str]


def ask_all(
    bundles: Sequence[Bundle], context: RuleContext, mapper: Mapper, *, asks_codes: bool = False
) -> AllAnswers:
    """What every rule says of every conversation, and of all of them.

    Args:
        bundles: All conversations of a data set.
        context: Bytes of the assets and thresholds.
        mapper: Has the conversations done.
        asks_codes: Whether a path must have declared the codes of its questions.
    """
    asking = Asking(bundles, context, asks_codes)
    found, codes = list[Finding](), list[Finding]()
    traits: list[Traits] = []
    counts = Counter[str]()
    for answers in mapper.map(ask_rules, asking, places_of(bundles), size_of_place, name_of_place):
        found += answers.findings
        traits.append(answers.traits)
        codes += answers.codes
        counts += answers.counts
    every = order_findings([*found, *judge_collection(traits, context)])
    return AllAnswers([*every, *codes], counts)


def size_of_place(place: Place) -> float:
    """How much work a conversation is."""
    return place.size


def name_of_place(place: Place) -> str:
    """What an error calls a conversation."""
    return place.name


def by_owner(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Findings by the conversation of their target."""
    owned: dict[str, list[Finding]] = {}
    for finding in findings:
        owned.setdefault(belongs_to(finding), []).append(finding)
    return owned
