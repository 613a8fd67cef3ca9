"""Rules for topic packs: a small pack passes them all, and each damage is named where it is."""

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.errors import UsageError
from memassay.synth.packs.check import check_pack, main
from memassay.synth.packs.checking.cards import card_for, missing_plans
from memassay.synth.packs.checking.lint import lint
from memassay.synth.packs.checking.problems import Problem
from memassay.synth.packs.checking.texts import likeness
from memassay.synth.packs.checking.wordings import shared_sentences
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.plans.plan import Card

FIXTURE = Path(__file__).parents[1] / "support" / "seed-trial.yaml"
Damage = Callable[[dict[str, Any]], object]


SOUND: dict[str, Any] = yaml.safe_load(FIXTURE.read_text(encoding="utf-8"))


def _given() -> dict[str, Any]:
    """What the file of the fixture holds, to be damaged."""
    return copy.deepcopy(SOUND)


def _problems(damage: Damage) -> list[Problem]:
    """What the rules say of the fixture after one damage."""
    given = _given()
    damage(given)
    return check_pack(Pack.model_validate(given))


def _at(*path: Any, value: Any) -> Damage:
    """Damage: the value at a place of the file."""

    def put(given: dict[str, Any]) -> None:
        inner: Any = given
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return put


def _say(text: str, *path: Any) -> Damage:
    """Damage: one more wording at the end of a turn; by default of a user's turn."""

    def add(given: dict[str, Any]) -> None:
        inner: Any = given
        for key in (path or ("scenes", "week", "rounds", 0, "user"))[:-1]:
            inner = inner[key]
        last = (path or ("user",))[-1]
        inner[last] = f"{inner[last].rstrip()}\n{text}\n"

    return add


def _drop(*path: Any) -> Damage:
    """Damage: a key that is missing."""

    def drop(given: dict[str, Any]) -> None:
        inner: Any = given
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]

    return drop


REPLY = ("scenes", "week", "rounds", 0, "assistant")
SOW = ("scenes", "sow", "rounds", 0, "user")
COUNT = ("facts", "upwarm", "law")

DAMAGES: dict[str, tuple[Damage, str, str]] = {
    # names
    "a slot that nothing has": (_say("I have {seed} here."), "week", "slots of"),
    "a brace left open": (_say("I have {seeds here."), "week", "slots such as"),
    "a role without its mark": (_say("I asked {tutor} for it."), "week", "slots of"),
    "a thing of no scene": (_say("I like {@spot} a lot."), "week", "slots of"),
    "a hidden fact in words": (_say("The share is {rate} by now."), "week", "slots of"),
    "an unknown phase": (_at("changes", "warm", "until", value="waiting"), "until", "phase"),
    "an unknown fact": (_at("scenes", "dry", "needs", value=["warmth"]), "dry.needs", "fact"),
    "an unknown picture": (
        _at("scenes", "week", "rounds", 0, "shows", value="plans"),
        "week.rounds.0.shows",
        "image",
    ),
    "an unknown role": (_at("scenes", "visit", "binds", value="tutor"), "visit.binds", "role"),
    "an unknown list": (_at("images", "borrowed", "pieces", value="loans"), "borrowed", "list"),
    "a state that nobody sets": (
        _at("scenes", "dry", "when", value={"wool": "soaked"}),
        "dry.when",
        "state that a scene sets",
    ),
    "a state that nobody asks": (_drop("scenes", "dry", "when"), "soak.sets", "state"),
    "a question left open": (_drop("scenes", "sow", "answers"), "start.opens", "answers"),
    "an answer to nothing": (_drop("scenes", "start", "opens"), "sow.answers", "question"),
    "an unused picture": (_drop("scenes", "week", "rounds", 0, "shows"), "images.plan", "a use"),
    "a phase without scenes": (
        _at("phases", value=["setup", "wait", "result", "after"]),
        "phases.after",
        "a use",
    ),
    "near nothing told": (_at("never", 0, "near", value="rate"), "never.0.near", "fact"),
    "a feature of nobody": (
        _at("scenes", "saucer", "features", value=["indoors"]),
        "saucer.features",
        "two or more",
    ),
    "news without the new value": (
        _say("It's a bit warmer today.", "changes", "warm", "user"),
        "changes.warm.user",
        "{new}",
    ),
    # facts
    "a fact that nobody tells": (_at("scenes", "sow", "tells", value=[]), "facts.seeds", "tells"),
    "a fact told later": (_at("scenes", "shelf", "phase", value="result"), "dry", "all that it"),
    "a fact told by itself only": (
        _at("scenes", "second", "needs", value=["upshade"]),
        "second",
        "all that it",
    ),
    "a law over what changes": (_at(*COUNT, value="round(seeds + warm)"), "upwarm.law", "never"),
    "a law that is none": (_at(*COUNT, value="round(seeds"), "upwarm.law", "arithmetic"),
    "a law that calls": (_at(*COUNT, value="abs(seeds)"), "upwarm.law", ""),
    "a law in a circle": (_at(*COUNT, value="upwarm + 1"), "upwarm.law", "no circle"),
    "a law below zero": (_at(*COUNT, value="seeds - 40"), "upwarm.law", "positive"),
    "a law by zero": (_at(*COUNT, value="seeds / (seeds - 20)"), "upwarm.law", "all values"),
    "a long number": (_at(*COUNT, value="seeds * rate / 70"), "upwarm.law", "people say"),
    "a small range": (_at("facts", "seeds", "number", value=[20, 25, 1]), "seeds.number", "7"),
    "a range backwards": (_at("facts", "seeds", "number", value=[60, 20, 5]), "seeds", "a range"),
    "no room to change": (_at("changes", "warm", "drift", value=[1, 2]), "warm.drift", "new value"),
    "changed before told": (
        _at("changes", "best", "until", value="setup"),
        "changes.best.until",
        "a phase after",
    ),
    "two sides that tie": (
        _at("joins", 2, "of", value=["warm", "rate"]),
        "joins.2.of",
        "facts of one unit",
    ),
    "equal sides": (_at("facts", "shade", "number", value=[15, 23, 1]), "joins.2.of", "equal"),
    # course
    "an opening that needs": (_at("scenes", "join", "needs", value=["warm"]), "join", "nothing"),
    "a fact not in all wordings": (
        _say("I counted them all.", "scenes", "count", "rounds", 0, "user"),
        "count.tells",
        "{upwarm}",
    ),
    "a twin that says it": (
        _say("It's {seeds}, as you can see.", "scenes", "sow", "rounds", 0, "shown"),
        "sow.rounds.0.shown",
        "no slot",
    ),
    "a question that opens nothing": (_say("Is that right?", *REPLY), "week", "no question"),
    # wordings
    "other facts in one wording": (_say("It's {warm}, so I noted {seeds}.", *SOW), "sow", "facts"),
    "nearly the same twice": (
        _say("I made myself a plan for the days."),
        "week.rounds.0.user.0",
        "unlike",
    ),
    "a long wording": (_say("Well, " + "and so on it went " * 6 + "on."), "week", "30 words"),
    "a semicolon": (_say("Here it is; look."), "week", "no ;"),
    "a colon": (_say("My schedule is this: nothing."), "week", "no :"),
    "no end": (_say("Here it is"), "week", "an end"),
    "a small beginning": (_say("so this is it."), "week", "a capital"),
    # giving away
    "a value by chance": (_say("Goran laughed about it."), "week", "'Goran'"),
    "a piece by chance": (_say("The spray bottle leaks."), "week", "'a spray bottle'"),
    "a number by chance": (_say("It must be 25 seeds by now."), "week", "no number"),
    "a secret in words": (_say("The fertiliser smells."), "week", "never told"),
    "a secret in a piece": (
        _at("lists", "gear", "items", 0, value="a bag of soil"),
        "lists.gear.items.0",
        "never told",
    ),
    "a secret in a picture": (_at("images", "plan", "title", value="Grades"), "plan.title", "told"),
    # grammar
    "an article for two": (
        _at("lists", "gear", "items", 0, value="a oven"),
        "lists.gear",
        "'an oven'",
    ),
    "two articles": (
        _say("There's the {item} on my desk.", "lists", "gear", "user"),
        "lists.gear.user",
        "one article",
    ),
    "two words": (_say("I put it on on the door."), "week", "one 'on'"),
    "a verb in the plural": (_say("{@plant} are hard to find."), "week", "singular"),
    "one of many": (_at("facts", "seeds", "number", value=[1, 8, 1]), "sow", "a range from 2"),
    # questions
    "two questions": (_drop("facts", "warm", "ask", 0), "warm.ask", "3 or more"),
    "a question for something else": (
        _at("facts", "warm", "ask", 0, value="How does it feel?"),
        "warm.ask.0",
        "half of the words",
    ),
    "a question without its thing": (
        _at("facts", "glow", "ask", 0, value="What is the brightness of the spot?"),
        "glow.ask.0",
        "{@spot}",
    ),
    "a difference without sides": (
        _at("joins", 0, "ask", 0, value="How many more seedlings came up?"),
        "joins.0.ask.0",
        "slots",
    ),
    "a question with its answer": (
        _at("facts", "best", "ask", 0, value="Is the Attic the user's preferred spot?"),
        "best.ask.0",
        "no 'Attic'",
    ),
    "one option named": (
        _at("joins", 1, "ask", 0, value="Did more seedlings come up in the warm dish?"),
        "joins.1.ask.0",
        "option",
    ),
    "a join in one round": (
        lambda given: (
            given["scenes"]["count"].update(tells=["upwarm", "upshade"]),
            given["scenes"].pop("second"),
        ),
        "joins.0.of",
        "different rounds",
    ),
    "a question of the user": (
        _at("facts", "warm", "ask", 0, value="What is the temperature of my warm dish?"),
        "warm.ask.0",
        "no my",
    ),
    "a premise that asks openly": (
        _at("never", 0, "premise", 0, value="Which fertiliser was it?"),
        "never.0.premise.0",
        "yes or no",
    ),
    # pictures
    "a kind that nobody draws": (_at("images", "plan", "kind", value="photo"), "plan.kind", "one"),
    "two pictures of one name": (
        _at("images", "probe", "what", value="the seed packet"),
        "probe.what",
        "its own",
    ),
    "a picture of another thing": (
        _at("scenes", "week", "rounds", 0, "shows", value="meter"),
        "week.rounds.0.shows",
        "its own thing",
    ),
    "a chart of nothing": (_drop("images", "chart", "measure"), "chart.measure", "numbers"),
    "a pile that nobody counts": (
        _at("images", "dish", "rows", value={"red balls": "12-19"}),
        "images.dish",
        "can be drawn",
    ),
    "no colour": (
        _at("images", "dish", "rows", value={"pink socks": "2-7"}),
        "images.dish",
        "can be drawn",
    ),
    "rows where lines are": (_at("images", "plan", "lines", value={}), "plan.lines", "texts"),
    # traffic
    "one opening": (_drop("scenes", "join"), "scenes", "opening scenes"),
    "few pictures": (_drop("scenes", "visit", "rounds", 0, "shows"), "scenes", "9 or more"),
    "few rounds": (_drop("scenes", "visit", "binds"), "scenes", "rounds in all"),
}


def test_the_small_pack_passes() -> None:
    """Nothing is wrong with the pack that all damages are made in."""
    assert check_pack(Pack.model_validate(_given())) == []


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

    found = list(missing_plans(Pack.model_validate(_given()), plan))
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
    other = _given()
    other["facts"] = {f"x{name}": fact for name, fact in other["facts"].items()}
    packs = {"one": Pack.model_validate(_given()), "two": Pack.model_validate(other)}
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
