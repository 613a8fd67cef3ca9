"""The id grammar: one spelling for a place, order by position, no surprises."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas import ids

positions = st.integers(1, 999_999_999)
small = st.integers(1, 60)


@given(st.lists(st.tuples(small, small, small), min_size=2, unique=True))
def test_natural_key_orders_turns_by_position(places: list[tuple[int, int, int]]) -> None:
    """Turn ids sort like the numbers they are made of."""
    made = [
        ids.turn_id(ids.round_id(ids.session_id(session), round_), turn)
        for session, round_, turn in sorted(places)
    ]
    assert sorted(made, key=ids.natural_key) == made


@given(st.lists(st.integers(1, 2000), min_size=2, unique=True))
def test_natural_key_orders_attachments_by_number(numbers: list[int]) -> None:
    """Attachment ids sort by number, beyond three digits too."""
    made = [ids.attachment_id("D2", number) for number in sorted(numbers)]
    assert sorted(made, key=ids.natural_key) == made


@given(st.text(max_size=20), st.text(max_size=20))
def test_natural_key_tells_all_texts_apart(left: str, right: str) -> None:
    """Two different texts never have one key, so no order depends on the input's order."""
    assert (ids.natural_key(left) == ids.natural_key(right)) == (left == right)


def test_natural_key_takes_any_number_of_digits() -> None:
    """A run of digits longer than Python converts to a number is still ordered by value."""
    long = "D" + "9" * 5000
    assert sorted([long, "D10", "D9", "D010"], key=ids.natural_key) == ["D9", "D010", "D10", long]


@given(positions, positions, positions)
def test_a_place_round_trips(session: int, round_: int, turn: int) -> None:
    """Session, round and turn ids parse into the parts they were made of."""
    session_id = ids.session_id(session)
    round_id = ids.round_id(session_id, round_)
    turn_id = ids.turn_id(round_id, turn)
    assert ids.parse_place(session_id) == ids.Place(session_id)
    assert ids.parse_place(round_id) == ids.Place(session_id, round_)
    parsed = ids.parse_place(turn_id)
    assert parsed == ids.Place(session_id, round_, turn)
    assert parsed.round_id == round_id


@given(st.sampled_from(["D1", "D12", "Q"]), positions, st.sampled_from(["IMG", "DOC"]))
def test_an_attachment_round_trips(owner: str, number: int, kind: str) -> None:
    """Attachment ids of the history and of questions parse, and belong to no round."""
    made = ids.attachment_id(owner, number, kind)
    parsed = ids.parse_place(made)
    assert parsed == ids.Place(owner, attachment=made.partition(":")[2])
    assert parsed.round_id is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "D", "D0", "D01", "d1", "D1:", "D1:0", "D30:05", "D:11:26", "D8:6; D9:17", " D1"),
        *("D1\n", "D1:1.0", "D1:1.", "D1.1", "D1:IMG_1", "D1:IMG_01", "D1:IMG_0001", "Q", "Q:1"),
        *("D1:1:1", "D１", "D1:IMG_001.1", "S1", "D" + "9" * 5000, "D1:img_001", "D1:VID_001"),
    ],
)
def test_what_is_no_place_is_none(text: str) -> None:
    """A text that is almost an id is not one."""
    assert ids.parse_place(text) is None


@given(st.text(alphabet="DQ0123456789:._IMGC \n", max_size=12))
def test_parser_and_pattern_agree(text: str) -> None:
    """What parses is what the JSON Schema's pattern of a place accepts."""
    assert (ids.parse_place(text) is not None) == bool(re.fullmatch(ids.PLACE_PATTERN, text))


@given(st.lists(st.integers(1, 999), min_size=2, max_size=12, unique=True))
def test_attachment_ids_are_free_of_prefixes(numbers: list[int]) -> None:
    """Up to number 999 no attachment id of a session begins another."""
    made = [ids.attachment_id("D1", number) for number in numbers]
    assert not any(a.startswith(b) or b.startswith(a) for a, b in combinations(made, 2))


def test_a_record_id_has_no_colon() -> None:
    """A place in a record id is spelled without its colon, and the conversation leads."""
    made = ids.record_id("alex", "M_D1:2.1")
    assert made == "alex/M_D1_2.1"
    assert re.fullmatch(f"{ids.CONVERSATION_PATTERN}/{ids.LOCAL_PATTERN}", made)
    assert ids.conversation_of(made) == "alex"
    assert ids.conversation_of("alex") == "alex"


@given(st.text(max_size=300))
def test_a_slug_is_a_conversation_id(text: str) -> None:
    """Any text gives an id-safe form, or the fallback."""
    assert re.fullmatch(ids.CONVERSATION_PATTERN, ids.slug(text, "conv-1"))
