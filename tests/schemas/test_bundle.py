"""Bundles: what belongs to a conversation, and which rounds a place stands for."""

from typing import Any

import pytest

from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import group_by_conversation
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle

Document = dict[str, Any]


@pytest.fixture(scope="module")
def bundles(paper_bundles: list[Document]) -> dict[str, Bundle]:
    """The paper fixtures by conversation id."""
    made = [Bundle.model_validate(each) for each in paper_bundles]
    return {bundle.id: bundle for bundle in made}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("D1", ["D1:1", "D1:2", "D1:3", "D1:4"]),
        ("D2:2", ["D2:2"]),
        ("D2:2.2", ["D2:2"]),
        ("D1:IMG_003", ["D1:3"]),
        ("D2:DOC_002", ["D2:2"]),
        ("D9", []),
        ("D2:9", []),
        ("D2:2.9", []),
        ("D1:IMG_009", []),
        ("Q:IMG_001", []),
        ("D2:02", []),
        ("nonsense", []),
        ("", []),
    ],
)
def test_rounds_of_a_place(bundles: dict[str, Bundle], place: str, expected: list[str]) -> None:
    """Session, round, turn and attachment lead to rounds; what does not exist to none."""
    assert [each.id for each in bundles["mira-potter"].rounds_of(place)] == expected


def test_every_round_is_found_by_its_parts(bundles: dict[str, Bundle]) -> None:
    """Each turn and attachment leads back to its own round."""
    for bundle in bundles.values():
        for round_ in bundle.conversation.rounds():
            places = [round_.id, *(turn.id for turn in round_.turns)]
            places += [each.id for turn in round_.turns for each in turn.attachments]
            assert all(bundle.rounds_of(place) == [round_] for place in places)


def test_a_bundle_is_made_of_its_records_in_any_order(bundles: dict[str, Bundle]) -> None:
    """Records sorted backwards give the same bundle."""
    for bundle in bundles.values():
        again = Bundle.from_records(reversed(bundle.records()))
        assert again.model_dump() == bundle.model_dump()


def test_a_bundle_has_one_conversation(bundles: dict[str, Bundle]) -> None:
    """None or two conversations are no bundle."""
    records = [bundle.conversation for bundle in bundles.values()]
    for some in ([], records[:2]):
        with pytest.raises(RecordError, match="expected 1 conversation"):
            Bundle.from_records(some)


def test_records_are_grouped_by_conversation(bundles: dict[str, Bundle]) -> None:
    """Every record finds the conversation whose id leads its own."""
    records = [record for bundle in bundles.values() for record in bundle.records()]
    groups = group_by_conversation(records)
    assert list(groups) == sorted(bundles, key=natural_key)
    assert {key: len(group) for key, group in groups.items()} == {
        key: len(bundle.records()) for key, bundle in bundles.items()
    }


def test_a_copy_looks_up_its_own_records(bundles: dict[str, Bundle]) -> None:
    """Look-ups made before a copy with other records are not carried over."""
    bundle = next(bundle for bundle in bundles.values() if bundle.turn_by_id)
    emptied = bundle.conversation.model_copy(update={"sessions": []})
    assert bundle.model_copy(update={"conversation": emptied}).turn_by_id == {}
