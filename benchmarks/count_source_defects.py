"""Count the defects of published Mem-Gallery and LoCoMo files without using the package.

Run ``python benchmarks/count_source_defects.py DATA`` where DATA holds ``mem-gallery/dialog`` and
``locomo/*.json``; one JSON document goes to standard output. ``counts`` are the sizes of the
sets, ``certain`` the defects a machine can be sure of, ``candidates`` the kinds a person has to
look at. Every list is sorted, nothing depends on the clock or on the order of a directory.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import source_candidates as look
from source_items import REFERENCE, Record, gallery_items, locomo_items


def gallery_counts(folder: Path) -> Record:
    """Sizes of each scenario, counted the way the paper's Tables 5 and 6 count them."""
    counted = {}
    for name, scenario in REFERENCE["scenarios"](folder):
        rounds = REFERENCE["scenario_rounds"](scenario)
        questions = scenario["human-annotated QAs"]
        answers = Counter(REFERENCE["normalised"](each["answer"]) for each in questions)
        counted[name] = {
            "sessions": len(scenario["multi_session_dialogues"]),
            "rounds": len(rounds),
            "dialogue_images": sum(len(each.get("input_image", [])) for each in rounds),
            "questions": len(questions),
            "question_images": sum("question_image" in each for each in questions),
            "questions_by_type": dict(sorted(Counter(q["point"] for q in questions).items())),
            "yes": answers["yes"],
            "no": answers["no"],
        }
    return {"scenarios": counted, "total": added(counted)}


def locomo_counts(path: Path) -> Record:
    """Sizes of each conversation."""
    counted = {}
    for sample in REFERENCE["conversations"](path):
        turns = REFERENCE["conversation_turns"](sample)
        counted[sample["sample_id"]] = {
            "sessions": len(REFERENCE["session_keys"](sample)),
            "turns": len(turns),
            "image_turns": sum(bool(turn.get("img_url")) for turn in turns),
            "captions": sum("blip_caption" in turn for turn in turns),
            "captions_without_url": sum(
                "blip_caption" in turn and not turn.get("img_url") for turn in turns
            ),
            "urls": sum(len(turn.get("img_url", [])) for turn in turns),
            "questions": len(sample["qa"]),
            "questions_by_type": dict(
                sorted(Counter(str(each["category"]) for each in sample["qa"]).items())
            ),
        }
    return {"conversations": counted, "total": added(counted)}


def added(counted: dict[str, Record]) -> Record:
    """Column sums of a table of counts."""
    total: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for row in counted.values():
        total.update({key: value for key, value in row.items() if isinstance(value, int)})
        kinds.update(row["questions_by_type"])
    return {**total, "questions_by_type": dict(sorted(kinds.items()))}


def certain(folder: Path, path: Path) -> Record:
    """Places of every crisp defect, by the functions that the tests use as well."""
    gallery = {name: rule(folder) for name, rule in REFERENCE["MEM_GALLERY"].items()}
    locomo = {name: rule(path) for name, rule in REFERENCE["LOCOMO"].items()}
    turns = {name: rule(path) for name, rule in REFERENCE["LOCOMO_TURNS"].items()}
    return {
        "mem_gallery": {**gallery, "images_missing": missing_images(folder)},
        "locomo": {**locomo, **turns},
        "totals": {name: len(found) for name, found in {**gallery, **locomo, **turns}.items()},
    }


def missing_images(folder: Path) -> Record:
    """Images that the files name and the disk does not hold, per scenario."""
    counted = {}
    for name, scenario in REFERENCE["scenarios"](folder):
        rounds, questions = REFERENCE["scenario_rounds"](scenario), scenario["human-annotated QAs"]
        named = [path for each in rounds for path in each.get("input_image", [])]
        asked = [each["question_image"] for each in questions if "question_image" in each]
        counted[name] = {
            "dialogue": sum(not (folder / each).is_file() for each in named),
            "question": sum(not (folder / each).is_file() for each in asked),
            "question_images_used_twice": len(asked) - len(set(asked)),
        }
    return counted


def report(data: Path) -> Record:
    """The whole document for a data folder."""
    folder, path = data / "mem-gallery" / "dialog", sorted((data / "locomo").glob("*.json"))[0]
    gallery, locomo = list(gallery_items(folder)), list(locomo_items(path))
    both = gallery + locomo
    return {
        "counts": {"mem_gallery": gallery_counts(folder), "locomo": locomo_counts(path)},
        "certain": certain(folder, path),
        "shares": {
            "mem_gallery": look.answer_shares(gallery),
            "locomo": look.answer_shares(locomo),
        },
        "readable": {"mem_gallery": look.readable(gallery), "locomo": look.readable(locomo)},
        "candidates": {
            "near_duplicates": look.near_duplicates(both),
            "wrong_speakers": look.wrong_speakers(path),
            "off_by_one_citations": look.off_by_one(locomo),
            "date_coverage": look.date_coverage(both),
            "dates": look.date_candidates(both),
            "undated_days": look.undated_days(both),
            "durations": look.duration_candidates(both),
            "hidden_query_only": look.hidden_only(locomo),
            "golds_in_questions": look.golds_in_questions(both),
            "repeated_utterances": look.repeated_texts(folder, path),
        },
    }


def main(arguments: list[str]) -> int:
    """Print the document for the folder given as the only argument."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write("usage: count_source_defects.py DATA (mem-gallery/dialog, locomo)\n")
        return 2
    sys.stdout.write(json.dumps(report(Path(arguments[0])), indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
