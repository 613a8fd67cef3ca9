"""The same small content in the layout of every foreign format, for tests of its other forms."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.records.bundle import Bundle
from support.foreign_cases import QUESTIONS, SESSIONS, sample, scenario
from support.release_builder import MemoryBlobs
from support.written_layouts import write


@dataclass(frozen=True)
class Layout:
    """How one format writes a conversation with one question.

    Attributes:
        name: Of the format.
        raw: Makes a conversation of a gold and the date of its first session.
        file: Path of the file below the folder that is imported.
        gold: Finds the gold in what `raw` made.
        date: Finds the date of the first session; None where the layout has none.
    """

    name: str
    raw: Callable[[Any, Any], Any]
    file: str
    gold: Callable[[Any], Any]
    date: Callable[[Any], Any] | None = None

    def write(self, folder: Path, *raw: Any) -> Path:
        """Write conversations as the layout has them; gives the file."""
        path = folder / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = list(raw) if self.listed else raw[0]
        path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        return path

    @property
    def listed(self) -> bool:
        """Whether a file of the layout is a list of conversations."""
        return self.date is None or self.name in {"locomo", "m2a", "longmemeval"}

    def written_again(self, bundle: Bundle, folder: Path) -> Any:
        """The conversation that a bundle is exported as."""
        write(FORMATS[self.name], [bundle], MemoryBlobs(), folder)
        (path,) = [each for each in folder.rglob("*.json") if each.name != "question.json"]
        found = json.loads(path.read_text(encoding="utf-8"))
        return found[0] if self.listed else found


def _locomo(gold: Any, date: Any) -> Any:
    raw = sample()
    raw["conversation"]["session_1_date_time"] = date or "1:56 pm on 8 May, 2023"
    raw["qa"] = [{**raw["qa"][0], "answer": gold, "is_multi_modality": False}]
    return raw


def _m2a(gold: Any, date: Any) -> Any:
    return {
        "conversation": {
            "speaker_0": "Ann",
            "speaker_1": "Bo",
            "n_session": 1,
            "session_0_date_time": date or "1:56 pm on 8 May, 2023",
            "session_0": [
                {"speaker": 0, "dia_id": "S0:0", "images": [], "text": "Meet my cat."},
                {"speaker": 1, "dia_id": "S0:1", "images": [], "text": "What does he eat?"},
            ],
        },
        "qa": [
            {
                "question": {"text": "What is it?", "image": []},
                "answer": gold,
                "evidence": ["S0:0"],
                "category": 4,
                "is_multi_modality": False,
            }
        ],
    }


def _mmrc(gold: Any, date: Any) -> Any:  # noqa: ARG001
    return {
        "id": "boat-7",
        "category": "Travel",
        "model": "some-model",
        "turns": [{"user": "The mast is ash.", "assistant": "Noted."}],
        "questions": [
            {
                "ability": "IE",
                "format": "open",
                "question": "What is the mast made of?",
                "answer": gold,
                "evidence": [1],
                "is_multi_modality": False,
            }
        ],
    }


def _mem_gallery(gold: Any, date: Any) -> Any:
    raw = scenario()
    raw[SESSIONS][0]["date"] = date or "2024-06-17"
    raw[QUESTIONS] = [
        {**raw[QUESTIONS][1], "point": "FR", "answer": gold, "is_multi_modality": False}
    ]
    return raw


def longmemeval(gold: Any = "500 Mbps", date: Any = None) -> Any:
    """A question of LongMemEval with a history of three sessions, one of which has its answer."""
    return {
        "question_id": "q01",
        "question_type": "single-session-user",
        "question": "What speed is my internet plan?",
        "answer": gold,
        "question_date": "2023/06/30 (Fri) 21:56",
        "haystack_session_ids": ["f_1", "answer_a1", "f_2"],
        "haystack_dates": [
            date or "2023/05/20 (Sat) 02:21",
            "2023/06/24 (Sat) 03:21",
            "2023/06/30 (Fri) 04:36",
        ],
        "haystack_sessions": [
            [
                {"role": "user", "content": "Plan a soup for six."},
                {"role": "assistant", "content": "Leek soup."},
            ],
            [
                {
                    "role": "user",
                    "content": "I upgraded my internet plan to 500 Mbps.",
                    "has_answer": True,
                },
                {"role": "assistant", "content": "Good.", "has_answer": False},
                {"role": "user", "content": "Thanks.", "has_answer": False},
            ],
            [
                {"role": "user", "content": "My cat Luna sleeps a lot."},
                {"role": "assistant", "content": "Cats do."},
            ],
        ],
        "answer_session_ids": ["answer_a1"],
        "is_multi_modality": False,
    }


LAYOUTS = (
    Layout(
        "locomo",
        _locomo,
        "samples.json",
        lambda raw: raw["qa"][0]["answer"],
        lambda raw: raw["conversation"]["session_1_date_time"],
    ),
    Layout(
        "m2a",
        _m2a,
        "samples.json",
        lambda raw: raw["qa"][0]["answer"],
        lambda raw: raw["conversation"]["session_0_date_time"],
    ),
    Layout(
        "longmemeval",
        longmemeval,
        "questions.json",
        lambda raw: raw["answer"],
        lambda raw: raw["haystack_dates"][0],
    ),
    Layout("mmrc", _mmrc, "dialogues.json", lambda raw: raw["questions"][0]["answer"]),
    Layout(
        "mem-gallery",
        _mem_gallery,
        "dialog/Boat.json",
        lambda raw: raw[QUESTIONS][0]["answer"],
        lambda raw: raw[SESSIONS][0]["date"],
    ),
)
DATED = tuple(each for each in LAYOUTS if each.date is not None)
