"""A told history: its facts can be seen where its mentions say, its golds follow from it."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from support.told import SIZES, WANTED, digest, told, usual

from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.answers import check_item
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Mention
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import day_forms, start
from memassay.schemas.values.relative_dates import relative_dates
from memassay.schemas.values.text import holds, in_person
from memassay.synth.world.persona_checks import persona_problems
from memassay.synth.world.persona_file import PERSONAS, known_personas, load_persona
from memassay.synth.world.sizes import Sizes
from memassay.validators.check import check

pytestmark = pytest.mark.slow(seconds=0.3)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the blobs of told histories go."""
    return tmp_path_factory.mktemp("told")


@pytest.fixture(scope="session")
def history(folder: Path) -> Bundle:
    """A history of eight sessions."""
    return usual(folder)


@pytest.mark.parametrize("name", known_personas())
def test_every_persona_that_ships_is_sound(name: str) -> None:
    """Slots resolve, facts are shown, images and pages come up in rounds."""
    assert persona_problems(load_persona(PERSONAS / f"{name}.yaml")) == []


def test_a_history_has_the_size_asked_for(history: Bundle) -> None:
    """Sessions exactly, rounds and images a session about as many as asked for."""
    sessions = history.conversation.sessions
    images = [item for _, item in history.conversation.attachments() if ":IMG_" in item.id]
    assert len(sessions) == SIZES.sessions
    assert abs(len(history.conversation.rounds()) / len(sessions) - SIZES.rounds) <= 1
    assert abs(len(images) / len(sessions) - SIZES.images) <= 2.5


def test_session_dates_strictly_increase(history: Bundle) -> None:
    """Sessions are in time order and no two share a day."""
    dates = [session.date for session in history.conversation.sessions]
    assert dates == sorted(set(dates))


def test_text_mentions_hold_their_values(history: Bundle) -> None:
    """The text at every span says the value of the mention's fact."""
    facts = {fact.id: fact.value for fact in history.facts}
    for mention in history.mentions:
        if mention.modality is Modality.TEXT and mention.span is not None:
            text = history.turn_by_id[str(mention.turn)].text[slice(*mention.span)]
            value = facts[mention.fact]
            forms = day_forms(value.text) if value.type == "date" else [value.text]
            own = in_person(value.text, history.conversation.speakers[0].name)
            said = any(holds(text, form) for form in [*forms, *([own] if own else [])])
            assert said or _is_day(text, history, mention, value.text), (mention.id, text, value)


def _is_day(text: str, history: Bundle, mention: Mention, day: str) -> bool:
    """Whether words such as `today` mean a day, counted from that of their session."""
    told = history.date_by_round[mention.round]
    meant = relative_dates(text, start(told).date()) if told is not None else []
    return [reading.first.isoformat() for one in meant for reading in one.readings] == [day]


def test_picture_mentions_lie_in_their_pictures(history: Bundle) -> None:
    """Boxes of mentions are inside the image they name."""
    for mention in history.mentions:
        if mention.asset is not None and mention.box is not None:
            asset = history.asset_by_id[mention.asset]
            left, top, right, bottom = mention.box
            assert 0 <= left < right <= (asset.width or 0)
            assert 0 <= top < bottom <= (asset.height or 0)


def test_all_eight_types_are_made(history: Bundle) -> None:
    """Every type has as many questions as the recipe wants."""
    assert Counter(item.benchmark_type for item in history.questions) == Counter(WANTED)


def test_every_gold_is_what_its_query_gives(history: Bundle) -> None:
    """Each question has a query, and executing it gives its gold from visible facts."""
    for item in history.questions:
        check_item(item, history)


def test_rules_find_no_error(history: Bundle, folder: Path) -> None:
    """No rule about one conversation has an error to report."""
    context = RuleContext(blobs=BlobFolder(folder / "blobs"))
    assert [f.message for f in check([history], context) if f.severity == "error"] == []


def test_single_session_questions_cite_one_round(history: Bundle) -> None:
    """ss: exactly one supporting fact."""
    asked = [item for item in history.questions if item.benchmark_type == "ss"]
    assert {len(item.evidence.canonical) for item in asked} == {1}


def test_multi_session_questions_need_two_sessions(history: Bundle) -> None:
    """ms: evidence stands in two sessions or more."""
    for item in history.questions:
        if item.benchmark_type == "ms":
            assert len({place.partition(":")[0] for place in item.evidence.canonical}) >= 2


def test_multimodal_golds_stand_in_no_text_of_their_round(history: Bundle) -> None:
    """mr: the gold is in the pixels and not in what is said about them."""
    for item in history.questions:
        if item.benchmark_type == "mr":
            for place in item.evidence.canonical:
                said = " ".join(turn.text for turn in history.round_by_id[place].turns)
                assert not holds(said, item.answer.values[0])


def test_matching_questions_have_rivals(history: Bundle) -> None:
    """fm: the round shows the image of the gold; the history shows at least one competitor."""
    for item in history.questions:
        if item.benchmark_type == "fm":
            rounds = [history.round_by_id[place] for place in item.evidence.canonical]
            turns = [turn for one in rounds for turn in one.turns]
            shown = {a.id for turn in turns for a in turn.attachments}
            assert {*item.answer.values} <= shown
            assert item.answer.competitors
            assert {*item.answer.competitors} <= history.attachment_by_id.keys()


def test_letters_are_apportioned(history: Bundle) -> None:
    """fj: four questions have four different letters as gold."""
    letters = [
        item.answer.values[0]
        for item in history.questions
        if item.answer.format is AnswerFormat.CHOICE
    ]
    assert sorted(letters) == ["A", "B", "C", "D"]


def test_unstated_facts_are_unstated(history: Bundle) -> None:
    """ii: the gold stands in no turn."""
    said = " ".join(turn.text for turn in history.conversation.turns())
    for item in history.questions:
        if item.benchmark_type == "ii":
            assert not holds(said, item.answer.values[0])


def test_captions_give_nothing_away(history: Bundle) -> None:
    """No public caption holds the gold of a question about its picture."""
    captions = {a.id: a.caption or "" for _, a in history.conversation.attachments()}
    for item in history.questions:
        if item.benchmark_type in {"mr", "fm"}:
            for place in item.evidence.canonical:
                for turn in history.round_by_id[place].turns:
                    for shown in turn.attachments:
                        assert not holds(captions[shown.id], item.answer.values[0])


def test_another_seed_tells_another_history(history: Bundle, folder: Path) -> None:
    """Most turns are worded otherwise, and most golds differ, with another seed."""
    other = told("lily-cooking-newbie", 29, folder)
    ours = {turn.text for turn in history.conversation.turns()}
    theirs = {turn.text for turn in other.conversation.turns()}
    assert len(ours & theirs) / len(ours) < 0.3


def test_a_longer_history_than_the_cards_tell_is_refused(folder: Path) -> None:
    """Asking for more rounds than there are cards is an error that says how many there are."""
    with pytest.raises(Exception, match="expected cards for 1200 rounds"):
        told("lily-cooking-newbie", 7, folder, Sizes(sessions=60, rounds=20))


SCRIPT = """
import sys
from pathlib import Path
from support.told import digest, told
print(digest(told("lily-cooking-newbie", 9, Path(sys.argv[1]))))
"""


def test_locale_zone_and_hash_seed_change_nothing(
    history: Bundle, folder: Path, repository: Path, turkish: dict[str, str]
) -> None:
    """A process with a Turkish locale, an odd time zone and a random hash seed tells the same."""
    odd = {**turkish, "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "random"}
    made = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env={**os.environ, **odd, "PYTHONPATH": str(repository / "tests")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == digest(history)
