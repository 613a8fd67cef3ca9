"""Visual questions: of pictures as people speak of them, some of two pieces of evidence."""

import re
from pathlib import Path
from random import Random

import pytest
from support.told import usual

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.asked.words import run_of
from memassay.schemas.records.parts.reference import PictureDescription
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.proving import proven_item
from memassay.synth.questions.references.describing import describe_picture
from memassay.synth.questions.references.matters import are_of_one_matter, events_of
from memassay.synth.questions.references.phrasing import BOTH
from memassay.synth.questions.visual import image_wordings, wordings
from memassay.synth.questions.visual.labels import at_label
from memassay.synth.questions.visual.matching import find_matching
from memassay.synth.questions.visual.multimodal import multimodal
from memassay.synth.world.grammar import choose
from memassay.synth.world.persona_file import PERSONAS, load_persona
from memassay.validators.check import RULES, check_conversation
from memassay.validators.items.asked.cues import NEGATION

pytestmark = pytest.mark.slow(seconds=2)

MANY = 10
PER_KIND = {
    f"{name} {kind}": patterns
    for module in (wordings, image_wordings)
    for name, forms in vars(module).items()
    if name.isupper() and name not in {"TIMES"} and not name.startswith("_")
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


def test_half_of_the_reading_joins_several_pieces(history: History) -> None:
    """Two pictures or a picture and a word, as long as there are any."""
    first = list(multimodal(history, Random(5)))[:12]
    assert sum(_joins(draft) for draft in first) == 6


def _joins(draft: Draft) -> bool:
    """Whether it speaks of two pictures, or of all that show the same."""
    return len(draft.references) == 2 or not draft.references


def test_a_sum_is_of_money_that_belongs_together(drafts: list[Draft]) -> None:
    """Of two bills of one event, of one item on all bills, or of the receipts of a month."""
    for draft in drafts:
        if draft.query.get("with") == "sum":
            together = len({one.phrase for one in draft.references}) == 1
            assert together or draft.query["of"]["op"] == "select"


def test_what_tells_the_event_is_evidence(history: History) -> None:
    """Who asks for the chart from an event rests on the round that tells the event as well."""
    asked = [draft for draft in find_matching(history, Random(5)) if draft.references]
    things = history.things
    groups = {
        draft.about[0]: things.rounds_telling(draft.references[0].description) for draft in asked
    }
    shown = things.gallery.by_id
    assert any(shown[one].round not in told[0] for one, told in groups.items() if told)


def test_evidence_without_what_tells_the_event_is_found(history: History) -> None:
    """`proof.evidence` derives the round that tells a described event as well."""
    shown, things = history.things.gallery.by_id, history.things
    draft, told = next(
        (draft, told)
        for draft in find_matching(history, Random(5))
        if len(draft.references) == 1
        and (told := things.rounds_telling(draft.references[0].description))
        and shown[draft.about[0]].round not in told[0]
    )
    name = f"{history.bundle.id}/fm-0001"
    kind, pixels = QuestionType.VISUAL_SEARCH, [Modality.IMAGE]
    whole = proven_item(draft, name, "fm", kind, pixels, history.ledger, told)
    bare = proven_item(draft, name, "fm", kind, pixels, history.ledger)
    found = [
        check_conversation(
            history.bundle.model_copy(update={"questions": [one]}),
            RuleContext(),
            [RULES["proof.evidence"]],
        )
        for one in (whole, bare)
    ]
    assert found[0] == []
    assert [one.rule for one in found[1]] == ["proof.evidence"]


def test_images_are_found_in_four_ways(history: History) -> None:
    """By what they are for, by a comparison, by what only one of them has, and by the most."""
    drafts = list(find_matching(history, Random(5)))
    assert all(draft.format is AnswerFormat.IMAGE_ID for draft in drafts)
    picked = [draft for draft in drafts if draft.query["of"]["op"] == "pick"]
    assert any(len(draft.references) == 2 for draft in picked)
    assert any(not draft.references for draft in picked)
    assert any(not draft.references and draft not in picked for draft in drafts)
    assert any(len(draft.references) == 1 for draft in drafts)


def test_a_picture_is_placed_only_within_its_matter(history: History) -> None:
    """After or before an event of the same card, or of which one led to the other."""
    for shown in history.things.gallery.pictures:
        own = events_of(history, shown.attachment)
        for seed in range(6):
            reference = describe_picture(history, shown.attachment, Random(seed))
            asked = reference.description if reference is not None else None
            if not isinstance(asked, PictureDescription):
                continue
            for near in filter(None, (asked.after, asked.before)):
                event = next(one for one in history.events if one.title == near.title)
                assert any(are_of_one_matter(history, event, one) for one in own)


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Mon", "on Mon"),
        ("Week 2", "in week 2"),
        ("08 h", "at 08 h"),
        ("20 min", "at 20 min"),
        ("Osaka", "for Osaka"),
    ],
)
def test_a_row_is_spoken_with_the_word_before_it(history: History, label: str, said: str) -> None:
    """Times by their own prepositions, everything else by `for`."""
    assert at_label(history, label) == said


@pytest.mark.parametrize("form", sorted(PER_KIND))
def test_each_form_has_many_wordings(form: str) -> None:
    """Ten at least, with what is around a core and the ways to name two pictures."""
    worded = {choose(one, Random(seed)) for one in PER_KIND[form] for seed in range(16)}
    around: tuple[str, ...] = ()
    if any("{both}" in one for one in worded):
        around = BOTH
    elif not any(one.endswith(("?", ".")) for one in worded):
        around = (*wordings.IN_PICTURE, *image_wordings.SHOWING)
    frames = {choose(one, Random(seed)) for one in around for seed in range(16)}
    assert len(worded) * max(1, len(frames)) >= MANY


@pytest.mark.parametrize("form", sorted(PER_KIND))
def test_no_wording_denies(form: str) -> None:
    """A denial would be taken for one of the query, which has none."""
    for pattern in PER_KIND[form]:
        assert NEGATION.isdisjoint(run_of(pattern))
