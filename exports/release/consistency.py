"""What the records and the manifest of a release say of each other, checked after reading."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.identity import IDENTITY, identity_hash, is_ours, is_staged
from memassay.exports.release.agreement.making import making_agrees
from memassay.exports.release.agreement.ownership import files_are_owned
from memassay.exports.release.checking.said import Said
from memassay.exports.release.layout import MANIFEST, release_content_hash
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision, HeldOut, Ruling
from memassay.schemas.kinds import DATA_KINDS

_FETCH: Final = "fetch or write the release again"
_REPAIR: Final = "write the release again from its records"


def consistency(folder: Path, manifest: dict[str, Any], said: Said) -> Iterator[Finding]:
    """Findings about files, ids, counts, hashes, references and certificates.

    Args:
        folder: The release.
        manifest: Its manifest as decoded, valid or not; empty if it cannot be read.
        said: The readable records in short.
    """
    yield from _unique(said)
    yield from files_are_owned(folder, _recipe(manifest))
    if manifest:
        yield from _counts(manifest, said)
        yield from _content_hash(manifest, said.parts)
        yield from _identity(manifest, said)
        if is_staged(_recipe(manifest)):
            yield from making_agrees(said)
    yield from _owners(said)
    yield from _held_out(said)
    yield from _certificates(said)


def _unique(said: Said) -> Iterator[Finding]:
    for kind, own in said.briefs.items():
        for name, number in Counter(brief.id for brief in own).items():
            if number > 1:
                text = f"{name}.id: expected one {kind} of this id, got {number}"
                yield rules.ID_UNIQUE.finding(name, "/id", text, "give each an id of its own")


def _counts(manifest: dict[str, Any], said: Said) -> Iterator[Finding]:
    counted = {"counts": dict(said.tally.kinds), **said.tally.fields()}
    for field, found in counted.items():
        stated = manifest.get(field)
        listed = stated if isinstance(stated, dict) else {}
        for name in sorted({*listed, *found}):
            wanted, got = listed.get(name, 0), found.get(name, 0)
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


def _owners(said: Said) -> Iterator[Finding]:
    names = {brief.id for brief in said.of("conversation")}
    for kind in sorted(DATA_KINDS - {"conversation"}):
        for brief in said.of(kind):
            owner = conversation_of(brief.id)
            if owner not in names:
                text = f"{brief.id}: expected a conversation of the release, got '{owner}'"
                yield rules.REFERENCE.finding(brief.id, "/id", text, _FETCH)


def _held_out(said: Said) -> Iterator[Finding]:
    held_out = [one for one in said.kept.get("held_out", ()) if isinstance(one, HeldOut)]
    named = {(held.kind, held.record) for held in held_out}
    released = {
        (kind, one.id)
        for kind, own in said.briefs.items()
        for one in own
        if (kind, one.id) in named
    }
    for held in held_out:
        if (held.kind, held.record) in released:
            text = f"{held.id}.record: expected one outside the release, got '{held.record}'"
            yield rules.HELD_OUT.finding(held.id, "/record", text, _REPAIR)


def _certificates(said: Said) -> Iterator[Finding]:
    # Of two questions of one id, the last is the one that a certificate is held against.
    questions = {item.id: item.sha256 for item in said.of("question")}
    accepted = _accepted_states(said)
    certified = set()
    for one in said.certificates():
        certified.add(one.item)
        if one.item not in questions:
            text = f"{one.id}.item: expected a question, got '{one.item}'"
            yield rules.CERTIFICATE.finding(one.id, "/item", text, _REPAIR)
        elif questions[one.item] != one.item_sha256:
            text = f"{one.item}: expected what {one.id} saw, got another content"
            yield rules.CERTIFICATE.finding(one.item, "", text, "assay the question again")
        elif one.is_refuted and (one.item, one.item_sha256) not in accepted:
            text = f"{one.item}: expected a question that its checks leave standing, got "
            text += f"one that {one.id} refutes"
            yield rules.REFUTED.finding(one.item, "", text, "hold the question out")
    for name in sorted(questions.keys() - certified if certified else (), key=natural_key):
        text = f"{name}: expected a certificate like other questions have, got none"
        yield rules.CERTIFIED.finding(name, "", text, "assay the question")


def _accepted_states(said: Said) -> set[tuple[str, str]]:
    """Records that people accepted, each with the hash of the state they saw."""
    return {
        (cover.id, cover.sha256)
        for decision in said.kept.get("decision", ())
        if isinstance(decision, Decision) and decision.ruling is Ruling.ACCEPT
        for cover in decision.covers
    }


def _identity(manifest: dict[str, Any], said: Said) -> Iterator[Finding]:
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
        known = ((kind, *last) for kind in said.briefs for last in _last_states(said, kind))
        digest = identity_hash(recipe, str(licence), known)
        wanted.append((f"recipe.{IDENTITY}", digest, recipe.get(IDENTITY)))
        wanted += [(key, {}, manifest.get(key, {})) for key in ("gates", "extras")]
    for field, expected, got in wanted:
        if expected != got:
            text = f"{MANIFEST}.{field}: expected {expected}, got {got}"
            yield rules.IDENTITY.finding(MANIFEST, pointer(*field.split(".")), text, _FETCH)


def _last_states(said: Said, kind: str) -> Iterable[tuple[str, str]]:
    """Ids and content hashes of a kind; of two of one id those of the last, but of all assets."""
    states = ((one.id, one.content_sha256) for one in said.of(kind))
    return states if kind == "asset" else dict(states).items()


def _recipe(manifest: dict[str, Any]) -> dict[str, Any]:
    recipe = manifest.get("recipe")
    return recipe if isinstance(recipe, dict) else {}
