"""Distractor sessions in a recipe: drawn, proven to change nothing, or left out with the reason."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently

from memassay.exports.release.reader import open_release
from memassay.exports.reports.origins import OriginCounts
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.services.checks import validate_path
from memassay.flows.services.runs import run_recipe
from memassay.flows.stages.lent_days import SEASON
from memassay.schemas.contracts.figures import Figure
from memassay.schemas.errors import RecipeError, SourceError, UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc

RECIPE = """
path: curate
seed: 7
sources: [{format: locomo, path: host.json, licence: CC-BY-4.0}]
inject: {sources: [{format: locomo, path: others.json, licence: CC-BY-4.0}], sessions: 3}
release: {name: small, version: 0.1.0, licence: CC-BY-4.0}
"""
DATES = ["1:56 pm on 8 May, 2023", "9:05 am on 28 June, 2023", "7:10 pm on 3 August, 2023"]
LENT_DATES = [
    "11:00 am on 20 May, 2021",
    "6:30 pm on 10 June, 2021",
    "8:15 am on 3 July, 2021",
    "4:45 pm on 20 July, 2021",
]
HOST = [
    ("Ann", "I adopted a grey kitten and called it Pebble."),
    ("Bo", "The orchestra took me as second oboe, Ann."),
    ("Ann", "My greenhouse has forty tomato seedlings now."),
]
OTHERS = [
    ("Cy", "Dee, the ferry was late, so I read two chapters on the quay."),
    ("Dee", "Cy, I repaired the stove with a strip of copper."),
    ("Cy", "I adopted a ginger kitten and called it Biscuit."),
    ("Dee", "The marathon route goes past our bakery this year."),
]


def _sample(
    name: str, told: list[tuple[str, str]], dates: list[str], asked: list[dict[str, Any]]
) -> dict[str, Any]:
    first, second = sorted({who for who, _ in told})[:2]
    talk: dict[str, Any] = {"speaker_a": first, "speaker_b": second}
    for number, ((who, text), date) in enumerate(zip(told, dates, strict=True), start=1):
        talk[f"session_{number}_date_time"] = date
        other = second if who == first else first
        talk[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:1", "text": text},
            {"speaker": other, "dia_id": f"D{number}:2", "text": "Well, well."},
        ]
    return {"sample_id": name, "conversation": talk, "qa": asked}


ASKED = [
    {"question": "What is Ann's kitten called?", "answer": "Pebble", "evidence": ["D1:1"]},
    {"question": "Which part does Bo play in the orchestra?", "answer": "second oboe"},
    {"question": "How many tomato seedlings does Ann have?", "answer": "forty"},
]


def _write(folder: Path, recipe: str = RECIPE, others: str = "conv-2") -> Path:
    folder.mkdir(exist_ok=True)
    asked = [
        {"category": 4, "evidence": [f"D{at}:1"], **one} for at, one in enumerate(ASKED, start=1)
    ]
    (folder / "host.json").write_text(json.dumps([_sample("conv-1", HOST, DATES, asked)]))
    (folder / "others.json").write_text(json.dumps([_sample(others, OTHERS, LENT_DATES, [])]))
    (folder / "recipe.yaml").write_text(recipe)
    return folder / "recipe.yaml"


def _run(recipe: Path, workspace: str = "workspace") -> Path:
    run_recipe(recipe, recipe.parent / workspace, SilentProgress(), runner="plain")
    (release,) = (recipe.parent / workspace / "releases").iterdir()
    return release


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one host with three sessions of others."""
    return _run(_write(tmp_path_factory.mktemp("distractors")))


@pytest.fixture(scope="module")
def bundle(released: Path) -> Bundle:
    """Its conversation."""
    (only,) = open_release(released).bundles()
    return only


def test_no_layout_loses_a_question_silently(released: Path, tmp_path: Path) -> None:
    """Each is written, or listed with the reason."""
    assert lost_silently(released, tmp_path) == {}


def test_sessions_of_others_stand_between_the_hosts_own(bundle: Bundle) -> None:
    """In the order of time, with their origin, and never before the first or after the last."""
    sessions = bundle.conversation.sessions
    lent = [one for one in sessions if one.origin is not None]
    assert {one.origin for one in lent} == {f"conv-2.D{number}" for number in (1, 2, 4)}
    assert {one.arc for one in lent} == {SessionArc.SIDE}
    assert sessions[0].origin is None
    assert sessions[-1].origin is None
    dates = [one.date or "" for one in sessions]
    assert dates == sorted(set(dates))


def test_sessions_of_others_move_by_the_same_weeks(bundle: Bundle) -> None:
    """What is said of the spring is said in spring, and next Saturday comes as soon as it did."""
    lent = [one for one in bundle.conversation.sessions if one.origin is not None]
    numbers = [int((one.origin or "").rpartition("D")[2]) for one in lent]
    assert numbers == sorted(numbers)
    apart = set()
    for number, one in zip(numbers, lent, strict=True):
        held = datetime.strptime(LENT_DATES[number - 1], "%I:%M %p on %d %B, %Y")
        moved = datetime.fromisoformat(one.date or "")
        assert abs(moved.timetuple().tm_yday - held.timetuple().tm_yday) <= SEASON
        assert moved.time() == held.time()
        apart.add((moved - held).days)
    (days,) = apart
    assert days % 7 == 0


def test_speakers_take_the_roles_of_the_host(bundle: Bundle) -> None:
    """Nobody joins, and whoever is called by name has the host's name."""
    assert {turn.speaker for turn in bundle.conversation.turns()} == {"speaker_a", "speaker_b"}
    said = " ".join(turn.text for turn in bundle.conversation.turns())
    assert "Cy" not in said
    assert "Bo, the ferry was late" in said


def test_questions_of_the_host_keep_gold_and_evidence(bundle: Bundle) -> None:
    """Their evidence leads to the words that it led to before."""
    for (who, text), item in zip(HOST, bundle.questions, strict=True):
        (cited,) = item.evidence.canonical
        assert bundle.rounds_of(cited)[0].turns[0].text == text, who


def test_a_session_that_changes_an_answer_is_left_out_with_its_reason(released: Path) -> None:
    """Another kitten would have made the name of the first ambiguous."""
    (found,) = [
        one for one in open_release(released).findings() if one.rule == "distractors.left_out"
    ]
    assert "conv-2.D3" in found.message
    assert "kitten" in found.message


def test_the_release_agrees_with_itself_and_each_certificate_says_so(released: Path) -> None:
    """No error, and the check of distractors passed for every question."""
    assert [one for one in validate_path(released).findings if one.severity != "info"] == []
    for one in open_release(released).certificates():
        (check,) = [each for each in one.checks if each.rule == "visitors.speaks"]
        assert check.outcome == "passed"


def _origins(bundle: Bundle) -> list[Figure]:
    counts = OriginCounts()
    counts.add(bundle)
    return counts.figures()


def test_stats_say_what_share_came_from_elsewhere(bundle: Bundle) -> None:
    """Three of six sessions distract."""
    (figure,) = _origins(bundle)
    assert [(row["origin"], row["sessions"], row["share"]) for row in figure.rows] == [
        ("own", 3, 0.5),
        ("distractors", 3, 0.5),
    ]
    own = [one for one in bundle.conversation.sessions if one.origin is None]
    alone = bundle.conversation.model_copy(update={"sessions": own})
    assert _origins(bundle.model_copy(update={"conversation": alone})) == []


def test_the_licence_is_that_of_the_lenders_too(tmp_path: Path) -> None:
    """Unless the recipe states one."""
    free = RECIPE.replace("version: 0.1.0, licence: CC-BY-4.0", "version: 0.1.0")
    recipe = _write(
        tmp_path, free.replace("others.json, licence: CC-BY-4.0", "others.json, licence: MIT")
    )
    assert open_release(_run(recipe)).manifest.licence == "CC-BY-4.0 AND MIT"


def test_another_workspace_gives_the_same_release(released: Path) -> None:
    """Draws depend on the seed alone."""
    assert _run(released.parents[2] / "recipe.yaml", "again").name == released.name


def test_dates_are_put_in_order_before_others_join(tmp_path: Path) -> None:
    """Sessions of one minute are told apart, on their day, and what changes is reported."""
    recipe = _write(tmp_path, f"{RECIPE}interpolate: {{}}\n".replace("sessions: 3", "sessions: 1"))
    sample = json.loads((tmp_path / "host.json").read_text())
    talk = sample[0]["conversation"]
    talk["session_2_date_time"] = talk["session_1_date_time"]
    (tmp_path / "host.json").write_text(json.dumps(sample))
    release = open_release(_run(recipe))
    (found,) = release.bundles()
    own = [one.date or "" for one in found.conversation.sessions if one.origin is None]
    assert [one[:10] for one in own] == ["2023-05-08", "2023-05-08", "2023-08-03"]
    assert len(set(own)) == 3
    assert len(found.conversation.sessions) == 4
    (reported,) = [one for one in release.findings() if one.rule == "interpolate.dated"]
    assert reported.message.startswith("conv-1.D2.date: ")


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (("sessions: 3", "sessions: 9"), RecipeError, "inject.sessions: expected at most 4"),
        (("others.json", "host.json"), RecipeError, "inject.sources: expected conversations other"),
        (("path: others", "path: none"), SourceError, "none.json"),
        (("format: locomo, path: o", "format: locomi, path: o"), UsageError, "locomi"),
    ],
)
def test_wrong_arguments_say_what_to_change(
    tmp_path: Path, change: tuple[str, str], error: type[Exception], words: str
) -> None:
    """More sessions than there are, the host itself, no file, no format."""
    recipe = _write(tmp_path, RECIPE.replace(*change))
    with pytest.raises(error, match=words):
        _run(recipe)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("sessions: 3", "sessions: 0"), "inject.sessions: .*got 0"),
        (("sessions: 3", "gap_days: 0"), "inject.gap_days: .*got 0"),
        (("seed: 7", "interpolate: {first: soon}"), "interpolate.first: expected a day .*got"),
        (("seed: 7", "interpolate: {days: [9, 2]}"), "interpolate.days: .*write .2, 9."),
        (("[{format: locomo, path: others.json, licence: CC-BY-4.0}]", "[]"), "inject.sources"),
    ],
)
def test_numbers_and_lists_are_read_before_anything_else(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    """What cannot be is refused with the recipe."""
    with pytest.raises(RecipeError, match=words):
        load_recipe(_write(tmp_path, RECIPE.replace(*change)))
