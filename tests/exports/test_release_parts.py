"""Tests of releases that are written in parts."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.release_builder import content
from support.strict_cases import files

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.parts.packing import make_part
from memassay.exports.release.parts.part import pack_part, read_part
from memassay.exports.release.writer import ReleaseContent, write_parts, write_release
from memassay.schemas.contracts.protocols import ForeignFormat
from memassay.schemas.errors import ReleaseError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values import redaction

LAYOUTS = {name: form for name, form in FORMATS.items() if isinstance(form, ForeignFormat)}
GIVEN = replace(content(), foreign=LAYOUTS)


def _packed(given: ReleaseContent, bundle: Bundle) -> bytes:
    return pack_part(make_part(bundle, given.blobs, given.foreign))


def _unfit(folder: Path) -> dict[str, bytes]:
    """The lists of what layouts leave out."""
    return {path.parent.name: path.read_bytes() for path in folder.rglob("unfit.json")}


def test_a_release_of_packed_parts_is_the_same_to_the_byte(tmp_path: Path) -> None:
    """In every layout; what was packed is read from bytes alone."""
    write_release(tmp_path / "whole", GIVEN)
    bundles = sorted(GIVEN.bundles, key=lambda bundle: bundle.id)
    parts = [read_part(_packed(GIVEN, bundle)) for bundle in bundles]
    write_parts(tmp_path / "parts", GIVEN.head, parts, GIVEN.logs, GIVEN.blobs)
    folders = [tmp_path / name for name in ("parts", "whole")]
    one, other = (files(folder) | _unfit(folder) for folder in folders)
    assert one == other


def test_a_part_depends_on_its_conversation_alone() -> None:
    """The same records give the same bytes, whatever the order in which they are given."""
    for bundle in GIVEN.bundles:
        again = Bundle.from_records(reversed(bundle.records()))
        assert _packed(GIVEN, bundle) == _packed(GIVEN, again)


def test_parts_of_other_conversations_are_refused(tmp_path: Path) -> None:
    """A part too few, or one of another release, is no release."""
    parts = list(GIVEN.parts())
    with pytest.raises(ReleaseError, match="bo: expected its part, got the end"):
        write_parts(tmp_path / "few", GIVEN.head, parts[:1], GIVEN.logs, GIVEN.blobs)
    with pytest.raises(ReleaseError, match="bo: expected the part of alex"):
        write_parts(tmp_path / "other", GIVEN.head, parts[::-1], GIVEN.logs, GIVEN.blobs)
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_came_into_use_after_packing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What had no key's shape then is refused when the release is written."""
    first = GIVEN.bundles[0]
    packed, said = _packed(GIVEN, first), first.conversation.turns()[0].text
    monkeypatch.setattr(redaction, "_KEYS", redaction._Keys())
    redaction.keep_secret(said)
    with pytest.raises(ReleaseError, match="expected no secret"):
        read_part(packed)
