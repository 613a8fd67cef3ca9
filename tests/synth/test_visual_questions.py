"""Visual questions: of pictures as people speak of them, some of two pieces of evidence."""

import re
from pathlib import Path
from random import Random

import pytest
from support.told import usual

from memassay.schemas.queries.asked.words import run_of
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.matching import find_matching
from memassay.synth.questions.visual.multimodal import multimodal
from memassay.synth.world.grammar import choose
from memassay.synth.world.persona_file import PERSONAS, load_persona
from memassay.validators.items.asked.cues import NEGATION

pytestmark = pytest.mark.slow(seconds=2)

MANY = 10
PER_KIND = {
    f"{name} {kind}": patterns
    for name, forms in vars(wordings).items()
    if name.isupper() and not name.startswith("_")
    for kind, patterns in (forms.items() if isinstance(forms, dict) else [("", forms)])
}


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """A short history with pictures and a document."""
    folder: Path = tmp_path_factory.mktemp("visual")
    return History(usual(folder), load_persona(PERSONAS / "lily-cooking-newbie.yaml"))


@pytest.fixture(scope="module")
def drafts(history: History) -> list[Draft]:
    """All that can be asked of its pictures."""
    return [*multimodal(history, Random(5)), *find_matching(history, Random(5))]


def test_no_question_quotes_a_caption(history: History, drafts: list[Draft]) -> None:
    """Neither what a picture is captioned as nor what is printed at its top."""
    captions = [shown.caption or "" for _, shown in history.bundle.conversation.attachments()]
    about = [caption.partition(": ")[2] for caption in captions]
    for draft in drafts:
        assert not [one for one in about if one and one in draft.text]


def test_a_phrase_is_in_its_question(drafts: list[Draft]) -> None:
    """With the case of a beginning, and no mark of a pattern is left."""
    for draft in drafts:
        assert not re.search(r"[<>{}]", draft.text)
        for reference in draft.references:
            assert reference.phrase.casefold() in draft.text.casefold()


def test_a_third_of_the_reading_joins_two_pieces(history: History) -> None:
    """Two pictures or a picture and a word, as long as there are any."""
    first = list(multimodal(history, Random(5)))[:12]
    joined = [draft for draft in first if draft.whole]
    assert len(joined) == 4
    for draft in joined:
        assert len(set(draft.about)) == 2


def test_images_are_found_in_three_ways(history: History) -> None:
    """By a description, by a comparison, by what only one of them has."""
    drafts = list(find_matching(history, Random(5)))
    assert all(draft.format is AnswerFormat.IMAGE_ID for draft in drafts)
    assert any(draft.query["of"]["op"] == "pick" for draft in drafts)
    assert any(not draft.references for draft in drafts)
    assert any(draft.references and draft.query["of"]["op"] == "select" for draft in drafts)


@pytest.mark.parametrize("form", sorted(PER_KIND))
def test_each_form_has_many_wordings(form: str) -> None:
    """Ten at least, choices inside a pattern counted."""
    worded = {choose(one, Random(seed)) for one in PER_KIND[form] for seed in range(8)}
    assert len(worded) >= MANY


@pytest.mark.parametrize("form", sorted(PER_KIND))
def test_no_wording_denies(form: str) -> None:
    """A denial would be taken for one of the query, which has none."""
    for pattern in PER_KIND[form]:
        assert NEGATION.isdisjoint(run_of(pattern))
