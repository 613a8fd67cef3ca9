"""Certain defects of Mem-Gallery and LoCoMo files, counted without the package under test.

Every function takes a path (the folder of Mem-Gallery scenarios, or one LoCoMo file) and returns
the sorted places that hold one kind of defect. A place is a conversation (file stem or
``sample_id``) with a 0-based question index, a dialogue id, or a session key. Only the standard
library is used, so that agreement with the rules of the package is evidence and not an echo.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Place = tuple[str, int]
NamedPlace = tuple[str, str]

IMAGE_ID = re.compile(r"D[1-9][0-9]*:IMG_[0-9]{3}")
TURN_ID = re.compile(r"D[1-9][0-9]*:[1-9][0-9]*")
LOOSE_TURN_ID = re.compile(r"D[0-9]+:[0-9]+")
YES_NO = {"yes", "no"}


def normalised(text: str) -> str:
    """Lower-cased words joined by one space; punctuation and quotation marks are dropped."""
    return " ".join(re.findall(r"[^\W_]+", text.replace("\u2019", "'").lower()))


def order_key(identifier: str) -> tuple[int, ...]:
    """Narrative position of ``D3:7``: its numbers, compared as numbers."""
    return tuple(int(number) for number in re.findall(r"[0-9]+", identifier))


def scenarios(folder: Path) -> Iterator[tuple[str, Record]]:
    """Mem-Gallery scenarios by file name; result files beside them are not scenarios."""
    for path in sorted(folder.glob("*.json")):
        if "_results_" not in path.name and "_evaluate_result_" not in path.name:
            yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def scenario_rounds(scenario: Record) -> list[Record]:
    """All rounds of a scenario in narrative order."""
    return [each for part in scenario["multi_session_dialogues"] for each in part["dialogues"]]


def scenario_questions(folder: Path) -> Iterator[tuple[Place, Record, Record]]:
    """Every Mem-Gallery question as (place, question, its scenario)."""
    for name, scenario in scenarios(folder):
        for index, question in enumerate(scenario["human-annotated QAs"]):
            yield (name, index), question, scenario


def image_rounds(scenario: Record) -> dict[str, str]:
    """Round of each dialogue image id."""
    return {
        image: each["round"]
        for each in scenario_rounds(scenario)
        for image in each.get("image_id", [])
    }


def answer_images(question: Record) -> list[str]:
    """Image ids that an answer names, in its order, even where it is no clean list."""
    return IMAGE_ID.findall(question["answer"])


def vs_answers_not_id_lists(folder: Path) -> list[Place]:
    """VS answers that are anything but ids joined by a comma and a space."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if question["point"] == "VS"
        and question["answer"] != (", ".join(answer_images(question)) or None)
    ]


def vs_images_missing(folder: Path) -> list[Place]:
    """VS answers naming an image id that no round of the scenario carries."""
    return [
        place
        for place, question, scenario in scenario_questions(folder)
        if question["point"] == "VS"
        and any(image not in image_rounds(scenario) for image in answer_images(question))
    ]


def vs_clues_differ(folder: Path) -> list[Place]:
    """VS items whose clues are not, as a set, the rounds of the answer's images."""
    found = []
    for place, question, scenario in scenario_questions(folder):
        rounds = image_rounds(scenario)
        shown = {rounds[image] for image in answer_images(question) if image in rounds}
        if question["point"] == "VS" and shown != set(question["clue"]):
            found.append(place)
    return found


def vs_clues_differ_for_real_images(folder: Path) -> list[Place]:
    """The part of ``vs_clues_differ`` whose answer is an id list of images that exist."""
    other = {*vs_answers_not_id_lists(folder), *vs_images_missing(folder)}
    return [place for place in vs_clues_differ(folder) if place not in other]


def clues_unresolved(folder: Path) -> list[Place]:
    """Items with a clue that is no round of the scenario."""
    return [
        place
        for place, question, scenario in scenario_questions(folder)
        if not {each["round"] for each in scenario_rounds(scenario)} >= set(question["clue"])
    ]


def clues_empty(folder: Path) -> list[Place]:
    """Items other than AR without any clue."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if question["point"] != "AR" and not question["clue"]
    ]


def refusals_with_clues(folder: Path) -> list[Place]:
    """AR items that cite rounds."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if question["point"] == "AR" and question["clue"]
    ]


def clues_repeated(folder: Path) -> list[Place]:
    """Items that cite one round twice."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if len(set(question["clue"])) < len(question["clue"])
    ]


def clues_unsorted(folder: Path) -> list[Place]:
    """Items whose clues are not in narrative order."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if sorted(question["clue"], key=order_key) != question["clue"]
    ]


def clue_sessions_differ(folder: Path) -> list[Place]:
    """Items with clues whose ``session_id`` is not, as a set, the sessions of the clues."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if question["clue"]
        and {clue.split(":")[0] for clue in question["clue"]} != set(question["session_id"])
    ]


def scenario_answers_missing(folder: Path) -> list[Place]:
    """Mem-Gallery items whose answer is absent, not a string, or blank."""
    return [
        place
        for place, question, _ in scenario_questions(folder)
        if not isinstance(question.get("answer"), str) or not question["answer"].strip()
    ]


def scenario_duplicates(folder: Path) -> list[Place]:
    """Later items that repeat the question and the question image of an earlier one."""
    return _repeats(
        (place, (normalised(question["question"]), question.get("question_image", "")))
        for place, question, _ in scenario_questions(folder)
    )


def conversations(path: Path) -> list[Record]:
    """LoCoMo samples in file order."""
    loaded: list[Record] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def session_keys(sample: Record) -> list[str]:
    """Keys of the sessions that exist, by number."""
    keys = [key for key in sample["conversation"] if re.fullmatch(r"session_[0-9]+", key)]
    return sorted(keys, key=order_key)


def conversation_turns(sample: Record) -> list[Record]:
    """All turns of a sample in narrative order."""
    return [turn for key in session_keys(sample) for turn in sample["conversation"][key]]


def conversation_questions(path: Path) -> Iterator[tuple[Place, Record, set[str]]]:
    """Every LoCoMo question as (place, question, the dialogue ids of its conversation)."""
    for sample in conversations(path):
        known = {turn["dia_id"] for turn in conversation_turns(sample)}
        for index, question in enumerate(sample["qa"]):
            yield (sample["sample_id"], index), question, known


def _with_evidence(path: Path, wrong: Callable[[str, set[str]], bool]) -> list[Place]:
    """Places of the items that cite at least one string for which ``wrong`` holds."""
    return [
        place
        for place, question, known in conversation_questions(path)
        if any(wrong(cited, known) for cited in question["evidence"])
    ]


def evidence_joined(path: Path) -> list[Place]:
    """Items where one evidence string holds two ids or more."""
    return _with_evidence(path, lambda cited, _: len(LOOSE_TURN_ID.findall(cited)) > 1)


def evidence_padded(path: Path) -> list[Place]:
    """Items with one id written with leading zeros."""
    return _with_evidence(
        path,
        lambda cited, _: bool(LOOSE_TURN_ID.fullmatch(cited)) and not TURN_ID.fullmatch(cited),
    )


def evidence_garbage(path: Path) -> list[Place]:
    """Items with a string that holds no id at all."""
    return _with_evidence(path, lambda cited, _: not LOOSE_TURN_ID.findall(cited))


def evidence_turn_missing(path: Path) -> list[Place]:
    """Items with a well-formed id that no turn has."""
    return _with_evidence(
        path, lambda cited, known: bool(TURN_ID.fullmatch(cited)) and cited not in known
    )


def evidence_unresolved(path: Path) -> list[Place]:
    """Items with an evidence string that is not exactly the id of a turn; union of the above."""
    return _with_evidence(path, lambda cited, known: cited not in known)


def evidence_empty(path: Path) -> list[Place]:
    """Items that cite nothing."""
    return [place for place, item, _ in conversation_questions(path) if not item["evidence"]]


def evidence_repeated(path: Path) -> list[Place]:
    """Items that cite one turn twice."""
    return [
        place
        for place, question, _ in conversation_questions(path)
        if len(set(question["evidence"])) < len(question["evidence"])
    ]


def evidence_unsorted(path: Path) -> list[Place]:
    """Items whose evidence, every string a known turn, is not in narrative order."""
    return [
        place
        for place, question, known in conversation_questions(path)
        if known >= set(question["evidence"])
        and sorted(question["evidence"], key=order_key) != question["evidence"]
    ]


def evidence_sorted_as_strings(path: Path) -> list[Place]:
    """The part of ``evidence_unsorted`` that is in the order of strings (D10 before D2)."""
    unsorted = set(evidence_unsorted(path))
    return [
        place
        for place, question, _ in conversation_questions(path)
        if place in unsorted and sorted(question["evidence"]) == question["evidence"]
    ]


def answers_missing(path: Path) -> list[Place]:
    """Items without an ``answer`` key, or with a blank one (category 5 included)."""
    return [
        place
        for place, question, _ in conversation_questions(path)
        if str(question.get("answer", "")).strip() == ""
    ]


def answers_not_text(path: Path) -> list[Place]:
    """Items whose ``answer`` is there and is no string."""
    return [
        place
        for place, question, _ in conversation_questions(path)
        if "answer" in question and not isinstance(question["answer"], str)
    ]


def refusals_answered(path: Path) -> list[Place]:
    """Category 5 items that do carry an ``answer``."""
    return [
        place
        for place, question, _ in conversation_questions(path)
        if question["category"] == 5 and "answer" in question
    ]


def conversation_duplicates(path: Path) -> list[Place]:
    """Later items that repeat the normalised question of an earlier one."""
    return _repeats(
        (place, normalised(question["question"]))
        for place, question, _ in conversation_questions(path)
    )


def _repeats(keyed: Iterator[tuple[Place, object]]) -> list[Place]:
    """Places whose key was seen before in the same conversation."""
    seen: dict[str, set[object]] = defaultdict(set)
    found = []
    for place, key in keyed:
        if key in seen[place[0]]:
            found.append(place)
        seen[place[0]].add(key)
    return found


def dates_without_session(path: Path) -> list[NamedPlace]:
    """``session_N_date_time`` keys of sessions that are not there."""
    return [
        (sample["sample_id"], key)
        for sample in conversations(path)
        for key in sorted(sample["conversation"], key=order_key)
        if key.endswith("_date_time") and key.removesuffix("_date_time") not in session_keys(sample)
    ]


def captions_without_url(path: Path) -> list[NamedPlace]:
    """Turns with a ``blip_caption`` and no ``img_url``."""
    return [
        (sample["sample_id"], turn["dia_id"])
        for sample in conversations(path)
        for turn in conversation_turns(sample)
        if "blip_caption" in turn and not turn.get("img_url")
    ]


def inline_images(path: Path) -> list[NamedPlace]:
    """Turns whose image is an inline ``data:`` URI."""
    return [
        (sample["sample_id"], turn["dia_id"])
        for sample in conversations(path)
        for turn in conversation_turns(sample)
        if any(url.startswith("data:") for url in turn.get("img_url", []))
    ]


MEM_GALLERY: dict[str, Callable[[Path], list[Place]]] = {
    function.__name__: function
    for function in (
        vs_answers_not_id_lists,
        vs_images_missing,
        vs_clues_differ,
        vs_clues_differ_for_real_images,
        clues_unresolved,
        clues_empty,
        refusals_with_clues,
        clues_repeated,
        clues_unsorted,
        clue_sessions_differ,
        scenario_answers_missing,
        scenario_duplicates,
    )
}
LOCOMO: dict[str, Callable[[Path], list[Place]]] = {
    function.__name__: function
    for function in (
        evidence_joined,
        evidence_padded,
        evidence_garbage,
        evidence_turn_missing,
        evidence_unresolved,
        evidence_empty,
        evidence_repeated,
        evidence_unsorted,
        evidence_sorted_as_strings,
        answers_missing,
        answers_not_text,
        refusals_answered,
        conversation_duplicates,
    )
}
LOCOMO_TURNS: dict[str, Callable[[Path], list[NamedPlace]]] = {
    function.__name__: function
    for function in (dates_without_session, captions_without_url, inline_images)
}
