"""What the records and the manifest of a release say of each other, checked after reading."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.identity import IDENTITY, identity_hash, is_ours, is_staged
from memassay.exports.release.agreement.making import making_agrees
from memassay.exports.release.agreement.ownership import files_are_owned
from memassay.exports.release.layout import MANIFEST, release_content_hash
from memassay.exports.release.tallies import TALLIES, tallies
from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.certificate import Certificate, Outcome, Verdict
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision, HeldOut, Ruling
from memassay.schemas.kinds import DATA_KINDS, kind_of

Records = Mapping[str, Sequence[Record]]

_FETCH: Final = "fetch or write the release again"
_REPAIR: Final = "write the release again from its records"


def consistency(
    folder: Path,
    manifest: dict[str, Any],
    records: Records,
    hashes: Mapping[tuple[str, str], str],
    parts: Mapping[str, str],
) -> Iterator[Finding]:
    """Findings about files, ids, counts, hashes, references and certificates.

    Args:
        folder: The release.
        manifest: Its manifest as decoded, valid or not; empty if it cannot be read.
        records: The readable records by kind.
        hashes: Content hash of each as released, by kind and id.
        parts: Combined content hash of the readable records, by table or log.
    """
    yield from _unique(records)
    yield from files_are_owned(folder, _recipe(manifest))
    if manifest:
        yield from _counts(manifest, records)
        yield from _content_hash(manifest, parts)
        yield from _identity(manifest, records, hashes)
        if is_staged(_recipe(manifest)):
            yield from making_agrees(records, hashes)
    yield from _owners(records)
    yield from _held_out(records)
    yield from _certificates(records, hashes)


def _unique(records: Records) -> Iterator[Finding]:
    for kind, own in records.items():
        for name, number in Counter(record.id for record in own).items():
            if number > 1:
                said = f"{name}.id: expected one {kind} of this id, got {number}"
                yield rules.ID_UNIQUE.finding(name, "/id", said, "give each an id of its own")


def _counts(manifest: dict[str, Any], records: Records) -> Iterator[Finding]:
    every = [record for own in records.values() for record in own]
    found = {"counts": dict(Counter(kind_of(record) for record in every)), **tallies(every)}
    for field in ("counts", *TALLIES):
        stated = manifest.get(field)
        said = stated if isinstance(stated, dict) else {}
        for name in sorted({*said, *found[field]}):
            wanted, got = said.get(name, 0), found[field].get(name, 0)
            if wanted != got:
                message = f"{MANIFEST}.{field}.{name}: expected {wanted} records, got {got}"
                yield rules.COUNT.finding(MANIFEST, pointer(field, name), message, _REPAIR)


def _content_hash(manifest: dict[str, Any], parts: Mapping[str, str]) -> Iterator[Finding]:
    name, version, licence = (manifest.get(key) for key in ("name", "version", "licence"))
    digest = release_content_hash(str(name), str(version), str(licence), parts)
    stated = manifest.get("content_sha256")
    if digest != stated:
        said = f"{MANIFEST}.content_sha256: expected {stated}, got {digest}"
        yield rules.CONTENT_HASH.finding(MANIFEST, "/content_sha256", said, _FETCH)


def _owners(records: Records) -> Iterator[Finding]:
    names = {record.id for record in records.get("conversation", ())}
    for kind in sorted(DATA_KINDS - {"conversation"}):
        for record in records.get(kind, ()):
            owner = conversation_of(record.id)
            if owner not in names:
                said = f"{record.id}: expected a conversation of the release, got '{owner}'"
                yield rules.REFERENCE.finding(record.id, "/id", said, _FETCH)


def _held_out(records: Records) -> Iterator[Finding]:
    released = {(kind, record.id) for kind, own in records.items() for record in own}
    for held in records.get("held_out", ()):
        if isinstance(held, HeldOut) and (held.kind, held.record) in released:
            said = f"{held.id}.record: expected one outside the release, got '{held.record}'"
            yield rules.HELD_OUT.finding(held.id, "/record", said, _REPAIR)


def _certificates(records: Records, hashes: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    questions = {item.id for item in records.get("question", ())}
    accepted = _accepted_states(records)
    certified = set()
    for certificate in records.get("certificate", ()):
        if not isinstance(certificate, Certificate):
            continue
        certified.add(certificate.item)
        if certificate.item not in questions:
            said = f"{certificate.id}.item: expected a question, got '{certificate.item}'"
            yield rules.CERTIFICATE.finding(certificate.id, "/item", said, _REPAIR)
        elif hashes["question", certificate.item] != certificate.item_sha256:
            said = f"{certificate.item}: expected what {certificate.id} saw, got another content"
            yield rules.CERTIFICATE.finding(certificate.item, "", said, "assay the question again")
        elif (
            _is_refuted(certificate) and (certificate.item, certificate.item_sha256) not in accepted
        ):
            said = f"{certificate.item}: expected a question that its checks leave standing, got "
            said += f"one that {certificate.id} refutes"
            yield rules.REFUTED.finding(certificate.item, "", said, "hold the question out")
    for name in sorted(questions - certified if certified else (), key=natural_key):
        said = f"{name}: expected a certificate like other questions have, got none"
        yield rules.CERTIFIED.finding(name, "", said, "assay the question")


def _is_refuted(certificate: Certificate) -> bool:
    """By its verdict, or by a check of its own whatever the verdict says."""
    failed = any(check.outcome is Outcome.FAILED for check in certificate.checks)
    return failed or certificate.verdict is Verdict.REFUTED


def _accepted_states(records: Records) -> set[tuple[str, str]]:
    """Records that people accepted, each with the hash of the state they saw."""
    return {
        (cover.id, cover.sha256)
        for decision in records.get("decision", ())
        if isinstance(decision, Decision) and decision.ruling is Ruling.ACCEPT
        for cover in decision.covers
    }


def _identity(
    manifest: dict[str, Any], records: Records, hashes: Mapping[tuple[str, str], str]
) -> Iterator[Finding]:
    """What a manifest says of itself more than once, and the hash of all it was made from."""
    recipe = _recipe(manifest)
    section = recipe.get("release")
    section = section if isinstance(section, dict) else {}
    name, version, licence = (manifest.get(key) for key in ("name", "version", "licence"))
    wanted: list[tuple[str, Any, Any]] = [("id", f"{name}@{version}", manifest.get("id"))]
    wanted += [
        (f"recipe.release.{key}", manifest.get(key), section[key])
        for key in ("name", "version")
        if key in section
    ]
    if is_ours(recipe):
        known = [(kind, id_, digest) for (kind, id_), digest in hashes.items() if kind != "asset"]
        known += [("asset", each.id, content_hash(each)) for each in records.get("asset", ())]
        digest = identity_hash(recipe, str(licence), known)
        wanted.append((f"recipe.{IDENTITY}", digest, recipe.get(IDENTITY)))
        wanted += [(key, {}, manifest.get(key, {})) for key in ("gates", "extras")]
    for field, expected, got in wanted:
        if expected != got:
            said = f"{MANIFEST}.{field}: expected {expected}, got {got}"
            yield rules.IDENTITY.finding(MANIFEST, pointer(*field.split(".")), said, _FETCH)


def _recipe(manifest: dict[str, Any]) -> dict[str, Any]:
    recipe = manifest.get("recipe")
    return recipe if isinstance(recipe, dict) else {}
