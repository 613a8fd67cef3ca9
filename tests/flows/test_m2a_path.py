"""The path m2a from recipe to release: hosts, guests in their gaps, layouts."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently

from memassay.exports.release.reader import Release, open_release
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.plans import setting_of
from memassay.flows.recipes.registry import PATHS
from memassay.flows.services.checks import validate_path
from memassay.flows.services.runs import run_recipe
from memassay.schemas.errors import RecipeError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc

RECIPE = """
path: m2a
hosts:
  {count: 1, sessions: 6, beats: 4, asides: 0, images: 3,
   questions: {"1": 3, "2": 4, "3": 1, "4": 8, adversarial: 2}}
release: {name: m2a-small, version: 0.1.0, licence: CC-BY-4.0, formats: [m2a, locomo]}
"""
HOST = [
    {"speaker": name, "dia_id": f"D{{0}}:{at}", "text": text}
    for at, (name, text) in enumerate((("Ann", "Hello."), ("Bo", "Hi, Ann.")), start=1)
]


def _run(folder: Path, recipe: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "recipe.yaml").write_text(recipe)
    progress = SilentProgress()
    run_recipe(folder / "recipe.yaml", folder / "workspace", progress, runner="plain")
    (release,) = (folder / "workspace" / "releases").iterdir()
    return release


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one simulated host with one group of guests."""
    return _run(tmp_path_factory.mktemp("m2a"), RECIPE)


@pytest.fixture(scope="module")
def bundle(released: Path) -> Bundle:
    """Its conversation."""
    release: Release = open_release(released)
    (only,) = release.bundles()
    return only


def test_no_layout_loses_a_question_silently(released: Path, tmp_path: Path) -> None:
    """Each is written, or listed with the reason."""
    assert lost_silently(released, tmp_path) == {}


def test_a_release_validates_without_errors(released: Path) -> None:
    """Every question is proven, and the release agrees with itself."""
    found = validate_path(released)
    assert [one.message for one in found.findings if one.severity == "error"] == []
    lines = (released / "certificates.jsonl").read_text().splitlines()
    assert {json.loads(line)["verdict"] for line in lines} == {"proven"}


def test_guests_stand_in_one_gap_of_their_host(bundle: Bundle) -> None:
    """Five or six sessions in a row, of an origin, at increasing minutes."""
    sessions = bundle.conversation.sessions
    guests = [one.index for one in sessions if one.arc is SessionArc.GUEST]
    assert len(guests) in (5, 6)
    assert guests == list(range(guests[0], guests[0] + len(guests)))
    assert {one.origin for one in sessions if one.index in guests} == {"guest1"}
    dates = [one.date or "" for one in sessions]
    assert sorted(set(dates)) == dates


def test_layouts_hold_what_they_can_answer(released: Path) -> None:
    """M2A leaves adversarial items out and LoCoMo what only pictures show."""
    folder = released / "formats"
    (m2a,) = json.loads((folder / "m2a" / "m2a.json").read_text())
    (locomo,) = json.loads((folder / "locomo" / "locomo.json").read_text())
    assert {one["category"] for one in m2a["qa"]} >= {2, 4, 5, 6, 7, 8, 9}
    assert not any(one["answer"] == "Not mentioned." for one in m2a["qa"])
    assert {one["category"] for one in locomo["qa"]} == {1, 2, 4, 5} | (
        {3} & {one["category"] for one in locomo["qa"]}
    )
    parts = [part for part in m2a["conversation"].values() if isinstance(part, list)]
    paths = [path for part in parts for turn in part for path in turn["images"]]
    assert paths
    assert all((folder / "m2a" / path).is_file() for path in paths)


def _locomo(folder: Path, dates: list[str]) -> None:
    talk: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo"}
    for number, date in enumerate(dates, start=1):
        talk[f"session_{number}_date_time"] = date
        talk[f"session_{number}"] = [
            {**turn, "dia_id": turn["dia_id"].format(number)} for turn in HOST
        ]
    asked = {"question": "Who says hi?", "answer": "Bo", "evidence": ["D2:2"], "category": 4}
    sample = {"sample_id": "conv-1", "conversation": talk, "qa": [asked]}
    folder.mkdir(exist_ok=True)
    (folder / "hosts.json").write_text(json.dumps([sample]))


SOURCES = "sources: [{format: locomo, path: hosts.json, licence: CC-BY-4.0}]\n"


def test_conversations_of_others_can_be_hosts(tmp_path: Path) -> None:
    """Their turns and questions stay as they are, behind or before the guests."""
    _locomo(tmp_path, ["1:56 pm on 8 May, 2023", "9:05 am on 28 June, 2023"])
    (found,) = open_release(_run(tmp_path, f"path: m2a\n{SOURCES}")).bundles()
    own = [one for one in found.conversation.sessions if one.origin is None]
    assert [turn.text for one in own for each in one.rounds for turn in each.turns] == [
        *("Hello.", "Hi, Ann."),
        *("Hello.", "Hi, Ann."),
    ]
    (host,) = [item for item in found.questions if item.id == "conv-1/Q0001"]
    assert host.evidence.canonical == [f"{own[1].id}:2"]
    assert {turn.speaker for turn in found.conversation.turns()} == {"speaker_a", "speaker_b"}


def test_a_host_without_a_gap_stays_as_it_is(tmp_path: Path) -> None:
    """The finding says how long a gap is needed."""
    _locomo(tmp_path, ["1:56 pm on 8 May, 2023", "9:05 am on 9 May, 2023"])
    folder = _run(tmp_path, f"path: m2a\n{SOURCES}")
    (held,) = [
        json.loads(line)
        for line in (folder / "findings.jsonl").read_text().splitlines()
        if json.loads(line)["rule"] == "m2a.no_gap"
    ]
    assert "expected a gap of" in held["message"]


@pytest.mark.parametrize("hosts", ["", f"hosts: {{count: 1}}\n{SOURCES}"])
def test_hosts_come_from_one_place(tmp_path: Path, hosts: str) -> None:
    """Neither or both is refused before anything is read."""
    (tmp_path / "recipe.yaml").write_text(f"path: m2a\n{hosts}")
    recipe = load_recipe(tmp_path / "recipe.yaml")
    with pytest.raises(RecipeError, match="expected either"):
        PATHS["m2a"].stages(recipe, setting_of(tmp_path, tmp_path))
