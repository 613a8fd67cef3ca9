"""How hard a question is: rounds, distance, updates, likeness, pixels, said once."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ledgers import bundle_of, fact, mention

from memassay.schemas.queries.hardness import Hardness, HardnessMeter, needed_rounds
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

ROUNDS = [f"D{session}:{at}" for session in range(1, 5) for at in range(1, 5)]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    """A rent that changes twice, another's rent, a chart, and a name that comes up three times."""
    return bundle_of(
        [
            (fact("F1", "amy", "rent", "500"), "D1:1"),
            (fact("F2", "amy", "rent", "550", supersedes=["F1"]), "D2:1"),
            (fact("F3", "amy", "rent", "600", supersedes=["F2"]), "D4:1"),
            (fact("F4", "bob", "rent", "480"), "D3:1"),
            (fact("F5", "chart", "Monday", "7"), ""),
            (fact("F6", "amy", "cat", "Miso"), "D1:2 D2:2 D3:2"),
        ],
        [mention("F5_M1", "F5", "D2:3", modality="image", attachment="D2:IMG_001")],
    )


def _item(groups: list[list[str]], *facts: str, **more: Any) -> QAItem:
    evidence = {
        "groups": groups,
        "canonical": [group[0] for group in groups],
        "facts": [f"c/{name}" for name in facts],
    }
    return QAItem.model_validate(
        {
            "id": "c/Q0001",
            "conversation": "c",
            "question": {"text": "How much?"},
            "answer": {"format": "free", "values": ["so much"]},
            "type": "fact_recall",
            "benchmark_type": "FR",
            "origin": "machine",
            "evidence": evidence,
            **more,
        }
    )


def _measure(bundle: Bundle, *args: Any, **more: Any) -> Hardness:
    return HardnessMeter(bundle).measure(_item(*args, **more))


def test_evidence_that_must_be_joined_needs_a_round_each(bundle: Bundle) -> None:
    """Two groups in two sessions: two rounds, as many sessions apart."""
    found = _measure(bundle, [["D1:1"], ["D4:1"]], "F1", "F3")
    assert (found.rounds_needed, found.evidence_distance) == (2, 3)


def test_one_round_may_serve_two_groups(bundle: Bundle) -> None:
    """Of alternatives the one is taken that another group needs anyway."""
    found = _measure(bundle, [["D1:2", "D2:2"], ["D2:2"]], "F6")
    assert (found.rounds_needed, found.evidence_distance) == (1, 0)


def test_a_question_without_evidence_needs_no_round(bundle: Bundle) -> None:
    """A refusal has no distance, and nobody can say whether it was said once."""
    found = _measure(bundle, [])
    assert found == Hardness(0, None, 0, 0, 0.0, None)


@pytest.mark.parametrize(("session", "updates"), [("D1", 0), ("D2", 1), ("D4", 2)])
def test_updates_are_those_known_when_it_is_asked(
    bundle: Bundle, session: str, updates: int
) -> None:
    """Earlier and later values of the chain count, once they were stated."""
    found = _measure(bundle, [["D1:1"]], "F1", asked_at={"session": session})
    assert found.updates == updates


@pytest.mark.parametrize(("session", "alike"), [("D2", 0), ("D4", 1)])
def test_the_same_property_of_another_is_alike(bundle: Bundle, session: str, alike: int) -> None:
    """Bob's rent may be taken for Amy's from when it is known."""
    found = _measure(bundle, [["D1:1"]], "F1", asked_at={"session": session})
    assert found.likeness == alike


def test_the_share_in_pixels_is_that_of_facts_without_text(bundle: Bundle) -> None:
    """One of two facts is in a chart alone."""
    found = _measure(bundle, [["D2:IMG_001"], ["D2:1"]], "F5", "F2")
    assert found.visual_share == 0.5


def test_without_a_ledger_attachments_are_pixels(bundle: Bundle) -> None:
    """An imported item cites what it is about."""
    assert _measure(bundle, [["D2:IMG_001"]]).visual_share == 1.0


def test_what_comes_up_again_is_not_said_once(bundle: Bundle) -> None:
    """A name in three rounds."""
    assert _measure(bundle, [["D1:1"]], "F1").said_once is True
    assert _measure(bundle, [["D1:2"]], "F6").said_once is False


def test_bands_name_every_measure(bundle: Bundle) -> None:
    """Scores are cut by them."""
    assert list(_measure(bundle, [["D1:1"], ["D4:1"]], "F1", "F3").bands()) == [
        "rounds_needed: 2",
        "evidence_distance: 1 to 3",
        "updates: 2 or more",
        "likeness: 1 to 3",
        "visual_share: none",
        "said_once: yes",
    ]


@given(st.lists(st.lists(st.sampled_from(ROUNDS), min_size=1, max_size=4), max_size=5))
def test_needed_rounds_serve_every_group(groups: list[list[str]]) -> None:
    """No group is left out, and no round is there that serves none."""
    found = set(needed_rounds(bundle_of([]), _item(groups)))
    assert all(found & set(group) for group in groups)
    assert all(any(one in group for group in groups) for one in found)
