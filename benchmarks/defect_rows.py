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
    """Put what a document says into the columns of its row."""
    said = dict(document)
    if kind == "asset":
        row["private_transcription"] = said.pop("transcription")
    for name in row.keys() & said.keys():
        if name not in ("question", "attachments", "speakers", "sessions"):
            row[name] = said[name]
    if kind == "question":
        row |= _question_columns(said)
        if "wording_json" in row:
            row["wording_json"] = canonical(said["wording"]) if said.get("wording") else None
    if kind == "conversation":
        row["sessions"] = [_session(one) for one in said["sessions"]]
    if kind == "fact":
        row |= {f"value_{name}": said["value"].get(name) for name in ("type", "text", "unit")}
    row["id"], row["record_json"] = said["id"], canonical(said)
    if "conversation" in row:
        row["conversation"] = said["id"].partition("/")[0]
    row["extras_json"] = canonical(said.get("extras", {}))
    return row


def _question_columns(said: Document) -> Document:
    answer, evidence = said["answer"], said["evidence"]
    listed = ("equivalents", "coarser", "competitors", "traps", "options")
    return {
        "question": said["question"]["text"],
        "attachments": said["question"].get("attachments", []),
        "answers": answer["values"],
        "answer_format": answer["format"],
        "answer_relation": answer.get("relation", "one"),
        **{name: answer.get(name, []) for name in listed},
        "asked_at_checkpoint": said.get("asked_at", {}).get("checkpoint"),
        "asked_at_session": said.get("asked_at", {}).get("session"),
        "evidence": evidence["canonical"],
        "evidence_groups": evidence["groups"],
        "evidence_facts": evidence.get("facts", []),
        "query_json": canonical(said["query"]) if said.get("query") else None,
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
