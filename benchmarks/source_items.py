"""Questions of the published files with the turns they cite, read without the package."""

import re
import runpy
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from date_candidates import gold_span

COUNTS = Path(__file__).resolve().parent.parent / "tests" / "support" / "reference_counts.py"
REFERENCE: dict[str, Any] = runpy.run_path(str(COUNTS))
Record = dict[str, Any]
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by did do does for from had has have he her his how in is "
        "it its of on or she that the their they this to was were what when where which who why "
        "will with",
    )
)


class Item:
    """One question of either set and its cited turns ({id, speaker, text, ids, hidden, day})."""

    def __init__(
        self, place: tuple[str, int], kind: str, source: Record, cited: list[Record]
    ) -> None:
        self.place, self.kind, self.cited = place, kind, cited
        self.question: str = source["question"]
        gold = source.get("answer", source.get("adversarial_answer", ""))
        self.answer = str(gold)
        self.image: str = source.get("question_image", "")
        self.evidence: list[str] = source["clue"] if "clue" in source else source["evidence"]

    def row(self, **more: object) -> Record:
        """The item as a line of the report."""
        return {"conversation": self.place[0], "index": self.place[1], "type": self.kind, **more}


def share(gold: str, text: str) -> float:
    """Part of the gold's content words that a text holds, 0 to 1."""
    wanted, seen = words(gold), set(words(text))
    return sum(word in seen for word in wanted) / max(1, len(wanted))


def words(text: str) -> list[str]:
    """Content words, lower case."""
    return [word for word in REFERENCE["normalised"](text).split() if word not in STOP_WORDS]


def session_day(stamp: str) -> date:
    """Day of ``1:56 pm on 8 May, 2023``."""
    found = gold_span(stamp.split(" on ")[1], date(2000, 1, 1))
    if found is None:
        raise ValueError(f"expected '1:56 pm on 8 May, 2023', got {stamp!r}")
    return found[0].first


def gallery_items(folder: Path) -> Iterator[Item]:
    """Mem-Gallery questions; a cited round is one turn spoken by both sides."""
    for name, scenario in REFERENCE["scenarios"](folder):
        turns = {
            each["round"]: {
                "id": each["round"],
                "speaker": "",
                "text": " ".join([each["user"], each["assistant"], *each.get("image_caption", [])]),
                "ids": " ".join(each.get("image_id", [])),
                "hidden": "",
                "day": date.fromisoformat(part["date"]),
            }
            for part in scenario["multi_session_dialogues"]
            for each in part["dialogues"]
        }
        for index, source in enumerate(scenario["human-annotated QAs"]):
            cited = [turns[clue] for clue in source["clue"] if clue in turns]
            yield Item((name, index), source["point"], source, cited)


def locomo_turns(sample: Record) -> dict[str, Record]:
    """Turns of a LoCoMo sample by id, each with the text of the turns around it."""
    turns: dict[str, Record] = {}
    for key in REFERENCE["session_keys"](sample):
        day = session_day(sample["conversation"][f"{key}_date_time"])
        spoken = sample["conversation"][key]
        texts = [f"{turn['text']} {turn.get('blip_caption', '')}" for turn in spoken]
        for position, turn in enumerate(spoken):
            turns[turn["dia_id"]] = {
                "id": turn["dia_id"],
                "speaker": turn["speaker"],
                "text": texts[position],
                "around": [*texts[max(0, position - 1) : position], *texts[position + 1 :][:1]],
                "ids": "",
                "hidden": turn.get("query", ""),
                "day": day,
            }
    return turns


def locomo_items(path: Path) -> Iterator[Item]:
    """LoCoMo questions; joined and padded evidence is repaired here, so that it can be read."""
    for sample in REFERENCE["conversations"](path):
        turns = locomo_turns(sample)
        for index, source in enumerate(sample["qa"]):
            pairs = re.findall(r"D0*(\d+):0*(\d+)", " ".join(source["evidence"]))
            cited = [turns[f"D{s}:{t}"] for s, t in pairs if f"D{s}:{t}" in turns]
            yield Item((sample["sample_id"], index), str(source["category"]), source, cited)


def yes_no(item: Item) -> str:
    """``yes`` or ``no`` when the whole gold is that word, else empty."""
    word: str = REFERENCE["normalised"](item.answer)
    return word if word in REFERENCE["YES_NO"] else ""
