"""Answers of a model server on the path of MMRC, in both modes."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, Final
from zlib import crc32

from support.model_servers.asked import Asked, by_schema
from support.model_servers.simulated import task_of

THINGS: Final = (
    "rope",
    "jar",
    "lamp",
    "hook",
    "tile",
    "spool",
    "crate",
    "ladder",
    "brush",
    "pipe",
)
_PLACES: Final = ("barn", "attic", "cellar", "yard", "hall", "loft", "porch", "garage", "shop")
COUNTED: Final = re.compile(r"My (\w+) count is (\d+) pieces")
ADVICE: Final = (
    "Keep the ones that look best where you can reach them, and put the others into the shed.",
    "Write down what you take, so that nobody has to look for it later in the year.",
    "Begin with the part that you like least, since the rest goes faster once it is behind you.",
    "Leave the cleaning until the end, when the light is better and your hands are free.",
    "Ask somebody with a car whether a few of them can go along on the next trip to town.",
    "A second look tomorrow will tell you more than a third one now, so have a rest first.",
    "Put the heavy ones at the bottom and the light ones on top, with paper in between.",
)


class ChattingAuthor:
    """Words plans by their gist, and chats about what it has counted."""

    def __call__(self, asked: Asked) -> Any:
        """The reply to a request; a task it does not know gets a value of the right shape."""
        answers: dict[str, Callable[[], Any]] = {
            "scene_user_turn": lambda: {"text": f"Well, {asked.data()[2]}"},
            "scene_assistant_turn": lambda: {"text": f"Hm, I see. {asked.data()[3]}"},
            "turn_repair": lambda: {"text": asked.data()[1]},
            "aim_user_turn": lambda: {"text": _message(asked)},
            "aim_assistant_turn": lambda: {"text": _reply(asked)},
            "chunk_audit": lambda: {"flags": []},
            "memory_points": lambda: {"points": list(points(asked))},
            "update_marking": lambda: {"marks": list(marks(asked))},
            "entailment": lambda: {"entailed": False, "quote": ""},
            "ability_questions": lambda: {"items": [*_drafts(asked)] * 2},
            "question_repair": lambda: {**json.loads(asked.data()[1]), "evidence": []},
        }
        task = task_of(asked)
        return answers[task]() if task in answers else by_schema(asked)


def _message(asked: Asked) -> str:
    """A message that counts something; every sixth corrects what the first one counted."""
    aim, said = asked.data()[0], json.loads(asked.data()[1])
    number, own = len(said), crc32(aim.encode())
    thing = THINGS[(own + (0 if number % 6 == 5 else number)) % len(THINGS)]
    where = _PLACES[(own + number) % len(_PLACES)]
    return (
        f"I had another look around the {where} this morning, it took a while. My {thing} count "
        f"is {20 + own % 50 + 7 * number} pieces now, what would you do with them in the {where}?"
    )


def _reply(asked: Asked) -> str:
    """A few pieces of advice, which differ by what was said before."""
    random = Random(asked.text)
    return " ".join(random.sample(ADVICE, random.randint(3, 5)))


def quoted_rounds(asked: Asked) -> list[dict[str, Any]]:
    """The rounds that a request quotes."""
    values = (json.loads(one) for one in asked.data() if one.startswith("[{"))
    return next(one for one in values if "round" in one[0])


def points(asked: Asked) -> Iterator[dict[str, str]]:
    """Memory points of what is counted."""
    for one in quoted_rounds(asked):
        found = COUNTED.search(one["user"])
        assert found is not None
        yield {
            "round": one["round"],
            "speaker": "user",
            "subject": "user",
            "attribute": f"{found[1]} count",
            "value": found[2],
            "type": "number",
            "unit": "pieces",
            "statement": f"The {found[1]} count is {found[2]} pieces",
        }


def marks(asked: Asked) -> Iterator[dict[str, str]]:
    """Every later value replaces the one before it."""
    for one in json.loads(asked.data()[0]):
        for before, value in pairwise(one["values"]):
            yield {"fact": value["fact"], "relation": "update", "of": before["fact"]}


def _drafts(asked: Asked) -> Iterator[dict[str, Any]]:
    """A question of the ability that is asked for, about what was counted.

    In dialogues of an even number of rounds what is refused has evidence, until it is mended.
    """
    ability = re.search(r"The ability: ([^.]+)\.", asked.system)
    assert ability is not None
    rounds = quoted_rounds(asked)
    noted = next(json.loads(one) for one in asked.data() if one.startswith('[{"fact"'))
    counted = [(one, found) for one in rounds if (found := COUNTED.search(one["user"]))]
    fact_of = {one["statement"]: one["fact"] for one in noted}
    latest = {found[1]: (one["round"], found) for one, found in counted}
    changed = [name for name in latest if sum(found[1] == name for _, found in counted) > 1]
    once = [name for name in latest if name not in changed]
    name = changed[0] if ability[1] == "Information update" and changed else once[-1]
    place, found = latest[name]
    draft: dict[str, Any] = {
        "question": f"What is the {name} count of the user?",
        "answers": [f"{found[2]} pieces"],
        "evidence": [place],
        "fact": fact_of[f"The {name} count is {found[2]} pieces"],
        "steps": [],
        "options": [],
        "others": [],
    }
    other: dict[str, dict[str, Any]] = {
        "Answer refusal": {
            "question": "Which shoe size does the user wear?",
            "answers": ["Not mentioned."],
            "evidence": [] if len(rounds) % 2 else [place],
            "fact": "",
        },
        "Cross-turn reasoning": {
            "question": "Of which thing did the user count fewer than of any but one?",
            "answers": [once[1]],
            "evidence": [latest[once[0]][0], latest[once[1]][0]],
            "fact": "",
        },
        "Information extraction": {
            "question": "Of what did the user count the pieces at first and after it?",
            "answers": [f"{once[0]}, {once[1]}"],
            "steps": [once[0], once[1]],
            "evidence": [latest[once[0]][0], latest[once[1]][0]],
            "fact": "",
        },
        "Image management": {
            "question": "Which picture came first of all?",
            "answers": [one["id"] for each in rounds for one in each.get("shown", [])][:1],
            "evidence": [each["round"] for each in rounds if each.get("shown")][:1],
            "fact": "",
        },
    }
    draft |= other.get(ability[1], {})
    if "four options" in asked.system:
        draft["options"] = [draft["answers"][0], "1 piece", "2 pieces", "3 pieces"]
    if "True or False" in asked.system:
        draft |= {"question": f"The user counted each {name}. True or false?", "answers": ["True"]}
    yield draft
