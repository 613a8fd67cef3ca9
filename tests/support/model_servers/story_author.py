"""Answers of a model server that writes stories: outlines, drafts, placements, questions."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from support.model_servers.asked import Asked, by_schema
from support.model_servers.chatting import ADVICE, COUNTED, THINGS, marks, points, quoted_rounds
from support.model_servers.simulated import task_of

NOWHERE: Final = "D99:1"
PLACES: Final = ("harbour", "allotment", "workshop", "attic", "orchard", "stable")


class StoryAuthor:
    """Writes stories of somebody who counts things in places.

    Attributes:
        mark: A word that ends each draft of a session, by which authors can be told apart.
        best: The word of the draft that a judge keeps.
    """

    def __init__(self, mark: str = "", best: str = "") -> None:
        """Take the author's mark, and the mark that a judge looks for."""
        self.mark, self.best = mark, best

    def __call__(self, asked: Asked) -> Any:
        """The reply to a request; a task it does not know gets a value of the right shape."""
        answers: dict[str, Callable[[], Any]] = {
            "story_profile": lambda: _profile(asked),
            "story_outline": lambda: {"sessions": list(_sessions(asked))},
            "story_dialogue": lambda: {"rounds": list(self._rounds(asked))},
            "best_of_judge": lambda: {"best": self._choice(asked), "reason": "It says more."},
            "image_placement": lambda: {"places": list(_places(asked))},
            "chunk_audit": lambda: {"flags": []},
            "turn_repair": lambda: {"text": asked.data()[1]},
            "memory_points": lambda: {"points": list(points(asked))},
            "update_marking": lambda: {"marks": list(marks(asked))},
            "entailment": lambda: {"entailed": False, "quote": ""},
            "story_questions": lambda: {"items": _so_many(asked)},
            "question_repair": lambda: _mended(asked),
            "item_reading": lambda: {"replies": list(_readings(asked))},
        }
        task = task_of(asked)
        return answers[task]() if task in answers else by_schema(asked)

    def _rounds(self, asked: Asked) -> Iterator[dict[str, str]]:
        """Rounds that count a thing each; the last ones of a session show its images."""
        session = json.loads(asked.data()[2])
        random = Random(session["content"])
        count = int(asked.text.rpartition("Write ")[2].split()[0])
        things = random.sample(THINGS, len(THINGS))
        for at in range(count):
            where, thing = random.choice(PLACES), things[at % len(things)]
            said = f"My {thing} count is {random.randint(10, 99)} pieces since the {where}."
            more, *reply = random.sample(ADVICE, 5)
            yield {"user": f"{said} {more} {self.mark}".strip(), "reply": " ".join(reply)}

    def _choice(self, asked: Asked) -> int:
        candidates = next(json.loads(one) for one in asked.data() if '"number":' in one)
        fit = [one["number"] for one in candidates if self.best in one["reply"]]
        return int(fit[0]) if fit else 1


def _profile(asked: Asked) -> dict[str, Any]:
    name = "Ada" if "clock" in asked.text else "Bo"
    return {
        "name": name,
        "profession": "restorer of clocks",
        "summary": f"{name} restores clocks in a small town and counts everything.",
        "traits": ["exact", "patient"],
        "style": "Short sentences.",
        "story": f"{name} wants to open a workshop before the winter.",
        "themes": ["the workshop", "the winter"],
    }


def _sessions(asked: Asked) -> Iterator[dict[str, Any]]:
    days = next(json.loads(one) for one in asked.data() if one.startswith("["))
    images = int(asked.text.rpartition("with ")[2].split()[0])
    for at, day in enumerate(days):
        yield {
            "topic": f"Stock of the {PLACES[at % len(PLACES)]}",
            "content": f"Things are counted anew on {day}. {' '.join(ADVICE[:3])}",
            "images": [f"{PLACES[(images * at + n) % len(PLACES)]} shelf" for n in range(images)],
            "transition": "The count before was wrong." if at else "",
        }


def _places(asked: Asked) -> Iterator[dict[str, str]]:
    """Each image in a round of its own; the last one where another is already."""
    rounds, images = json.loads(asked.data()[0]), json.loads(asked.data()[1])
    for at, image in enumerate(images):
        last = len(images) > 1 and image is images[-1]
        place = rounds[at - 1 if last else at]
        yield {"image": image["image"], "round": place["round"], "reason": "It fits."}


def _so_many(asked: Asked) -> list[dict[str, Any]]:
    """As many questions as are wanted, about rounds here and there."""
    drafts = list(_drafts(asked))
    most = int(asked.text.rpartition("at most ")[2].split()[0])
    return Random(asked.text).sample(drafts, min(most, len(drafts)))


def _drafts(asked: Asked) -> Iterator[dict[str, Any]]:
    """Questions about what is counted in a window, of the type that is asked for."""
    rounds = quoted_rounds(asked)
    noted = [json.loads(one) for one in asked.data() if one.startswith('[{"fact"')]
    facts = {one["statement"]: one["fact"] for each in noted for one in each}
    for at, round_ in enumerate(rounds):
        found = COUNTED.search(round_["user"])
        assert found is not None
        draft = {
            "question": f"What is the {found[1]} count of the user on {round_['date']}?",
            "answers": [f"{found[2]} pieces"],
            "evidence": [round_["round"]],
            "fact": facts.get(f"The {found[1]} count is {found[2]} pieces", ""),
            "steps": [],
            "options": [],
            "others": [],
        }
        if "All images" in asked.system:
            if not round_.get("shown"):
                continue
            images = [one["id"] for one in round_["shown"]]
            text = f"Which images show the shelf of {found[1]}s?"
            draft |= {"question": text, "answers": images, "steps": images, "fact": ""}
        if "never said or shown" in asked.system:
            text = f"Which colour did the {found[1]}s of {round_['round'][1]} have?"
            draft |= {"question": text, "answers": ["Not mentioned."], "evidence": [], "fact": ""}
        if "A claim" in asked.system:
            text = f"On {round_['date']} the {found[1]} count was {found[2]} pieces."
            draft |= {"question": text, "answers": ["No."], "fact": ""}
        # Every second draft names a round too many, until it is sent back.
        if at % 2:
            draft["evidence"] = [*draft["evidence"], NOWHERE]
        yield draft


def _mended(asked: Asked) -> dict[str, Any]:
    draft: dict[str, Any] = json.loads(asked.data()[1])
    return {**draft, "evidence": [one for one in draft["evidence"] if one != NOWHERE]}


def _readings(asked: Asked) -> Iterator[dict[str, Any]]:
    """All items are right, but for one that asks about hooks."""
    items = next(json.loads(one) for one in asked.data() if one.startswith('[{"form"'))
    for one in items:
        wrong = "hook" in one["question"]["text"]
        defect = {"kind": "wrong form", "place": "", "quote": "", "why": "Nobody counts hooks."}
        yield {
            "id": one["id"],
            "steps": "The round says it.",
            "defects": [defect] if wrong else [],
            "better": "",
            "verdict": "wrong" if wrong else "right",
        }
