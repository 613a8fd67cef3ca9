"""Everything of a release that can differ, each thing by its id with a hash and its words."""

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from memassay.exports.release.agreement.identity import IDENTITY
from memassay.exports.release.reader import Release
from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, Round
from memassay.schemas.records.question import QAItem


class Aspect(StrEnum):
    """What of a release differs."""

    CONVERSATION = "conversation"
    ITEM = "item"
    QUESTION = "question"
    GOLD = "gold"
    EVIDENCE = "evidence"
    SESSION = "session"
    ROUND = "round"
    TURN = "turn"
    IMAGE = "image"
    ASSET = "asset"
    PERSONA = "persona"
    EVENT = "event"
    FACT = "fact"
    MENTION = "mention"
    CONCEPT = "concept"
    VERDICT = "verdict"
    FINDING = "finding"
    DECISION = "decision"
    LICENCE = "licence"
    RECIPE = "recipe"


Key = tuple[Aspect, str]
"""What it is, and its id; ids of places have their conversation before them: `alex/D1:2.1`."""


class Entry(NamedTuple):
    """One thing of a release.

    Attributes:
        key: What it is.
        sha256: Hash of what it says, its parts apart.
        words: What it says, for people.
        within: What it is a part of: with that it comes and goes; None if it is alone.
    """

    key: Key
    sha256: str
    words: str
    within: Key | None = None


_LEDGER: Final = {
    "personas": Aspect.PERSONA,
    "events": Aspect.EVENT,
    "facts": Aspect.FACT,
    "mentions": Aspect.MENTION,
    "concepts": Aspect.CONCEPT,
}


def manifest_entries(manifest: Manifest) -> Iterator[Entry]:
    """The licence of a release, and what its recipe asks for."""
    yield _entry(Aspect.LICENCE, "licence", manifest.licence)
    for name, asked in manifest.recipe.items():
        if name == "release" and isinstance(asked, dict):
            # A version is a name for what a release holds, and differs by nature.
            asked = {key: value for key, value in asked.items() if key != "version"}
        if name != IDENTITY:
            yield _entry(Aspect.RECIPE, name, asked, json.dumps(asked, ensure_ascii=False))


def bundle_entries(bundle: Bundle) -> Iterator[Entry]:
    """A conversation with everything that belongs to it; parts are parts of something in it."""
    yield from _history(bundle.conversation)
    yield from _around(bundle)
    for item in bundle.questions:
        yield from _item(item)


def log_entries(release: Release) -> Iterator[Entry]:
    """What was found, decided and proven of a release.

    Raises:
        RecordError: A record does not fit its schema.
        ReleaseError: A file cannot be read.
    """
    for finding in release.findings():
        said = f"{finding.severity} {finding.rule}: {finding.message}"
        yield _entry(Aspect.FINDING, finding.id, finding, said)
    for decision in release.decisions():
        said = f"{decision.decided}: {decision.ruling}, {decision.reason}"
        yield _entry(Aspect.DECISION, decision.id, decision, said)
    for one in release.certificates():
        verdict = str(one.verdict)
        yield _entry(Aspect.VERDICT, one.item, verdict, verdict, (Aspect.ITEM, one.item))


def _history(talk: Conversation) -> Iterator[Entry]:
    whole = (Aspect.CONVERSATION, talk.id)
    head = talk.model_copy(update={"sessions": []})
    yield _entry(Aspect.CONVERSATION, talk.id, head, f"{len(talk.sessions)} sessions")
    for session in talk.sessions:
        name = f"{talk.id}/{session.id}"
        told = session.model_dump(mode="json", exclude={"rounds"})
        words = f"{session.date or 'no date'}, {len(session.rounds)} rounds"
        yield _entry(Aspect.SESSION, name, told, words, whole)
        for one in session.rounds:
            yield from _round(talk.id, one, (Aspect.SESSION, name))


def _round(talk: str, one: Round, session: Key) -> Iterator[Entry]:
    name = f"{talk}/{one.id}"
    frame = one.model_dump(mode="json", exclude={"turns"})
    yield _entry(Aspect.ROUND, name, frame, f"{len(one.turns)} turns", session)
    for turn in one.turns:
        shown = "".join(f" [{image.id}]" for image in turn.attachments)
        words = f"{turn.speaker}: {turn.text}{shown}"
        told = turn.model_dump(mode="json")
        yield _entry(Aspect.TURN, f"{talk}/{turn.id}", told, words, (Aspect.ROUND, name))


def _around(bundle: Bundle) -> Iterator[Entry]:
    """What belongs to a conversation, beside its history and its questions."""
    whole = (Aspect.CONVERSATION, bundle.id)
    for asset in bundle.assets:
        pixels = str(asset.pixel_sha256 or asset.blob_sha256)
        rest = asset.model_dump(mode="json", exclude={"pixel_sha256", "blob_sha256"})
        own = (Aspect.ASSET, asset.id)
        yield _entry(Aspect.ASSET, asset.id, rest, f"{asset.media_type}, {asset.licence}", whole)
        yield _entry(Aspect.IMAGE, asset.id, pixels, pixels[:12], own)
    for group, aspect in _LEDGER.items():
        for record in getattr(bundle, group):
            yield _entry(aspect, record.id, record, _words(record), whole)


def _words(record: Record) -> str:
    """What a record of a ledger says, in short."""
    said = record.model_dump(mode="json", exclude_defaults=True)
    left = {name: value for name, value in said.items() if name not in ("id", "schema_version")}
    return json.dumps(left, ensure_ascii=False)


def _item(item: QAItem) -> Iterator[Entry]:
    own = (Aspect.ITEM, item.id)
    parts: dict[Aspect, tuple[Any, str]] = {
        Aspect.QUESTION: (item.question, item.question.text),
        Aspect.GOLD: (item.answer, "; ".join(item.answer.values)),
        Aspect.EVIDENCE: (item.evidence, ", ".join(item.evidence.canonical)),
    }
    rest = item.model_dump(mode="json", exclude={"question", "answer", "evidence"})
    yield _entry(Aspect.ITEM, item.id, rest, item.question.text)
    for aspect, (part, words) in parts.items():
        yield _entry(aspect, item.id, part.model_dump(mode="json"), words, own)


def _entry(
    aspect: Aspect, name: str, said: Any, words: str = "", within: Key | None = None
) -> Entry:
    return Entry((aspect, name), content_hash(said), words or str(said), within)
