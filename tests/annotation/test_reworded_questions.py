"""A question that a person words keeps nothing that spoke of the old words."""

from support.fixtures import item

from memassay.annotation.pages.forms import patch_of
from memassay.schemas.records.parts.reference import Reference, SubjectDescription

HAT = Reference(
    phrase="the one with the red hat",
    description=SubjectDescription(attribute="hat", value="red"),
    means="Ann",
)


def test_its_references_go_with_its_old_words() -> None:
    """They are phrases of a text that is no more; the query stays."""
    asked = item("What does the one with the red hat keep?", references=[HAT])
    patch = {step["path"]: step["value"] for step in patch_of(asked, {"text": "What is kept?"})}
    assert patch == {"/question/text": "What is kept?", "/references": []}


def test_a_question_without_references_gets_no_step_for_them() -> None:
    """A patch replaces what is there, and nothing else."""
    patch = patch_of(item("What does Ann keep?"), {"text": "What is kept?"})
    assert [step["path"] for step in patch] == ["/question/text"]
