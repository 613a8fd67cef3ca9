"""Facts that changed, as the item page shows them."""

from support.fixtures import bundle, fact, item, mention, session, talk, utterance

from memassay.annotation.pages.chains import chains_of
from memassay.schemas.records.question import Evidence

OLD = fact("F1", "three hives", valid_from="2024-03-04")
NEW = fact("F2", "five hives", supersedes=["talk/F1"], valid_from="2024-03-11")
STEPS = [fact("F3", "smoke", order=1), fact("F4", "lift", order=2)]
SEEN = [mention("M1"), mention("M2", of="F2", round="D2:1", turn="D2:1.1")]
TOLD = talk(session(1, utterance("D1:1", "three")), session(2, utterance("D2:1", "five")))


def test_a_fact_that_was_replaced_is_shown_old_to_new_with_dates() -> None:
    """Every value with when it came true, where it is told, and which one is asked for."""
    asked = item().model_copy(update={"evidence": Evidence(facts=["talk/F2"])})
    ((name, links),) = chains_of(bundle(TOLD, NEW, OLD, *SEEN, asked), asked)
    assert name == "keeps"
    assert [(one.value, one.date, one.places, one.used) for one in links] == [
        ("three hives", "2024-03-04", ("D1:1",), False),
        ("five hives", "2024-03-11", ("D2:1",), True),
    ]


def test_without_named_facts_the_evidence_leads_to_the_chain() -> None:
    """As in questions that people write; a date that no fact has is that of its session."""
    undated = [one.model_copy(update={"valid_from": None}) for one in (OLD, NEW)]
    asked = item(evidence=["D2:1"])
    ((_, links),) = chains_of(bundle(TOLD, *undated, *SEEN, asked), asked)
    assert [one.date for one in links] == ["2024-03-04", "2024-03-11"]


def test_facts_that_stand_side_by_side_are_no_chain() -> None:
    """The steps of a procedure share what they are about, and none replaces another."""
    asked = item().model_copy(update={"evidence": Evidence(facts=["talk/F3"])})
    assert chains_of(bundle(TOLD, *STEPS, asked), asked) == []
