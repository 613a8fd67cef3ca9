"""Small foreign files and the ways to break them, for tests of importers and exporters."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.hashing import canonical_json
from memassay.schemas.json_schemas import schema_errors
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from support.release_builder import MemoryBlobs
from support.written_layouts import write

LICENCE = "CC0-1.0"
QUESTIONS = "human-annotated QAs"
SESSIONS = "multi_session_dialogues"

_SCENARIO: dict[str, Any] = {
    "character_profile": {
        "name": "Ida Lund",
        "persona_summary": "A boat builder.",
        "traits": ["patient", "exact"],
        "conversation_style": "Short sentences.",
    },
    SESSIONS: [
        {
            "session_id": "D1",
            "date": "2024-06-17",
            "dialogues": [
                {
                    "round": "D1:1",
                    "user": "This is the hull.",
                    "assistant": "A fine hull.",
                    "input_image": ["../image/Boat/D1_IMG_001.png"],
                    "image_id": ["D1:IMG_001"],
                    "image_caption": ["A red hull"],
                },
                {"round": "D1:2", "user": "The mast is ash.", "assistant": "Noted."},
            ],
        },
        {
            "session_id": "D2",
            "date": "2024-07-01",
            "dialogues": [
                {"round": "D2:1", "user": "The mast is spruce now.", "assistant": "Changed."}
            ],
        },
    ],
    QUESTIONS: [
        {
            "point": "VS",
            "question": "Which image shows the hull?",
            "answer": "D1:IMG_001",
            "session_id": ["D1"],
            "clue": ["D1:1"],
        },
        {
            "point": "AR",
            "question": "What did the sails cost?",
            "answer": "Not mentioned.",
            "session_id": ["D1"],
            "clue": [],
        },
        {
            "point": "KR",
            "question": "What is the mast made of?",
            "answer": "Spruce",
            "session_id": ["D1", "D2"],
            "clue": ["D1:2", "D2:1"],
            "question_image": "../image/Boat/QA_IMG_001.png",
            "image_caption": "A mast",
        },
        {
            "point": "CD",
            "question": "The mast is oak.",
            "answer": "Yes.",
            "session_id": ["D2"],
            "clue": ["D2:1"],
        },
        {
            "point": "TR",
            "question": "When did the mast change?",
            "answer": "2024-07-01",
            "session_id": ["D2"],
            "clue": ["D2:1"],
        },
    ],
}

_SAMPLE: dict[str, Any] = {
    "sample_id": "conv-7",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {
                "speaker": "Ann",
                "dia_id": "D1:1",
                "text": "Look at my kite!",
                "img_url": ["https://example.org/kite.jpg"],
                "blip_caption": "a photo of a kite",
                "query": "blue kite",
                "re-download": True,
            },
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice. I sold mine in 2022."},
        ],
        "session_2_date_time": "9:05 am on 12 May, 2023",
        "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "It flew away."}],
    },
    "event_summary": {"events_session_1": {"Ann": ["shows a kite"], "date": "8 May, 2023"}},
    "observation": {"session_1_observation": {"Ann": [["Ann has a kite", "D1:1"]]}},
    "session_summary": {"session_1_summary": "Ann shows a kite."},
    "qa": [
        {"question": "What did Ann lose?", "answer": "a kite", "evidence": ["D2:1"], "category": 4},
        {"question": "When did Bo sell?", "answer": 2022, "evidence": ["D1:2"], "category": 2},
        {
            "question": "What did Bo lose?",
            "evidence": ["D2:1"],
            "category": 5,
            "adversarial_answer": "a kite",
        },
    ],
}


def scenario() -> dict[str, Any]:
    """A Mem-Gallery scenario without defects; yours to change."""
    return deepcopy(_SCENARIO)


def sample() -> dict[str, Any]:
    """A LoCoMo sample as the published ones are; yours to change."""
    return deepcopy(_SAMPLE)


def write_scenario(folder: Path, raw: Any, name: str = "Boat") -> Path:
    """Write a scenario where Mem-Gallery has it; gives its path."""
    path = folder / "dialog" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    return path


def write_samples(folder: Path, *raw: Any) -> Path:
    """Write samples as a LoCoMo file; gives its path."""
    path = folder / "samples.json"
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    return path


def import_all(name: str, path: Path, blobs: MemoryBlobs | None = None) -> list[Imported]:
    """Everything a path holds, in the order of sources; every record fits its JSON Schema."""
    foreign, store = FORMATS[name], blobs if blobs is not None else MemoryBlobs()
    found = [foreign.read(source, store, LICENCE) for source in foreign.sources(path)]
    known = {rule.id for rule in foreign.rules}
    for each in found:
        assert {finding.rule for finding in each.findings} <= known
        records = each.bundle.records() if each.bundle else []
        for record in (*records, *each.findings, *each.held_out):
            assert schema_errors(kind_of(record), json.loads(canonical_json(record))) == []
    return found


def import_scenario(folder: Path, raw: Any, blobs: MemoryBlobs | None = None) -> Imported:
    """One scenario, written and imported."""
    return import_all("mem-gallery", write_scenario(folder, raw), blobs)[0]


def import_sample(folder: Path, raw: Any) -> Imported:
    """One sample, written and imported."""
    return import_all("locomo", write_samples(folder, raw))[0]


def bundle_of(imported: Imported) -> Bundle:
    """The bundle that an import must have given."""
    assert imported.bundle is not None
    return imported.bundle


def rules(imported: Imported, *, infos: bool = False) -> list[str]:
    """Ids of the rules broken, each as often as it is; infos only on demand."""
    return sorted(
        finding.rule for finding in imported.findings if infos or finding.severity.value != "info"
    )


def only(imported: Imported, rule: str) -> Finding:
    """The one finding of a rule."""
    found = [finding for finding in imported.findings if finding.rule == rule]
    assert len(found) == 1, [finding.message for finding in imported.findings]
    return found[0]


def export_scenario(bundle: Bundle, folder: Path, blobs: MemoryBlobs | None = None) -> Any:
    """A bundle written as Mem-Gallery and read as JSON."""
    store = blobs if blobs is not None else MemoryBlobs()
    write(FORMATS["mem-gallery"], [bundle], store, folder)
    (path,) = (folder / "dialog").glob("*.json")
    return json.loads(path.read_text(encoding="utf-8"))


def export_samples(bundles: list[Bundle], folder: Path) -> Any:
    """Bundles written as LoCoMo and read as JSON."""
    write(FORMATS["locomo"], bundles, MemoryBlobs(), folder)
    return json.loads((folder / "locomo.json").read_text(encoding="utf-8"))


def alike(left: Any, right: Any) -> bool:
    """Whether two JSON values are one, order of keys aside; 1 is not 1.0 and not true."""
    return canonical_json(left) == canonical_json(right)
