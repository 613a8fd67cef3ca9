"""The stages that check records: read, where a model is named for it, validate, compare, assay."""

from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.flows.reading.units import reading_units
from memassay.flows.review.accepted_findings import mark_accepted
from memassay.schemas.base import Record
from memassay.schemas.contracts.author_sections import ReaderSection
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import BlobStore, Scope, StageContext
from memassay.schemas.contracts.readings import Reading
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Decision
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.validators.certificates.certify import certify, rules_sha256
from memassay.validators.certificates.texts import KINDS as TEXT_KINDS
from memassay.validators.certificates.texts import unread_texts
from memassay.validators.check import (
    OF_READERS,
    RULES,
    check_conversation,
    digest_conversation,
    digested_kinds,
    judge_collection,
)
from memassay.validators.registry import UNREAD_TEXT

RULES_ASKED = "rules_sha256"
"""Field of a manifest's recipe: the hash of the rules that its certificates speak of."""


UNREAD: Final = SYNTHESIS_RULES.declare(
    UNREAD_TEXT,
    Severity.INFO,
    "Every text of a history with a ledger is the simulator's, or somebody read it.",
    "memassay design, the assay: proven needs a history that was read",
)


def unread_findings(collection: Collection) -> Iterator[Finding]:
    """Findings about histories, by what the records beside them say of who wrote and read them."""
    for problem in unread_texts(collection):
        yield UNREAD.finding(*problem)


CODE: Final = SYNTHESIS_RULES.declare(
    "type.code",
    Severity.ERROR,
    "The code of a question that a path makes is one of the path's types.",
    "memassay design, paths: a path declares its types of questions",
)


def code_findings(
    bundles: Iterable[Bundle], codes: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    """Findings about questions that machines made with a code that their path does not declare.

    Args:
        bundles: Conversations with their questions.
        codes: By path, the codes that its questions may have; others are not looked at.
    """
    for bundle in bundles:
        talk = bundle.conversation
        # Sessions of another conversation may have brought questions with its path's codes.
        joined = any(session.origin for session in talk.sessions)
        known = () if joined else codes.get(talk.path, ())
        for item in bundle.questions if known else ():
            if item.origin is ItemOrigin.MACHINE and item.benchmark_type not in known:
                yield CODE.finding(
                    item.id,
                    "/benchmark_type",
                    f"{item.id}.benchmark_type: expected one of {', '.join(known)}, got "
                    f"'{item.benchmark_type}'",
                    "correct the code, or declare it among the types of the path's `Benchmark`",
                )


OF_CHECKS: Final = frozenset({UNREAD.id, CODE.id})
"""Rules of the stages here: they look at what other stages made, and need no run of these."""


class ReadStage:
    """A model reads every item and session; what it finds wrong is for people."""

    name = "read"
    version = "3"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS

    def __init__(self, reader: ReaderSection) -> None:
        """Take who reads what, and how much is shown."""
        self.reader = reader
        how = {**vars(reader.choice()), "rounds": reader.rounds, "sessions": reader.sessions}
        self.config: dict[str, Any] = {"reader": how, "rules": rules_sha256(OF_READERS)}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Only findings; the records go on as they are."""
        bundle = Bundle.from_records(records)
        readings = dict(self._readings(bundle, context))
        for finding in check_conversation(bundle, RuleContext(readings=readings), OF_READERS):
            context.emit(finding)
        return ()

    def _readings(
        self, bundle: Bundle, context: StageContext
    ) -> Iterator[tuple[str, Reading[Any]]]:
        units = list(reading_units(bundle, self.reader))
        while units:
            replies = context.write_each(unit.ask() for unit in units)
            outcomes = [
                unit.outcome(self.reader.model, reply)
                for unit, reply in zip(units, replies, strict=True)
            ]
            yield from (pair for readings, _ in outcomes for pair in readings.items())
            units = [unit for _, again in outcomes for unit in again]


class _RuleStage:
    """What the stages that apply rules take of a recipe."""

    def __init__(
        self,
        thresholds: dict[str, float],
        audited: Names[str] = (),
        accepted: Sequence[Decision] = (),
        codes: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take the numbers of the recipe, rules that audits have applied, and codes by path.

        What people let pass at the gate of an audited stage must not be held again, nor what they
        accepted in a release that is extended.
        """
        self.accepted = accepted
        self.codes = codes or {}
        self.rules = [rule for rule in RULES if rule.id not in audited]
        self.config: dict[str, Any] = {
            "thresholds": thresholds,
            "rules": rules_sha256(self.rules),
            **({"accepted": [content_hash(one) for one in accepted]} if accepted else {}),
            **({"codes": dict(codes)} if codes else {}),
        }

    def _context(self, blobs: BlobStore) -> RuleContext:
        return RuleContext(blobs=blobs, thresholds=self.config["thresholds"])


class ValidateStage(_RuleStage):
    """Rules about one conversation."""

    name = "validate"
    version = "1"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Only findings; the records go on as they are."""
        bundle = Bundle.from_records(records)
        found = check_conversation(bundle, self._context(context.blobs), self.rules)
        found += code_findings([bundle], self.codes)
        for finding in mark_accepted(found, self.accepted, {bundle.id: bundle}.get):
            context.emit(finding)
        return ()


class CompareStage(_RuleStage):
    """Rules about all conversations together, and what nobody read of their texts."""

    name = "compare"
    version = "2"
    scope = Scope.COLLECTION
    reads = DATA_KINDS | TEXT_KINDS

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Only findings; the records go on as they are."""
        read = digested_kinds(self.rules)
        traits = [digest_conversation(one, self.rules) for one in collection.bundles(*read)]
        found = judge_collection(traits, self._context(context.blobs), self.rules)
        found += unread_findings(collection)
        talks = {header.id for header in collection.headers("conversation")}

        def bundle_of(name: str) -> Bundle | None:
            return collection.bundle(name) if name in talks else None

        for finding in mark_accepted(found, self.accepted, bundle_of):
            context.emit(finding)
        return ()


class AssayStage:
    """A certificate for every question."""

    name = "assay"
    version = "1"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS | {"finding", "certificate"}

    def __init__(self) -> None:
        """Depend on every rule: a certificate names those that looked at its question."""
        self.config: dict[str, Any] = {"rules": rules_sha256()}

    def run(self, records: Sequence[Record], _context: StageContext) -> Iterable[Record]:
        """The certificates of one conversation; what probes gave before stays on their items."""
        findings = [record for record in records if isinstance(record, Finding)]
        known = [record for record in records if isinstance(record, Certificate)]
        probed = {one.item_sha256: one.probes for one in known}
        own = [record for record in records if not isinstance(record, Finding | Certificate)]
        return certify(Bundle.from_records(own), findings, probed)
