"""Damages of the small pack, each with the place and the words by which the check names it."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

FIXTURE = Path(__file__).parent / "seed-trial.yaml"
Damage = Callable[[dict[str, Any]], object]


SOUND: dict[str, Any] = yaml.safe_load(FIXTURE.read_text(encoding="utf-8"))


def sound_pack() -> dict[str, Any]:
    """What the file of the fixture holds, to be damaged."""
    return copy.deepcopy(SOUND)


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
    "changes that say which way": (
        _say("It's up to {new} by now.", "changes", "warm", "user"),
        "changes.warm.user",
        "no direction",
    ),
    "new taken for old": (
        _say("It was {new}, now it's {old}.", "changes", "warm", "user"),
        "changes.warm.user",
        "what holds now",
    ),
    # pools
    "few texts": (_at("lists", "gear", "items", value=["a sieve"] * 9), "gear.items", "8 or more"),
    "a value in another": (
        _at("lists", "gear", "items", 0, value="a desk"),
        "gear.items.0",
        "no part of 'a desk lamp'",
    ),
    "a value with a mark": (
        _at("roles", "plant", "draw", 0, value="cress."),
        "plant.draw.0",
        "words only",
    ),
    "an intro without the name": (
        _at("roles", "tutor", "draw", 0, "intro", value="my boss"),
        "tutor.draw.0.intro",
        "Dr Lindqvist",
    ),
    "a person called it": (_drop("roles", "tutor", "draw", 0, "pronoun"), "tutor.draw.0", "she"),
    "two facts of one name": (
        _at("facts", "shade", "say", value="the temperature of the warm dish"),
        "facts.shade.say",
        "other words",
    ),
    "a number beside a fact": (
        _at("images", "packet", "lines", "Warm dish", value="20-30 °C"),
        "images.packet.lines",
        "no rival of warm",
    ),
    # course
    "a scene without rounds": (
        _at("scenes", "week", "rounds", 0, "optional", value=True),
        "week.rounds",
        "a round that is there",
    ),
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
    "a sign": (_say("Here it is \N{WHITE HEAVY CHECK MARK}."), "week", "plain marks"),
    "a glued unit": (_say("It's {shade}C there.", *SOW), "sow", "spaces beside"),
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
    "a unit twice": (
        _say("It's {new} degrees now.", "changes", "warm", "user"),
        "changes.warm.user",
        "no unit after",
    ),
    "a pronoun for some": (_say("{@tutor} says she likes it."), "week", "no pronoun"),
    "two prepositions": (
        lambda given: (
            given["roles"]["plant"]["draw"].append("in the pot"),
            _say("I looked at {@plant} today.")(given),
        ),
        "week",
        "one preposition",
    ),
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
    "a question for two": (
        _at("facts", "shade", "ask", 0, value="What is the temperature of the warm dish?"),
        "shade.ask.0",
        "of its own",
    ),
    "a question for yes or no": (
        _at("facts", "warm", "ask", 0, value="Is the temperature of the warm dish high?"),
        "warm.ask.0",
        "an open question",
    ),
    "options exchanged": (
        _at("joins", 0, "options", value=["the shaded dish", "the warm dish"]),
        "joins.0.options",
        "those of",
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
