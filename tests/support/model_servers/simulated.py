"""Answers of a model server that come from the simulator: told histories, handed out in parts."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

from memassay.schemas.changes.locating import locate
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.models.prompt_files import known_prompts, load_prompt
from memassay.synth.world.values import spoken_value
from support.model_servers.asked import Asked, by_schema

_SUMMARY_WORDS: Final = 40
"""Words that the prompt of summaries allows, and that models tend to use up."""
_FILLED: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


@dataclass
class _History:
    """A told history by what prompts quote of it."""

    bundle: Bundle
    name: str

    def __post_init__(self) -> None:
        self.rounds = {one.id: one for one in self.bundle.conversation.rounds()}
        self.facts = {fact.id: fact for fact in self.bundle.facts}
        self.names = {key: n for one in self.bundle.events for key, n in one.names.items()}
        self.turns = {turn.text: turn for turn in self.bundle.conversation.turns()}
        self.spans: dict[str, list[Fact]] = {}
        for mention in self.bundle.mentions:
            if mention.turn is not None and mention.span is not None:
                fact = self.facts[mention.fact]
                # Memory points give a value as it is written: no date for `today`.
                if locate(self.bundle.turn_by_id[mention.turn].text, fact.value):
                    self.spans.setdefault(mention.turn, []).append(fact)

    def of_event(self, title: str) -> list[Round]:
        """The rounds in which an event is told."""
        events = {one.id for one in self.bundle.events if one.title == title}
        return [one for one in self.rounds.values() if one.event in events]

    def subject(self, fact: Fact) -> str:
        """What a fact is about, as people say it."""
        return self.names.get(fact.subject, fact.subject)


class SimulatedAuthor:
    """Fulfils the tasks of both modes with what the simulator told."""

    def __init__(self, bundles: list[Bundle]) -> None:
        """Take the histories, by the names of their users."""
        self.histories = [
            _History(one, next(s.name for s in one.conversation.speakers if s.id == "user"))
            for one in bundles
        ]

    def __call__(self, asked: Asked) -> Any:
        """The reply to a request; a task it does not know gets a value of the right shape."""
        answers: dict[str, Callable[[], Any]] = {
            "event_line": lambda: self._line(asked, EventLine.CORE),
            "distractor_line": lambda: self._line(asked, EventLine.SIDE),
            "timeline_check": lambda: {"flags": []},
            "event_repair": lambda: _as_it_was(asked),
            "chunk_audit": lambda: {"flags": []},
            "cross_audit": lambda: {"flags": []},
            "round_summary": lambda: {"summary": _condensed(asked)},
            "turn_repair": lambda: {"text": asked.data()[1]},
            "memory_points": lambda: {"points": list(self._points(asked))},
            "update_marking": lambda: {"marks": list(_marks(asked))},
            "entailment": lambda: {"entailed": False, "quote": ""},
            "best_of_judge": lambda: {"best": 1, "reason": "It is the first."},
            "user_turn": lambda: {"text": self._turn(asked, "user")},
            "user_turn_document": lambda: {"text": self._turn(asked, "user")},
            "assistant_turn": lambda: {"text": self._turn(asked, "assistant")},
        }
        task = task_of(asked)
        if task.startswith("questions_"):
            return {"items": list(_items(asked, task.removeprefix("questions_")))}
        return answers[task]() if task in answers else by_schema(asked)

    def _history(self, asked: Asked) -> _History:
        named = (one for one in self.histories if one.name in asked.system + asked.text)
        return next(named)

    def _line(self, asked: Asked, line: EventLine) -> dict[str, Any]:
        """Events that were told and are not in the line yet, those of its own kind first."""
        events = sorted(self._history(asked).bundle.events, key=lambda one: one.line is not line)
        quoted = {one["title"] for one in _lists(asked) if "title" in one}
        return {"events": [_planned(one) for one in events if one.title not in quoted]}

    def _turn(self, asked: Asked, speaker: str) -> str:
        event = next(one for one in _objects(asked) if "round" in one)
        history = self._history(asked)
        if "part" not in event:
            round_ = history.rounds[event["round"]]
        else:
            told, position = history.of_event(event["title"]), int(event["part"].split()[0]) - 1
            if position >= len(told):
                return f"There is nothing to add to {event['round']} of this matter."
            round_ = told[position]
        return next(turn.text for turn in round_.turns if turn.speaker == speaker)

    def _points(self, asked: Asked) -> Iterator[dict[str, Any]]:
        """The facts that the simulator noted in the turns quoted, each where it is said."""
        history = self._history(asked)
        for quoted in _lists(asked):
            for speaker in ("user", "assistant"):
                turn: Turn | None = history.turns.get(quoted.get(speaker, ""))
                for fact in history.spans.get(turn.id, []) if turn else []:
                    unit = fact.value.unit or ""
                    kind = str(fact.value.type)
                    text = fact.value.text
                    if unit and kind == "text":
                        text, unit = spoken_value(fact.value), ""
                    subject = history.subject(fact)
                    yield {
                        "round": quoted["round"],
                        "speaker": speaker,
                        "subject": subject,
                        "attribute": fact.attribute,
                        "value": text,
                        "type": kind if kind in {"number", "date"} else "text",
                        "unit": unit,
                        "statement": f"The {fact.attribute} of {subject} is {text} {unit}".strip(),
                    }


def task_of(asked: Asked) -> str:
    """The task of a request, by the first words of its instructions."""
    scores = {task: _alike(load_prompt(task).system, asked.system) for task in known_prompts()}
    best = max(sorted(scores), key=lambda task: scores[task])
    assert scores[best] > 0, asked.system[:200]
    return best


@cache
def _fixed(template: str) -> list[str]:
    return [piece.strip() for piece in _FILLED.split(template)]


def _alike(template: str, system: str) -> int:
    """How many characters of a template's fixed text some instructions hold, if nearly all."""
    pieces = _fixed(template)
    held = sum(len(piece) for piece in pieces if piece in system)
    return held if held > 0.7 * sum(len(piece) for piece in pieces) else 0


def _planned(event: TimelineEvent) -> dict[str, str]:
    return {
        "title": event.title,
        "query": event.query,
        "date": event.day,
        "keyword": event.keyword,
    }


def _as_it_was(asked: Asked) -> dict[str, str]:
    event = json.loads(asked.data()[2])
    return {key: event[key] for key in ("title", "query", "date", "keyword")}


def _condensed(asked: Asked) -> str:
    """An exchange in the words that its prompt allows: the beginning of what each side said."""
    sides = (asked.data()[0], asked.data()[-1])
    return " ".join(word for text in sides for word in text.split()[: _SUMMARY_WORDS // 2])


def _values(asked: Asked) -> Iterator[Any]:
    for text in asked.data():
        if text[:1] in {"{", "["}:
            try:
                yield json.loads(text)
            except json.JSONDecodeError:
                continue


def _objects(asked: Asked) -> Iterator[dict[str, Any]]:
    return (value for value in _values(asked) if isinstance(value, dict))


def _lists(asked: Asked) -> Iterator[dict[str, Any]]:
    for value in _values(asked):
        if isinstance(value, list):
            yield from (one for one in value if isinstance(one, dict))


def _marks(asked: Asked) -> Iterator[dict[str, str]]:
    """Every later value replaces the one before it."""
    for one in _lists(asked):
        values = one["values"]
        for before, value in pairwise(values):
            yield {"fact": value["fact"], "relation": "update", "of": before["fact"]}


def _items(asked: Asked, code: str) -> Iterator[dict[str, Any]]:
    """Questions from the facts of the window, each with the rounds that say it."""
    quoted = list(_lists(asked))
    rounds = [one for one in quoted if "round" in one]
    facts = [one for one in quoted if "property" in one]
    said = []
    for fact in facts:
        value = fact["statement"].rpartition(" is ")[2]
        places = [one["round"] for one in rounds if value in f"{one['user']} {one['assistant']}"]
        if places:
            said.append((fact, value, places[0]))
    empty: dict[str, Any] = {"steps": [], "options": [], "others": []}
    if code == "ss":
        for fact, value, place in said:
            text = f"What is {fact['property']}, as it was given in words?"
            yield {
                **empty,
                "question": text,
                "answers": [value],
                "evidence": [place],
                "fact": fact["fact"],
            }
    elif code == "ms" and len({place.partition(":")[0] for _, _, place in said}) > 1:
        first = said[0]
        other = next(one for one in said if one[2].partition(":")[0] != first[2].partition(":")[0])
        text = f"Name both: {first[0]['property']}, and {other[0]['property']}."
        yield {
            **empty,
            "question": text,
            "answers": [f"{first[1]} and {other[1]}"],
            "evidence": [first[2], other[2]],
            "fact": "",
        }
    elif code == "fm":
        shown = [(item, one) for one in rounds for item in one.get("shown", [])]
        for item, one in shown[:1]:
            yield {
                **empty,
                "question": f"Which image came with round talk of {len(shown)}?",
                "answers": [item["id"]],
                "evidence": [one["round"]],
                "fact": "",
            }
