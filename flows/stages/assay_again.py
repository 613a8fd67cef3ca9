"""What the checking stages said in a release, compared with what they say again."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memassay.exports.release import rules
from memassay.exports.release.agreement.certificates import certificates_agree
from memassay.exports.release.agreement.findings import findings_agree
from memassay.exports.release.agreement.held_out import held_out_agrees
from memassay.exports.release.agreement.identity import IDENTITY, is_ours, is_staged
from memassay.exports.release.agreement.known import Known, names_agree
from memassay.exports.release.check import ReleaseCheck
from memassay.flows.engine.streams.collection import RecordCollection
from memassay.flows.stages.check_stages import (
    UNREAD,
    AssayStage,
    CompareStage,
    ValidateStage,
    unread_findings,
)
from memassay.schemas.contracts.rules import LooksAt, RuleContext, pointer
from memassay.schemas.errors import RecordError
from memassay.schemas.ids import conversation_of
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.certificates.certify import certify
from memassay.validators.certificates.texts import KINDS as TEXT_KINDS
from memassay.validators.check import RULES, check_conversation

_LATE = (ValidateStage.name, CompareStage.name, AssayStage.name)
"""What these hold out the rules have looked at before."""


def assayed_again(
    found: ReleaseCheck, said: Sequence[Finding], known: Known, context: RuleContext
) -> Iterator[Finding]:
    """What a release says of its records that does not follow from them.

    Args:
        found: The release as it was read.
        said: What the rules say of its records now.
        known: The names that it may use.
        context: Bytes of its assets.
    """
    if not is_staged(found.recipe):
        return
    own = is_ours(found.recipe)
    ours = own and known.same_rules
    if own:
        yield from names_agree(found.records, known)
        yield from held_out_agrees(found.records, known)
    stated = [one for one in found.records.get("certificate", ()) if isinstance(one, Certificate)]
    noted = [one for one in found.records.get("finding", ()) if isinstance(one, Finding)]
    # Only what people wrote is probed before it is released.
    written = {
        item.id
        for bundle in found.bundles
        for item in bundle.questions
        if item.origin is ItemOrigin.PERSON
    }
    probed = {one.item_sha256: one.probes for one in stated if one.item in written}
    again = [one for bundle in found.bundles for one in certify(bundle, noted, probed)]
    yield from certificates_agree(stated, again, ours=ours, changed=own and _is_changed(found))
    if ours and not found.recipe.get("thresholds"):
        every = _found_again(found, said, context)
        beside = [one for kind in TEXT_KINDS for one in found.records.get(kind, ())]
        records = [*beside, *(one for bundle in found.bundles for one in bundle.records())]
        every += unread_findings(RecordCollection(records))
        yield from findings_agree(noted, every, _derived_test(found, context, known))


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


def _found_again(
    found: ReleaseCheck, said: Sequence[Finding], context: RuleContext
) -> list[Finding]:
    """What the rules say of each conversation as the stage saw it: with what it then held out."""
    held: dict[str, list[QAItem]] = {}
    for one in found.records.get("held_out", ()):
        if isinstance(one, HeldOut) and one.stage in _LATE and (item := _item(one)):
            held.setdefault(item.conversation, []).append(item)
    again = [one for one in said if conversation_of(one.target) not in held]
    for bundle in found.bundles:
        if own := held.get(bundle.id):
            whole = Bundle.from_records([*bundle.records(), *own])
            # Its pictures were drawn again beside what is released.
            again += check_conversation(whole, replace(context, redraw=None))
    return again


def _item(held: HeldOut) -> QAItem | None:
    try:
        record = parse_record(held.kind, json.loads(held.content))
    except (ValueError, RecordError, KeyError):
        return None
    return record if isinstance(record, QAItem) else None
