"""Rows of a release's tables from documents, and the canonical text that hashes are taken of."""

import hashlib
import json
from typing import Any

Document = dict[str, Any]


def canonical(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no white space."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(data: bytes | str) -> str:
    """SHA-256 of bytes, or of a text as UTF-8."""
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()


def row_columns(row: Document, kind: str, document: Document) -> Document:
    """Put the values of a document into the columns of its row."""
    record = dict(document)
    if kind == "asset":
        row["private_transcription"] = record.pop("transcription")
    for name in row.keys() & record.keys():
        if name not in ("question", "attachments", "speakers", "sessions"):
            row[name] = record[name]
    if kind == "question":
        row |= _question_columns(record)
        if "wording_json" in row:
            row["wording_json"] = canonical(record["wording"]) if record.get("wording") else None
    if kind == "conversation":
        row["sessions"] = [_session(one) for one in record["sessions"]]
    if kind == "fact":
        row |= {f"value_{name}": record["value"].get(name) for name in ("type", "text", "unit")}
    row["id"], row["record_json"] = record["id"], canonical(record)
    if "conversation" in row:
        row["conversation"] = record["id"].partition("/")[0]
    row["extras_json"] = canonical(record.get("extras", {}))
    return row


def _question_columns(record: Document) -> Document:
    answer, evidence = record["answer"], record["evidence"]
    listed = ("equivalents", "coarser", "competitors", "traps", "options")
    return {
        "question": record["question"]["text"],
        "attachments": record["question"].get("attachments", []),
        "answers": answer["values"],
        "answer_format": answer["format"],
        "answer_relation": answer.get("relation", "one"),
        **{name: answer.get(name, []) for name in listed},
        "asked_at_checkpoint": record.get("asked_at", {}).get("checkpoint"),
        "asked_at_session": record.get("asked_at", {}).get("session"),
        "evidence": evidence["canonical"],
        "evidence_groups": evidence["groups"],
        "evidence_facts": evidence.get("facts", []),
        "query_json": canonical(record["query"]) if record.get("query") else None,
    }


def _session(session: Document) -> Document:
    rounds = [
        {
            **round_,
            "turns": [
                {**turn, "action_json": canonical(turn["action"]) if turn.get("action") else None}
                for turn in round_["turns"]
            ],
        }
        for round_ in session["rounds"]
    ]
    return {**session, "rounds": rounds}
