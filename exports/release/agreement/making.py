"""How records were made, as a release says it, compared with the records that are there."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.known import EDITS
from memassay.exports.release.checking.said import Said
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.bank import BankTally, tally_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import DATA_KINDS

SHOWN: Final = 20
"""Records of one conversation that are told one by one."""
_LOG: Final = "provenance.jsonl"

_REPAIR: Final = "write the release again from its records"


def making_agrees(said: Said) -> Iterator[Finding]:
    """Findings about provenance and bank tallies of a release that stages made.

    Args:
        said: The readable records in short.
    """
    traced = [each for each in said.kept.get("provenance", ()) if isinstance(each, Provenance)]
    held = [each for each in said.kept.get("held_out", ()) if isinstance(each, HeldOut)]
    yield from _provenance(said, traced, held)
    if not any(each.id.endswith(EDITS) for each in traced):
        yield from _bank(said, held)


def _provenance(
    said: Said, traced: Sequence[Provenance], held: Sequence[HeldOut]
) -> Iterator[Finding]:
    """Records that no stage made, and the provenance that names others in their stead."""
    there = {
        brief.id: brief.content_sha256 for kind in sorted(DATA_KINDS) for brief in said.of(kind)
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
            text = f"{each.id}.made: expected hashes of records, got {others} of none"
            yield rules.PROVENANCE.finding(each.id, "/made", text, _REPAIR)
    for owner, names in unmade.items():
        for name in names[:SHOWN]:
            text = f"{name}: expected a record that provenance names, got one that no stage made"
            yield rules.PROVENANCE.finding(name, "", text, _REPAIR)
        if len(names) > SHOWN:
            text = f"{_LOG}: expected all records of {owner}, got {len(names)} left out"
            yield rules.PROVENANCE.finding(_LOG, "", text, _REPAIR)


def _bank(said: Said, held: Sequence[HeldOut]) -> Iterator[Finding]:
    """Tallies that count other items than were made: those released and those held out."""
    made = Counter(
        (each.conversation, each.benchmark_type) for each in said.questions() if not each.is_persons
    )
    for each in held:
        if each.kind == "question" and isinstance(document := _document(each), dict):
            made[str(document.get("conversation")), str(document.get("benchmark_type"))] += 1
    tallies = [each for each in said.kept.get("bank", ()) if isinstance(each, BankTally)]
    counted = {(tally.conversation, tally.code) for tally in tallies}
    owners = {tally.conversation for tally in tallies}
    for owner, code in sorted({*made} - counted):
        if owner in owners:
            name = tally_id(owner, code)
            text = f"{name}: expected a tally as of other types, got none"
            yield rules.BANK.finding(name, "", text, _REPAIR)
    for tally in tallies:
        if tally.id != tally_id(tally.conversation, tally.code):
            text = f"{tally.id}.id: expected that of {tally.code} of {tally.conversation}"
            yield rules.BANK.finding(tally.id, "/id", text, _REPAIR)
        else:
            number = made[tally.conversation, tally.code]
            if tally.kept != number:
                text = f"{tally.id}.kept: expected {number} items made, got {tally.kept}"
                yield rules.BANK.finding(tally.id, "/kept", text, _REPAIR)


def _document(held: HeldOut) -> Any:
    """What is held out, decoded; as it is where it is no JSON."""
    try:
        return json.loads(held.content)
    except ValueError:
        return held.content
