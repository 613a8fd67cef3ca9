"""Rules for topic packs: a small pack passes them all, and each damage is named where it is."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pack_damages import DAMAGES, FIXTURE, Damage, sound_pack

from memassay.schemas.errors import UsageError
from memassay.synth.packs.check import check_pack, main
from memassay.synth.packs.checking.lint import lint
from memassay.synth.packs.checking.problems import Problem
from memassay.synth.packs.checking.texts import likeness
from memassay.synth.packs.checking.traffic import card_for, missing_plans
from memassay.synth.packs.checking.wordings import shared_sentences
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.plans.plan import Card


def _problems(damage: Damage) -> list[Problem]:
    """What the rules say of the fixture after one damage."""
    given = sound_pack()
    damage(given)
    return check_pack(Pack.model_validate(given))


def test_the_small_pack_passes() -> None:
    """Nothing is wrong with the pack that all damages are made in."""
    assert check_pack(Pack.model_validate(sound_pack())) == []


@pytest.mark.parametrize("name", DAMAGES)
def test_each_damage_is_named(name: str) -> None:
    """The place and what was expected are said."""
    damage, place, expected = DAMAGES[name]
    found = _problems(damage)
    assert any(place in one.place and expected in one.expected for one in found), found


def test_a_problem_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File, place, what was expected, what is there, how to mend it; exit code 1."""
    path = tmp_path / "seed-trial.yaml"
    path.write_text(FIXTURE.read_text(encoding="utf-8").replace("schedule.", "schedule"))
    assert main([str(path)]) == 1
    assert capsys.readouterr().out == (
        "seed-trial.scenes.week.rounds.0.user.0.2: expected an end with . ! or ?, "
        'got "Here\'s my schedule"; end the sentence\n'
    )


def test_a_good_pack_gives_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, no line."""
    assert main([str(FIXTURE)]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_is_no_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 beside the fields that are wrong, in JSON as well."""
    path = tmp_path / "short.yaml"
    path.write_text("pack: short\n")
    assert main([str(path), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert any("category" in line for line in said["broken"])
    assert said["problems"] == []


def test_warnings_do_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence with few wordings is a warning."""
    path = tmp_path / "seed-trial.yaml"
    text = FIXTURE.read_text(encoding="utf-8")
    path.write_text(text.replace("          Here's my schedule.\n", ""))
    assert main([str(path)]) == 0
    assert "3 or more wordings" in capsys.readouterr().out


def test_lengths_without_a_plan_are_named() -> None:
    """A planner is asked for ten dialogues of each length from 4 to 22."""
    asked: list[Card] = []

    def plan(_pack: Pack, _ordinal: int, card: Card) -> None:
        asked.append(card)
        if card.rounds > 20:
            raise UsageError(f"expected a dialogue of {card}, got none")

    found = list(missing_plans(Pack.model_validate(sound_pack()), plan))
    assert [problem.place for problem in found] == ["scenes, 21 rounds", "scenes, 22 rounds"]
    assert Counter(card.rounds for card in asked) == dict.fromkeys(range(4, 23), 10)


@given(st.integers(4, 22), st.integers(0, 99))
def test_cards_leave_room(rounds: int, ordinal: int) -> None:
    """Asides fill half of the rounds at most, and a round has one picture."""
    card = card_for(rounds, ordinal)
    assert card.updates + card.pieces <= rounds // 2
    assert 1 <= card.images < rounds


def test_two_packs_share_no_sentence() -> None:
    """The same sentence with another slot is the same sentence."""
    other = sound_pack()
    other["facts"] = {f"x{name}": fact for name, fact in other["facts"].items()}
    packs = {"one": Pack.model_validate(sound_pack()), "two": Pack.model_validate(other)}
    found = list(shared_sentences(packs))
    assert {file for file, _ in found} == {"two"}
    assert any("one.scenes.sow" in problem.expected for _, problem in found)


@pytest.mark.parametrize(
    "text", ["An hour with a user.", "A one-off, an eighth.", "It was an 8 at a university."]
)
def test_articles_go_by_sound(text: str) -> None:
    """Vowels that are spoken as consonants, and the other way round."""
    assert list(lint(text)) == []


def test_likeness_counts_common_runs() -> None:
    """One for the same words whatever their case, nothing for other ones."""
    assert likeness("The dish is dry again.", "the dish is dry again") == 1
    assert likeness("The dish is dry again.", "Something else was said.") == 0
