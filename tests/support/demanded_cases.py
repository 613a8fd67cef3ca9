"""Fixtures of the rules on what a question demands of its gold: a kind, a form, a name."""

from typing import Any

from support.fixtures import Case, Scene, item, scene, session, utterance
from support.pictured_cases import album, searched
from support.unbacked_cases import asked, two_sided

_TALK = (
    "I bought a red kite for the twins.",
    "Where did you fly it?",
    "At Lake Tahoe, with my aunt, for two hours. It was my first kite.",
    "Which snack did you take?",
    "We took lemon cookies. Our dog Max ate most of them.",
    "He is a beagle, is he?",
)


_WEIGH = "Please determine whether the following information conflicts with the dialogue:"
_BOATS = (
    ("My first one.", "Red boat with a red oar on a lake."),
    ("My second one.", "Red boat at a pier."),
)
_DINER = 'We found an old diner called "Rosie" in town.'
_CLASS = "My colleague Rob asked me to join a yoga class."
_TALE = (
    "At the market I bought croissants, muffins, and tarts.",
    "What else?",
    "The second sweater is red. That sweater costs 40 dollars, and the scarf costs 20 dollars.",
    "What a bargain! Get the muffins for beginners, they are so easy and good.",
    "My aunt saw the Canton Tower last year. We saw a calm old donkey on the way.",
    "And then?",
    "Places to see: 1) Swan Lake — quiet. 2) Iron Bridge — high. 3) Stone Mill — old.",
    "I only like the mill.",
    "Long ago my uncle repaired seven broken violins with patience, glue and tiny wooden clamps.",
    "Later on we met a hungry sheep.",
)


def shopping(question: str, gold: str, *evidence: str, **more: Any) -> Scene:
    """A question about another talk of the two."""
    return asked(question, gold, *(evidence or ("D1:1",)), said=two_sided(*_TALE), **more)


def demanding(question: str, gold: str, *evidence: str, said: str = "", **more: Any) -> Scene:
    """A question about a talk of two people, or about one turn."""
    talk, cited = ((said,), ("D1:1",)) if said else (_TALK, ("D1:3", "D1:5"))
    return asked(question, gold, *(evidence or cited), said=two_sided(*talk), **more)


def _bought(gold: str) -> Scene:
    said = [
        session(at, utterance(f"D{at}:1", text), date=f"2024-0{at}-04")
        for at, text in enumerate(("I bought a small boat.", "I bought a kite."), 1)
    ]
    text = "Which did Ann buy first: the boat or the kite?"
    return scene(item(text, [gold], ["D1:1", "D2:1"]), sessions=said)


def _worked(gold: str) -> Scene:
    said = [
        session(1, utterance("D1:1", "I began the mural today."), date="2024-01-04"),
        session(2, utterance("D2:1", "I finished the mural today."), date="2024-04-04"),
    ]
    text = "How long did Ann work on the mural?"
    return scene(item(text, [gold], ["D1:1", "D2:1"]), sessions=said)


CASES = {
    "asking.shape": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "4 March 2024"),
        good=lambda: demanding("When did Ann fly her kite?", "4 March 2024"),
    ),
    "asking.amount": Case(
        bad=lambda: demanding("How long did Ann fly her kite?", "at Lake Tahoe"),
        good=lambda: demanding("How long did Ann fly her kite?", "two hours"),
    ),
    "asking.who": Case(
        bad=lambda: demanding("Who was at the lake with Ann?", "lemon"),
        good=lambda: demanding("Who was at the lake with Ann?", "her aunt"),
    ),
    "asking.where": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "lemon cookies"),
        good=lambda: demanding("Where did Ann fly her kite?", "at a lake shore"),
    ),
    "asking.head": Case(
        bad=lambda: demanding("Which color does the kite have?", "lemon cookies"),
        good=lambda: demanding("Which color does the kite have?", "red"),
    ),
    "asking.sort_of_head": Case(
        bad=lambda: demanding("Which vehicle did Ann take?", "cookies"),
        good=lambda: demanding("Which vehicle did Ann take?", "a bus"),
    ),
    "asking.vague": Case(
        bad=lambda: demanding("What did Ann eat?", "Something homemade."),
        good=lambda: demanding("What did Ann eat?", "Homemade cookies."),
    ),
    "asking.name": Case(
        bad=lambda: demanding("What is the name of the dog?", "a hungry dog"),
        good=lambda: demanding("What is the name of the dog?", "Max"),
    ),
    "asking.named_there": Case(
        bad=lambda: demanding("Where did Ann fly her kite?", "at a lake"),
        good=lambda: demanding("Where did Ann fly her kite?", "at Lake Tahoe"),
    ),
    "asking.form": Case(
        bad=lambda: demanding("When was it? Return in the format YYYY-MM-DD.", "on a Monday"),
        good=lambda: demanding("When was it? Return in the format YYYY-MM-DD.", "2024-03-04"),
    ),
    "claims.so_many": Case(
        bad=lambda: shopping("Which two pastries did Ann buy?", "croissants"),
        good=lambda: shopping("Which two pastries did Ann buy?", "croissants and tarts"),
    ),
    "claims.one_of_list": Case(
        bad=lambda: shopping("Which pastries did Ann buy?", "croissants"),
        good=lambda: shopping("Which pastries did Ann buy?", "croissants, muffins and tarts"),
    ),
    "claims.numbered": Case(
        bad=lambda: shopping("List all places to see.", "Swan Lake, Iron Bridge", "D1:7"),
        good=lambda: shopping("List all places to see.", "Swan Lake, Iron Bridge, Mill", "D1:7"),
    ),
    "claims.half_cited": Case(
        bad=lambda: shopping("What did Ann see?", "A calm old donkey and hungry sheep", "D1:10"),
        good=lambda: shopping("What did Ann see?", "A calm old donkey and a tower", "D1:5"),
    ),
    "claims.hardly_said": Case(
        bad=lambda: shopping("Why are muffins a good start?", "easily sold at rainy fairs", "D1:4"),
        good=lambda: shopping("Why are muffins a good start?", "easy for beginners", "D1:4"),
    ),
    "claims.told_of_another": Case(
        bad=lambda: shopping(
            "What did Ben do?",
            "repaired seven broken violins with patience, glue and tiny clamps of wood",
            "D1:2",
        ),
        good=lambda: shopping(
            "What did Ben do?",
            "repaired seven broken violins with patience, glue and tiny clamps of wood",
            "D1:9",
        ),
    ),
    "claims.values_exchanged": Case(
        bad=lambda: shopping("What do they cost?", "sweater 20, and scarf 40", "D1:3"),
        good=lambda: shopping("What do they cost?", "sweater 40, and scarf 20", "D1:3"),
    ),
    "claims.measure": Case(
        bad=lambda: demanding("How much of it is sugar?", "30%", said="Sugar makes 40% of it."),
        good=lambda: demanding("How much of it is sugar?", "40%", said="Sugar makes 40% of it."),
    ),
    "asking.turned": Case(
        bad=lambda: shopping("Which pastry should beginners stay away from?", "muffins", "D1:4"),
        good=lambda: shopping("Which pastry should beginners get?", "muffins", "D1:4"),
    ),
    "asking.which_one": Case(
        bad=lambda: shopping("Which color does the third sweater have?", "red", "D1:3"),
        good=lambda: shopping("Which color does the second sweater have?", "red", "D1:3"),
    ),
    "claims.other_name": Case(
        bad=lambda: shopping(f"{_WEIGH} her aunt saw the Oriental Pearl Tower.", "No.", "D1:5"),
        good=lambda: shopping(f"{_WEIGH} her aunt saw the Canton Tower.", "No.", "D1:5"),
    ),
    "asking.granted": Case(
        bad=lambda: shopping("What did Ann buy after two schools dismissed her?", "tarts"),
        good=lambda: shopping("What did Ann buy after she got to the market?", "tarts"),
    ),
    "pictures.several": Case(
        bad=lambda: searched("Which image shows a red boat?", "D1:IMG_001", said=album(*_BOATS)),
        good=lambda: searched("Which image shows a red oar?", "D1:IMG_001", said=album(*_BOATS)),
    ),
    "asking.other_length": Case(
        bad=lambda: shopping("What did Ann buy during her three days in town?", "tarts"),
        good=lambda: shopping("What did Ann buy during her day in town?", "tarts"),
    ),
    "asking.named_by_gold": Case(
        bad=lambda: demanding("Which dish is the old diner known for?", "Rosie", said=_DINER),
        good=lambda: demanding("Which diner did they find?", "Rosie", said=_DINER),
    ),
    "claims.which_first": Case(bad=lambda: _bought("the kite"), good=lambda: _bought("the boat")),
    "claims.other_unit": Case(
        bad=lambda: _worked("three weeks"), good=lambda: _worked("three months")
    ),
    "claims.other_modifier": Case(
        bad=lambda: demanding("What did Rob ask Ann to join?", "a spinning class", said=_CLASS),
        good=lambda: demanding("What did Rob ask Ann to join?", "a yoga class", said=_CLASS),
    ),
}
