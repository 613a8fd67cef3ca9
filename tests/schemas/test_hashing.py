"""Content hashes: one text for one content, on every machine."""

import hashlib
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas import hashing
from memassay.schemas.records.ledger import FactValue, ValueType

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), values, max_size=5), st.randoms())
def test_the_order_of_keys_does_not_count(content: dict[str, object], random: object) -> None:
    """The same pairs in another order have the same hash."""
    pairs = list(content.items())
    random.shuffle(pairs)  # type: ignore[attr-defined]
    assert hashing.content_hash(dict(pairs)) == hashing.content_hash(content)


@given(values)
def test_canonical_json_is_read_back(content: object) -> None:
    """The canonical text is JSON for the value, and its own canonical text."""
    text = hashing.canonical_json(content)
    assert hashing.canonical_json(json.loads(text)) == text


def test_the_order_of_a_list_counts() -> None:
    """Lists are content in their order."""
    assert hashing.content_hash([1, 2]) != hashing.content_hash([2, 1])


def test_unicode_is_written_as_itself() -> None:
    """No escapes beyond JSON's own, and UTF-8 underneath."""
    text = hashing.canonical_json({"ü": "kiln 🏺 ı"})
    assert text == '{"ü":"kiln 🏺 ı"}'
    expected = hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert hashing.content_hash({"ü": "kiln 🏺 ı"}) == expected


def test_two_spellings_of_a_letter_are_two_contents() -> None:
    """Hashes speak of what is written; composing accents is for search."""
    assert hashing.content_hash("é") != hashing.content_hash("e\u0301")


def test_half_a_character_is_hashed() -> None:
    """What foreign JSON can hold has a hash of its own."""
    assert hashing.content_hash("\ud83d") != hashing.content_hash("\ud83c")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_say_is_refused(number: float) -> None:
    """NaN and the infinities have no canonical text."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        hashing.canonical_json({"x": number})


def test_a_model_is_hashed_as_its_document() -> None:
    """A record and its JSON have one hash, defaults written out."""
    value = FactValue(type=ValueType.NUMBER, text="12.5")
    document = {"type": "number", "text": "12.5", "unit": None}
    assert hashing.content_hash(value) == hashing.content_hash(document)


def test_a_combined_hash_depends_on_every_part_and_the_order() -> None:
    """A sequence of hashes has a hash that no other sequence has."""
    one, two = hashing.sha256(b"1"), hashing.sha256(b"2")
    made = [hashing.combined_hash(each) for each in ([one, two], [two, one], [one], [])]
    assert len(set(made)) == 4


def test_a_file_is_hashed_by_its_bytes(tmp_path: Path) -> None:
    """The hash of a file is that of its bytes, line ends included."""
    path = tmp_path / "x"
    path.write_bytes(b"a\r\nb")
    assert hashing.file_sha256(path) == hashing.sha256(b"a\r\nb")
