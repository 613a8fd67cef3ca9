"""How records were made, as a release says it, compared with the records that are there."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.known import EDITS
from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.bank import BankTally, tally_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.question import ItemOrigin, QAItem

SHOWN: Final = 20
"""Records of one conversation that are told one by one."""
_LOG: Final = "provenance.jsonl"

Records = Mapping[str, Sequence[Record]]

_REPAIR: Final = "write the release again from its records"


def making_agrees(records: Records, hashes: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    """Findings about provenance and bank tallies of a release that stages made.

    Args:
        records: The records by kind.
        hashes: Content hash of each by kind and id.
    """
    traced = [each for each in records.get("provenance", ()) if isinstance(each, Provenance)]
    held = [each for each in records.get("held_out", ()) if isinstance(each, HeldOut)]
    yield from _provenance(records, hashes, traced, held)
    if not any(each.id.endswith(EDITS) for each in traced):
        yield from _bank(records, held)


def _provenance(
    records: Records,
    hashes: Mapping[tuple[str, str], str],
    traced: Sequence[Provenance],
    held: Sequence[HeldOut],
) -> Iterator[Finding]:
    """Records that no stage made, and the provenance that names others in their stead."""
    there = {
        # The hash of an asset in a table leaves out how its image is encoded.
        record.id: content_hash(record) if kind == "asset" else hashes[kind, record.id]
        for kind in sorted(DATA_KINDS)
        for record in records.get(kind, ())
    }
    made = {sha256 for each in traced for sha256 in each.made}
    unmade = defaultdict(list)
    for name, sha256 in there.items():
        if sha256 not in made:
            unmade[conversation_of(name)].append(name)
    known = {*there.values(), *(content_hash(_document(each)) for each in held)}
    for each in traced:
        others = len({*each.made} - known)
        if others and unmade.get(each.id.partition("/")[0]):
            said = f"{each.id}.made: expected hashes of records, got {others} of none"
            yield rules.PROVENANCE.finding(each.id, "/made", said, _REPAIR)
    for owner, names in unmade.items():
        for name in names[:SHOWN]:
            said = f"{name}: expected a record that provenance names, got one that no stage made"
            yield rules.PROVENANCE.finding(name, "", said, _REPAIR)
        if len(names) > SHOWN:
            said = f"{_LOG}: expected all records of {owner}, got {len(names)} left out"
            yield rules.PROVENANCE.finding(_LOG, "", said, _REPAIR)


def _bank(records: Records, held: Sequence[HeldOut]) -> Iterator[Finding]:
    """Tallies that count other items than were made: those released and those held out."""
    items = [each for each in records.get("question", ()) if isinstance(each, QAItem)]
    made = Counter(
        (each.conversation, each.benchmark_type)
        for each in items
        if each.origin is not ItemOrigin.PERSON
    )
    for each in held:
        if each.kind == "question" and isinstance(document := _document(each), dict):
            made[str(document.get("conversation")), str(document.get("benchmark_type"))] += 1
    tallies = [each for each in records.get("bank", ()) if isinstance(each, BankTally)]
    counted = {(tally.conversation, tally.code) for tally in tallies}
    owners = {tally.conversation for tally in tallies}
    for owner, code in sorted({*made} - counted):
        if owner in owners:
            name = tally_id(owner, code)
            said = f"{name}: expected a tally as of other types, got none"
            yield rules.BANK.finding(name, "", said, _REPAIR)
    for tally in tallies:
        if tally.id != tally_id(tally.conversation, tally.code):
            said = f"{tally.id}.id: expected that of {tally.code} of {tally.conversation}"
            yield rules.BANK.finding(tally.id, "/id", said, _REPAIR)
        else:
            number = made[tally.conversation, tally.code]
            if tally.kept != number:
                said = f"{tally.id}.kept: expected {number} items made, got {tally.kept}"
                yield rules.BANK.finding(tally.id, "/kept", said, _REPAIR)


def _document(held: HeldOut) -> Any:
    """What is held out, decoded; as it is where it is no JSON."""
    try:
        return json.loads(held.content)
    except ValueError:
        return held.content
