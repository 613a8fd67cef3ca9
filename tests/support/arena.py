"""A WorldMemArena sample as its files have it, and the ways to change it."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from memassay.schemas.contracts.protocols import Imported
from support.foreign_cases import import_all
from support.release_builder import MemoryBlobs, png

Raw = dict[str, Any]
Change = Callable[[Raw], Any]
FOLDER = "lifelong/project/software"
SCREEN = "the chart screen"
_PLACES = ((0, 0), (1, 0), (1, 1), (1, 2), (2, 0))


def point(name: str, text: str, source: str = "primary", *old: str, **more: Any) -> Raw:
    """A memory point; with an old wording it is an update."""
    update = {"update_type": "revise"} if old else {}
    return {
        "memory_id": name,
        "memory_content": text,
        "memory_type": "project_fact",
        "memory_source": source,
        "is_update": bool(old),
        "original_memories": list(old),
        "importance": 0.5,
        **update,
        **more,
    }


def turn(role: str, text: str, day: int, *images: Raw) -> Raw:
    """A turn of a day in March 2025."""
    shown = {"attachments": list(images)} if images else {}
    return {"role": role, "content": text, "timestamp": f"2025-03-{day:02d}T09:00", **shown}


def image(name: str, caption: str, number: int) -> Raw:
    """An image of the sample's folder."""
    path = f"images/tide/{number}.png"
    return {"caption": caption, "type": "image_caption", "image_id": name, "file_path": path}


def ask(code: str, name: str, text: str, answer: str, *evidence: str) -> Raw:
    """A question; evidence with `img` in its id is an image."""
    key = {True: "image_id", False: "memory_id"}
    return {
        "question": text,
        "answer": answer,
        "evidence": [{key["img" in each]: each} for each in evidence],
        "question_type": name,
        "question_type_abbrev": code,
        "difficulty": "easy" if len(evidence) < 2 else "medium",
    }


_OWNER = "The chart screen belongs to Ines."
_SAMPLE: Raw = {
    "sample_id": "tide",
    "sessions": [
        {
            "_v2_session_id": "S00",
            "event_type": "profile",
            "dialogue": [
                turn("user", "I am Ravi. The budget is 40,000 euros.", 3),
                turn("assistant", "Noted.", 3),
            ],
            "memory_points": [point("mp_S00_01", "Ravi's project has 40000 EUR to spend.")],
        },
        {
            "_v2_session_id": "S01",
            "arc_role": "main",
            "primary_storyline": True,
            "event_type": "design",
            "dialogue": [
                turn(
                    "user",
                    "Ines is the owner of the chart screen. Here is its board.",
                    10,
                    image("S01_img_01", "A board for the chart screen: effort 12 days", 1),
                ),
                turn("assistant", "Good to know.", 10),
                turn("user", "Tom jokes that the chart screen is due on 4 May.", 10),
                turn("assistant", "I leave that out.", 10),
            ],
        },
        {
            "_v2_session_id": "S02",
            "arc_role": "side",
            "primary_storyline": False,
            "dialogue": [
                turn("user", "From now on Omar owns the chart screen.", 17),
                turn("assistant", "Omar, then.", 17),
            ],
        },
    ],
    "memory_points": [
        {
            "session_id": "S01",
            "memory_points": [
                point("mp_S01_01", _OWNER),
                point("mp_S01_02", "The chart screen takes 12 days of work.", "system"),
                point("mp_S01_03", "The chart screen is to be done by 4 May.", "interference"),
            ],
        },
        {
            "session_id": "S02",
            "memory_points": [
                point("mp_S02_01", "Omar has the chart screen now.", "primary", _OWNER)
            ],
        },
    ],
    "qa_checkpoints": [
        {
            "checkpoint_id": "cp1",
            "covered_sessions": ["S00", "S01"],
            "questions": [
                ask("FR", "Fact Recall", "Who owns the chart screen?", "Ines", "mp_S01_01"),
                ask("VFR", "Visual Fact Recall", "Which effort?", "12 days", "S01_img_01"),
                ask(
                    "MB",
                    "Memory Boundary",
                    "When is the chart screen due?",
                    "Not mentioned in memory.",
                ),
            ],
        },
        {
            "checkpoint_id": "cp2",
            "covered_sessions": ["S00", "S01", "S02"],
            "questions": [
                ask(
                    "DU",
                    "Dynamic Update",
                    "Who owns the chart screen now?",
                    "Omar",
                    "mp_S02_01",
                ),
                ask(
                    "CMR",
                    "Cross-Modal Reasoning",
                    "What does a day of the chart screen cost?",
                    "3333 euros",
                    "mp_S00_01",
                    "S01_img_01",
                ),
            ],
        },
    ],
}


def arena_sample(change: Change | None = None) -> Raw:
    """A sound sample, yours to change, or changed."""
    raw = deepcopy(_SAMPLE)
    if change is not None:
        change(raw)
    return raw


def points_of(raw: Raw, session: int) -> list[Any]:
    """The points of a session."""
    found: list[Any] = (
        raw["sessions"][0]["memory_points"]
        if session == 0
        else raw["memory_points"][session - 1]["memory_points"]
    )
    return found


def write_sample(root: Path, raw: Any, place: str = f"{FOLDER}/tide.json") -> Path:
    """Write a sample and its image below a root; gives the file."""
    file = root / place
    (file.parent / "images" / "tide").mkdir(parents=True, exist_ok=True)
    (file.parent / "images" / "tide" / "1.png").write_bytes(png("red"))
    file.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    return file


def import_sample(root: Path, raw: Any, blobs: MemoryBlobs | None = None) -> Imported:
    """A sample, written and imported with its root."""
    write_sample(root, raw)
    return import_all("worldmemarena", root, blobs)[0]


def states(subject: str, attribute: str, text: str, unit: str = "", kind: str = "text") -> Any:
    """What a point states beside its sentence."""
    value = {"type": kind, "text": text, **({"unit": unit} if unit else {})}
    return {"subject": subject, "attribute": attribute, "value": value}


def say(session: int, at: int, text: str) -> Change:
    """Change the words of a turn."""
    return lambda raw: raw["sessions"][session]["dialogue"][at].update(content=text)


def told_sample(change: Change | None = None) -> Any:
    """The sample of tests whose points say what they state and where."""
    raw = arena_sample()
    raw["user"] = "Ravi"
    budget, owner, effort, due, heir = (points_of(raw, at)[n] for at, n in _PLACES)
    budget["memory_content"] = "Ravi's project has 40,000 euros to spend."
    budget |= {"fact": states("Ravi", "budget", "40000", "euros", "number"), "seen": [{"turn": 0}]}
    owner |= {"fact": states(SCREEN, "owner", "Ines"), "seen": [{"turn": 0}]}
    effort["fact"] = states(SCREEN, "effort", "12", "days", "number")
    effort["seen"] = [{"image_id": "S01_img_01"}]
    due |= {"fact": states(SCREEN, "due date", "2025-05-04", kind="date"), "seen": [{"turn": 2}]}
    due["memory_content"] = "The chart screen is to be done by 4 May 2025."
    heir |= {"fact": states(SCREEN, "owner", "Omar"), "seen": [{"turn": 0}]}
    say(1, 2, "The joke was that the due date of the chart screen is 4 May 2025.")(raw)
    if change is not None:
        change(raw)
    return raw


def change_question(checkpoint: int, at: int, **fields: Any) -> Change:
    """Change a question."""
    return lambda raw: raw["qa_checkpoints"][checkpoint]["questions"][at].update(fields)


def shorten_id(raw: Any) -> None:
    """Give a point an id that is part of another."""
    points_of(raw, 1)[0]["memory_id"] = "mp_S01_0"
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S01_0"}]


def change_image(**fields: Any) -> Change:
    """Change the image."""
    return lambda raw: raw["sessions"][1]["dialogue"][0]["attachments"][0].update(fields)


def move_s00_points(raw: Any) -> None:
    """Put the points of S00 at the top, where upstream does not look."""
    points = raw["sessions"][0].pop("memory_points")
    raw["memory_points"].insert(0, {"session_id": "S00", "memory_points": points})
