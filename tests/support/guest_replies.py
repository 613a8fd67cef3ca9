"""Guest sessions as a model should write them, and the ways in which one gets them wrong."""

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from support.model_servers.asked import Asked, by_schema
from support.model_servers.simulated import task_of

PLACES = ("Marlow Farm", "Quay Street", "the Holt kennels", "Ansley Mill", "Burton Lodge")
VISITORS = ("Petra", "Omar", "Lucille", "Anselm", "Ruthie")
_NEVER_SHOWN = re.compile(r"session (\d+): expected that (\S+) of <(.*?)> is shown")
Reply = dict[str, Any]


def written(asked: Asked) -> Any:
    """The right reply to a request for guest sessions, whole or in part."""
    # What was wrong with a reply that could not be read stands behind the rest, in words.
    task, data = task_of(asked), [json.loads(one) for one in asked.data() if one[:1] in "{["]
    if task == "concept_session":
        concepts, speakers, _, sessions, questions = data[:5]
        return whole(concepts, speakers, sessions, questions)
    if task == "guest_sessions_repair":
        concepts, speakers, sessions, _, flagged, problems = data[:6]
        right = told(concepts, speakers, sessions)
        wanted = [one["session"] for one in flagged if one["session"] <= len(sessions)]
        owner, friend = (one["name"] for one in speakers)
        for number, image, name in _NEVER_SHOWN.findall("\n".join(problems)):
            right[int(number) - 1]["turns"] += [
                _turn(owner, f"Here is <{name}> too.", [image]),
                _turn(friend, "Thank you.", []),
            ]
        return {"sessions": [{"session": at, **right[at - 1]} for at in wanted]}
    if task == "guest_questions":
        concepts, sessions, kept, _, questions = data[:5]
        there = {one["question"] for one in kept}
        every = [one for one in asked_of(concepts, sessions) if one["question"] not in there]
        return {"questions": _so_many(every, questions)}
    return by_schema(asked)


def whole(concepts: Any, speakers: Any, sessions: Any, questions: Mapping[str, int]) -> Reply:
    """Sessions and questions in one."""
    return {
        "sessions": told(concepts, speakers, sessions),
        "questions": _so_many(asked_of(concepts, sessions), questions),
    }


def told(concepts: Any, speakers: Any, sessions: Any) -> list[Reply]:
    """The sessions: an introduction, then a place, a visit and further pictures in each."""
    owner, friend = (one["name"] for one in speakers)
    names = [one["name"] for one in concepts]
    left = [(one["name"], image) for one in concepts for image in one["images"][1:]]
    made = [_introduction(owner, friend, concepts)]
    for at in range(1, len(sessions)):
        here, there = _pair(names, at)
        turns = [
            (friend, f"Any news of <{here}> since {VISITORS[at - 2]}?", []),
            (owner, f"<{here}> spent two days at {PLACES[at - 1]}.", []),
            (friend, f"And <{there}>?", []),
            (owner, f"{VISITORS[at - 1]} came to see <{there}> three days ago.", []),
            (friend, "How lovely, my best.", []),
        ]
        share = -(-len(left) // (len(sessions) - at))
        for name, image in left[:share]:
            turns += [(owner, f"<{name}> once more.", [image])]
            turns += [(friend, "On my wall, then.", [])]
        left = left[share:]
        made.append({"turns": [_turn(*turn) for turn in turns]})
    return made


def _introduction(owner: str, friend: str, concepts: Any) -> Reply:
    listed = " and ".join(f"<{one['name']}>" for one in concepts)
    turns = [_turn(owner, f"Time you met everyone: {listed}.", [])]
    turns += [_turn(friend, "At last, faces to the names.", [])]
    for one in concepts:
        turns += [_turn(owner, f"This is <{one['name']}>.", one["images"][:1])]
        turns += [_turn(friend, "A pleasure.", [])]
    return {"turns": turns}


def _turn(speaker: str, text: str, images: list[str]) -> Reply:
    return {"speaker": speaker, "text": text, "images": images}


def _pair(names: list[str], at: int) -> tuple[str, str]:
    return names[at % len(names)], names[(at + 1) % len(names)]


def asked_of(concepts: Any, sessions: Any) -> list[Reply]:
    """Questions about the sessions that `told` tells, more than anybody wants of each category."""
    names = [one["name"] for one in concepts]
    days = [date.fromisoformat(one["date"][:10]) for one in sessions]
    made: list[Reply] = []
    for at in range(1, len(sessions)):
        place, visit, session = PLACES[at - 1], VISITORS[at - 1], at + 1
        here, there = _pair(names, at)
        stay, visited = [f"D{session}:2"], [f"D{session}:4"]
        day = (days[at] - timedelta(days=3)).isoformat()
        made += [
            _question(9, f"Where did <{here}> spend two days in that week {at}?", place, stay),
            _question(9, f"Who came to see <{there}> when {place} was told of?", visit, visited),
            _question(7, f"On which day did {visit} come to see <{there}>?", day, visited),
        ]
        if at + 1 < len(sessions):
            both = [*visited, f"D{session + 1}:2"]
            text = f"Who came to see the one that spent two days at {PLACES[at]}?"
            made.append(_question(6, text, visit, both))
            apart = f"{(days[at + 1] - days[at]).days} days"
            text = f"How long after {visit} did {VISITORS[at]} come?"
            made.append(_question(7, text, apart, [*visited, f"D{session + 1}:4"]))
    text = f"Did {VISITORS[0]} and {VISITORS[1]} come to see the same one?"
    made.append(_question(6, text, "no", ["D2:4", "D3:4"]))
    for at, name in enumerate(names):
        text = f"What is <{name}> made of or by, as everybody knows ({at})?"
        made.append(_question(8, text, "molecules", [f"D1:{2 * at + 3}"]))
    return made


def _question(category: int, text: str, answer: str, evidence: list[str]) -> Reply:
    return {"question": text, "answer": answer, "category": category, "evidence": evidence}


def _so_many(every: list[Reply], wanted: Mapping[str, int]) -> list[Reply]:
    return [
        one
        for code, number in wanted.items()
        for one in [each for each in every if each["category"] == int(code)][:number]
    ]


@dataclass(frozen=True)
class Wrong:
    """A way to get guest sessions wrong.

    Attributes:
        change: Makes a right reply wrong.
        said: What the request for another one says of it.
        parts: Numbers of the sessions, or of the questions, that are asked for again.
        questions: Whether it is about questions.
    """

    change: Callable[[Reply], Any]
    said: str
    parts: tuple[int, ...]
    questions: bool = False


def _on_turn(session: int, turn: int, **changes: Any) -> Callable[[Reply], None]:
    return lambda reply: reply["sessions"][session - 1]["turns"][turn - 1].update(changes)


def _on_text(session: int, turn: int, change: Callable[[str], str]) -> Callable[[Reply], None]:
    def changed(reply: Reply) -> None:
        one = reply["sessions"][session - 1]["turns"][turn - 1]
        one["text"] = change(one["text"])

    return changed


def _on_question(number: int, **changes: Any) -> Callable[[Reply], None]:
    return lambda reply: reply["questions"][number - 1].update(changes)


def _without_turns(reply: Reply) -> None:
    del reply["sessions"][1]["turns"][4:]


def _with_turns(reply: Reply) -> None:
    turns = reply["sessions"][2]["turns"]
    turns += copy.deepcopy([turns[3], turns[4]] * 6)


def _exchanged(reply: Reply) -> None:
    first, second = (reply["sessions"][0]["turns"][at] for at in (2, 4))
    first["images"], second["images"] = second["images"], first["images"]


def _never_shown(reply: Reply) -> None:
    reply["sessions"][0]["turns"][6]["images"] = []


def _described(reply: Reply) -> None:
    turn = reply["sessions"][0]["turns"][2]
    turn["text"], turn["images"] = f"[image: {turn['text']} on a rug]", []


def _surplus(reply: Reply) -> None:
    reply["sessions"].append(copy.deepcopy(reply["sessions"][-1]))


def _from_zero(reply: Reply) -> None:
    for one in reply["questions"]:
        pairs = [place.removeprefix("D").split(":") for place in one["evidence"]]
        one["evidence"] = [f"D{int(session) - 1}:{int(turn) - 1}" for session, turn in pairs]


def _other_ratio(reply: Reply) -> None:
    moved = next(one for one in reply["questions"] if one["category"] == 9)
    moved |= {"category": 8}


def _all(reply: Reply, category: int) -> list[int]:
    return [at for at, one in enumerate(reply["questions"], 1) if one["category"] == category]


WRONG: dict[str, Wrong] = {
    "missing concept": Wrong(
        _on_text(1, 1, lambda text: text.rpartition(" and ")[0] + "."), "names <", (1,)
    ),
    "concept without its brackets": Wrong(
        _on_text(1, 1, lambda text: text.replace("<", "").replace(">", "")), "names <", (1,)
    ),
    "other brackets": Wrong(
        _on_text(1, 1, lambda text: text.replace("<", "⟨").replace(">", "⟩")), "got '⟨", (1,)
    ),
    "escaped brackets": Wrong(
        _on_text(1, 1, lambda text: text.replace("<", "&lt;").replace(">", "&gt;")),
        "got '&lt;",
        (1,),
    ),
    "unknown concept": Wrong(
        _on_text(2, 1, lambda _: "Any news of <nobody>?"), "got '<nobody>'", (2,)
    ),
    "too few turns": Wrong(_without_turns, "expected 5 to 15 turns, got 4", (2,)),
    "too many turns": Wrong(_with_turns, "expected 5 to 15 turns, got", (3,)),
    "too few sessions": Wrong(
        lambda reply: reply["sessions"].pop(), "expected it, got none", (-1,)
    ),
    "too many sessions": Wrong(_surplus, "sessions, got", (-1,)),
    "invented image": Wrong(_on_turn(2, 2, images=["IMG_9999.jpg"]), "got 'IMG_9999.jpg'", (2,)),
    "image never shown": Wrong(_never_shown, "is shown, got it in no turn", (-1,)),
    "image described": Wrong(_described, "[image:", (1,)),
    "picture spoken of": Wrong(
        _on_text(1, 3, lambda text: f"{text} In the photo you can see a long tail."),
        "got 'In the photo",
        (1,),
    ),
    "picture announced": Wrong(
        _on_text(2, 5, lambda _: "Here is another photo of them."), "shows it, got", (2,)
    ),
    "colours": Wrong(_on_text(1, 3, lambda text: f"{text} So brown and fluffy!"), "'brown'", (1,)),
    "image id in words": Wrong(
        _on_text(2, 5, lambda text: f"{text} See {{image}}."), "no id of an image", (2,)
    ),
    "concepts exchanged": Wrong(_exchanged, "of its concept, got", (1,)),
    "speaker 2": Wrong(_on_turn(2, 1, speaker="Speaker 2"), "got 'Speaker 2'", (2,)),
    "speaker of its own": Wrong(_on_turn(3, 2, speaker="Zoltan"), "got 'Zoltan'", (3,)),
    "one speaker twice": Wrong(
        lambda reply: reply["sessions"][1]["turns"].insert(
            1, {**reply["sessions"][1]["turns"][0], "text": "Tell me all of it."}
        ),
        "the other speaker",
        (2,),
    ),
    "empty turn": Wrong(_on_turn(3, 5, text=" \u200b"), "expected words, got", (3,)),
    "endless turn": Wrong(
        _on_turn(3, 5, text="word " * 200_000), "at most 1,000 characters, got", (3,)
    ),
    "control characters": Wrong(_on_turn(3, 5, text="Bye\x07."), "control", (3,)),
    "the words of another turn": Wrong(
        lambda reply: reply["sessions"][2]["turns"][4].update(
            text=reply["sessions"][1]["turns"][0]["text"]
        ),
        "those of session 2, turn 1",
        (3,),
    ),
    "dates of its own": Wrong(
        lambda reply: reply["sessions"][1].update(date="1999-12-31"), "got also 'date'", (2,)
    ),
    "other ratio": Wrong(_other_ratio, "", (-9,), questions=True),
    "too few questions": Wrong(lambda reply: reply["questions"].pop(), "", (-8,), questions=True),
    "evidence off by one": Wrong(
        lambda reply: next(one for one in reply["questions"] if one["category"] == 9).update(
            evidence=["D2:3"]
        ),
        "D2:2",
        (-9,),
        questions=True,
    ),
    "evidence that bears nothing": Wrong(
        lambda reply: next(one for one in reply["questions"] if one["category"] == 9).update(
            evidence=["D4:5"]
        ),
        "evidence: expected turns that say",
        (-9,),
        questions=True,
    ),
    "evidence of no turn": Wrong(
        _on_question(1, evidence=["D2:77"]), "got 'D2:77'", (1,), questions=True
    ),
    "evidence in words": Wrong(
        _on_question(1, evidence=["the second session"]), "got 'the second session'", (1,), True
    ),
    "no evidence": Wrong(_on_question(2, evidence=[]), "got none", (2,), questions=True),
    "from 0": Wrong(_from_zero, "count from 1", (0,), questions=True),
    "options": Wrong(
        _on_question(1, question="Who was it? A) Petra B) Omar C) nobody"),
        "no options",
        (1,),
        questions=True,
    ),
    "options beside it": Wrong(
        _on_question(1, options=["Petra", "Omar"]), "got also 'options'", (1,), questions=True
    ),
    "category 5": Wrong(_on_question(1, category=5), "category: expected 6, 7, 8 or 9", (1,), True),
    "gold in the question": Wrong(
        lambda reply: reply["questions"][0].update(
            question=f"Was it {reply['questions'][0]['answer']} who came to see them?"
        ),
        "does not say its answer",
        (1,),
        questions=True,
    ),
    "asked twice": Wrong(
        lambda reply: reply["questions"][1].update(question=reply["questions"][0]["question"]),
        "was not asked yet",
        (2,),
        questions=True,
    ),
    "empty answer": Wrong(_on_question(3, answer=" "), "answer: expected words", (3,), True),
    "a day in words": Wrong(
        lambda reply: next(one for one in reply["questions"] if one["category"] == 7).update(
            answer="the 9th of May, 2023"
        ),
        "YYYY-MM-DD",
        (-7,),
        questions=True,
    ),
    "a wrong day": Wrong(
        lambda reply: next(one for one in reply["questions"] if one["category"] == 7).update(
            answer="2001-02-03"
        ),
        "evidence: expected turns that say",
        (-7,),
        questions=True,
    ),
    "one turn for two facts": Wrong(
        _on_question(1, evidence=["D2:4"]), "expected two turns or more", (1,), questions=True
    ),
    "no image for what it shows": Wrong(
        lambda reply: next(one for one in reply["questions"] if one["category"] == 8).update(
            evidence=["D2:2"]
        ),
        "expected a turn that shows an image",
        (-8,),
        questions=True,
    ),
}
"""By name. Parts of sessions: -1 is the last; of questions: 0 all of them, -9 one of category 9."""


@dataclass
class GuestWriter:
    """A server's author of guest sessions.

    Attributes:
        wrong: How first replies are wrong; None where they are right.
        tasks: What was asked for, in order.
    """

    wrong: str | None = None
    tasks: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Any:
        """The reply to a request."""
        self.tasks.append(task_of(asked))
        reply = written(asked)
        if self.wrong is not None and self.tasks[-1] == "concept_session":
            return wrong(self.wrong, reply)
        return reply


def wrong(name: str, reply: Reply) -> Reply:
    """A right reply made wrong."""
    made = copy.deepcopy(reply)
    WRONG[name].change(made)
    text = json.dumps(made)
    if "{image}" in text:
        shown = made["sessions"][0]["turns"][2]["images"][0]
        made = json.loads(text.replace("{image}", shown))
    return made
