"""What the checking stages said in a release, compared with what they say again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from memassay.exports.release import rules
from memassay.exports.release.agreement.certificates import (
    Compared,
    certificates_agree,
    compare_certificates,
)
from memassay.exports.release.agreement.findings import findings_agree
from memassay.exports.release.agreement.held_out import held_out_agrees
from memassay.exports.release.agreement.identity import IDENTITY, is_ours, is_staged
from memassay.exports.release.agreement.known import Known, names_agree
from memassay.exports.release.check import ReleaseCheck
from memassay.exports.release.checking.spill import records_of
from memassay.flows.checking.rules_again import (
    Place,
    by_owner,
    name_of_place,
    places_of,
    size_of_place,
)
from memassay.flows.engine.streams.collection import RecordCollection
from memassay.flows.stages.check_stages import (
    UNREAD,
    AssayStage,
    CompareStage,
    ValidateStage,
    unread_findings,
)
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import InTurn, Mapper
from memassay.schemas.contracts.rules import LooksAt, RuleContext, pointer
from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.ids import conversation_of
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.certificates.certify import certify
from memassay.validators.certificates.texts import KINDS as TEXT_KINDS
from memassay.validators.check import RULES, check_conversation

_LATE = (ValidateStage.name, CompareStage.name, AssayStage.name)
"""What these hold out the rules have looked at before."""


@dataclass(frozen=True)
class Assaying:
    """What whoever assays a conversation again must know.

    Attributes:
        found: The release as it was read, without findings.
        noted: What it lists as found, by conversation.
        held: Questions that the checking stages held out, by conversation.
        context: Bytes of its assets.
    """

    found: ReleaseCheck
    noted: Mapping[str, Sequence[Finding]]
    held: Mapping[str, Sequence[QAItem]]
    context: RuleContext


class Assayed(NamedTuple):
    """What is found again of one conversation.

    Attributes:
        certificates: Beside those that the release states.
        whole: What the rules say of it with the questions that were held out; none if none were.
    """

    certificates: Compared
    whole: list[Finding]


def assay_one(assaying: Assaying, place: Place) -> Assayed:
    """What is found again of one conversation."""
    bundle = assaying.found.bundles[place.at]
    listed = records_of(assaying.found.records.get("certificate", ()), bundle.id)
    stated = [one for one in listed if isinstance(one, Certificate)]
    # Only what people wrote is probed before it is released.
    written = {item.id for item in bundle.questions if item.origin is ItemOrigin.PERSON}
    probed = {one.item_sha256: one.probes for one in stated if one.item in written}
    again = certify(bundle, assaying.noted.get(bundle.id, ()), probed)
    whole: list[Finding] = []
    if own := assaying.held.get(bundle.id):
        # As the stage saw it. Its pictures were drawn again beside what is released.
        seen = Bundle.from_records([*bundle.records(), *own])
        whole = check_conversation(seen, replace(assaying.context, redraw=None))
    return Assayed(compare_certificates(stated, again), whole)


def assayed_again(
    found: ReleaseCheck,
    said: Sequence[Finding],
    known: Known,
    context: RuleContext,
    mapper: Mapper | None = None,
) -> Iterator[Finding]:
    """What a release says of its records that does not follow from them.

    Args:
        found: The release as it was read.
        said: What the rules say of its records now.
        known: The names that it may use.
        context: Bytes of its assets.
        mapper: Has its conversations done; one after the other if there is none.
    """
    if not is_staged(found.recipe):
        return
    own = is_ours(found.recipe)
    ours = own and known.same_rules
    if own:
        yield from names_agree(found.records, known)
        yield from held_out_agrees(found.records, known)
    noted = [one for one in found.records.get("finding", ()) if isinstance(one, Finding)]
    compares = ours and not found.recipe.get("thresholds")
    held = _held_questions(found) if compares else {}
    assaying = Assaying(found._replace(findings=[]), by_owner(noted), held, context)
    places = places_of(found.bundles)
    done = (mapper or InTurn()).map(assay_one, assaying, places, size_of_place, name_of_place)
    again = list(done)
    number = len(found.records.get("certificate", ()))
    changed = own and _is_changed(found)
    compared = [one.certificates for one in again]
    yield from certificates_agree(compared, number, ours=ours, changed=changed)
    if compares:
        every = [one for one in said if conversation_of(one.target) not in held]
        every += [one for each in again for one in each.whole]
        every += _unread_again(found)
        yield from findings_agree(noted, every, _derived_test(found, context, known))


def _unread_again(found: ReleaseCheck) -> Iterator[Finding]:
    """Findings about histories that nobody read, one history in memory at a time."""
    beside = [one for kind in sorted(TEXT_KINDS) for one in found.records.get(kind, ())]
    owned: dict[str, list[Record]] = {}
    for one in beside:
        owned.setdefault(belongs_to(one), []).append(one)
    for bundle in found.bundles:
        clusters = (one for one in owned.get(bundle.id, ()) if isinstance(one, Cluster))
        members = {conversation_of(one.dialogue) for each in clusters for one in each.members}
        own = [one for owner in {bundle.id, *members} for one in owned.get(owner, ())]
        every = {(kind_of(one), one.id): one for one in (*own, *found.decisions)}
        yield from unread_findings(RecordCollection([*bundle.records(), *every.values()]))


def _derived_test(
    found: ReleaseCheck, context: RuleContext, known: Known
) -> Callable[[Finding], bool]:
    """Whether a finding is one that a stage had to note, of a conversation that is there."""
    # Without pictures drawn again, only of questions all is looked at.
    sorts = {LooksAt.QUESTION, *([LooksAt.CONVERSATION] if context.draws else [])}
    own = {rule.id for rule in RULES if rule.looks_at in sorts} & {
        *known.checking[ValidateStage.name]
    }
    own.add(UNREAD.id)
    owners = {bundle.id for bundle in found.bundles}
    return lambda one: one.rule in own and conversation_of(one.target) in owners


def _is_changed(found: ReleaseCheck) -> bool:
    """Whether the hash of all that a release was made from is no longer that of what is there."""
    place = pointer("recipe", IDENTITY)
    return any(one.rule == rules.IDENTITY.id and one.pointer == place for one in found.findings)


def _held_questions(found: ReleaseCheck) -> dict[str, list[QAItem]]:
    """What the checking stages held out, by conversation: they saw it."""
    held: dict[str, list[QAItem]] = {}
    for one in found.records.get("held_out", ()):
        if isinstance(one, HeldOut) and one.stage in _LATE and (item := _item(one)):
            held.setdefault(item.conversation, []).append(item)
    return held


def _item(held: HeldOut) -> QAItem | None:
    try:
        record = parse_record(held.kind, json.loads(held.content))
    except (ValueError, RecordError, KeyError):
        return None
    return record if isinstance(record, QAItem) else None
