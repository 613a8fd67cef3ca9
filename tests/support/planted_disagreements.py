"""Kinds of disagreement to plant in a finished release; shares no code with what looks for them.

A kind changes one file, or what a careful forger would change along with it.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.planting_ways import Plant, card, certificate, layout, log, manifest
from support.release_forging import (
    Document,
    canonical,
    question_file,
    talk_file,
)


def _check(rule: str, **fields: str) -> Callable[[Document], object]:
    def change(document: Document) -> None:
        next(each for each in document["checks"] if each["rule"] == rule).update(fields)

    return change


def _another_picture(release: Path) -> str:
    first, second = sorted(question_file(release).parent.glob("images/*.png"))[:2]
    first.write_bytes(second.read_bytes())
    return first.relative_to(release).as_posix()


def _picture_dropped(release: Path) -> str:
    path = min(question_file(release).parent.glob("images/*.png"))
    path.unlink()
    return path.relative_to(release).as_posix()


def _file_added(release: Path) -> str:
    path = question_file(release).with_name("question_new.json")
    path.write_text("[]", encoding="utf-8")
    return path.relative_to(release).as_posix()


def _layout_added(release: Path) -> str:
    path = release / "formats/locomo/locomo.json"
    path.parent.mkdir()
    path.write_text("[]", encoding="utf-8")
    return path.relative_to(release).as_posix()


def _layout_dropped(release: Path) -> str:
    shutil.rmtree(release / "formats/m3exam")
    return "formats/m3exam"


def _other_item(documents: list[Document]) -> str:
    documents[3]["item"] = "alex-veterinarian/zz-9999"
    return "alex-veterinarian/zz-9999"


def _first_picture(talk: Document) -> Document:
    rounds = (each for one in talk["multi_session_dialogues"] for each in one["dialogues"])
    found: Document = next(each for each in rounds if each.get("image_id"))
    return found


def _exchange(items: list[Any], first: int, second: int) -> None:
    items[first], items[second] = items[second], items[first]


def held(**fields: object) -> Plant:
    """Change what is said of the first record that is held out; it must be named."""

    def edit(documents: list[Document]) -> str:
        name = str(documents[0]["id"])
        documents[0].update(fields)
        return name

    return log("held_out.jsonl", edit)


def _held_content(documents: list[Document]) -> str:
    content = json.loads(documents[0]["content"])
    content["question"]["text"] += " Or not?"
    documents[0]["content"] = canonical(content)
    return str(documents[0]["id"])


def _invented_made(documents: list[Document]) -> str:
    documents.append({**documents[0], "id": f"nobody/{documents[0]['stage']}"})
    return "nobody"


def _tally_dropped(documents: list[Document]) -> str:
    tally = next(each for each in documents if each["kept"])
    documents.remove(tally)
    return str(tally["id"])


def _wanted_less(documents: list[Document]) -> str:
    tally = next(each for each in documents if each["kept"])
    tally["wanted"] = tally["kept"] - 1
    return str(tally["id"])


def _dropped_drafts(documents: list[Document]) -> str:
    tally = next(each for each in documents if each["dropped"])
    tally["dropped"][0]["drafts"] += 5
    tally["dropped"][0]["examples"] = []
    return str(tally["id"])


def _dropped_reason(documents: list[Document]) -> str:
    tally = next(each for each in documents if each["dropped"])
    tally["dropped"][0]["reason"] = "bad_weather"
    return str(tally["id"])


CERTIFICATES: dict[str, Plant] = {
    "verdict doubtful": certificate(lambda one: one.update(verdict="doubtful")),
    "check failed": certificate(_check("proof.executes", outcome="failed", detail="another gold")),
    "check doubtful, verdict doubtful": certificate(
        lambda one: (
            _check("proof.query_present", outcome="doubtful", detail="a rival")(one),
            one.update(verdict="doubtful"),
        )
    ),
    "other rules": certificate(lambda one: one.update(rules_sha256="0" * 64)),
    "no rules": certificate(lambda one: one.update(rules_sha256=None)),
    "check detail": certificate(_check("answers.present", detail="seen by nobody")),
    "check dropped": certificate(lambda one: one["checks"].pop(1)),
    "check twice": certificate(lambda one: one["checks"].insert(1, one["checks"][0])),
    "checks in another order": certificate(lambda one: one["checks"].reverse()),
    "check of no rule": certificate(
        lambda one: one["checks"].append(
            {"rule": "proof.oracle", "outcome": "passed", "detail": ""}
        )
    ),
    "probe made up": certificate(
        lambda one: one["probes"].append(
            {"name": "closed-book", "answerer": "nobody", "answer": "blue", "score": 0.9}
        )
    ),
    "other content": certificate(lambda one: one.update(item_sha256="0" * 64)),
    "no item": log("certificates.jsonl", _other_item),
    "id": certificate(lambda one: one.update(id="alex-veterinarian/zz.certificate")),
    "dropped": log("certificates.jsonl", lambda every: str(every.pop(3)["item"])),
    "in another order": log(
        "certificates.jsonl", lambda every: (_exchange(every, 1, 2), "certificates.jsonl")[1]
    ),
    "extras": certificate(lambda one: one.update(extras={"note": {"by": "nobody"}})),
}

LAYOUTS: dict[str, Plant] = {
    "gold": layout(question_file, lambda bank: bank[2].update(answer=["a wrong gold"])),
    "question text": layout(
        question_file, lambda bank: bank[2].update(question="What is the answer?")
    ),
    "evidence dropped": layout(question_file, lambda bank: bank[2].update(supporting_facts=[])),
    "type": layout(
        question_file, lambda bank: bank[2].update(type="fj" if bank[2]["type"] != "fj" else "th")
    ),
    "question dropped": layout(question_file, lambda bank: bank.pop(5)),
    "question twice": layout(question_file, lambda bank: bank.append(bank[5])),
    "questions in another order": layout(question_file, lambda bank: _exchange(bank, 4, 5)),
    "new key": layout(question_file, lambda bank: bank[2].update(hint="look at the vase")),
    "turn text": layout(
        talk_file,
        lambda talk: talk["multi_session_dialogues"][1]["dialogues"][2].update(user="I like tea."),
    ),
    "turn dropped": layout(
        talk_file, lambda talk: talk["multi_session_dialogues"][1]["dialogues"].pop(2)
    ),
    "image path": layout(
        talk_file, lambda talk: _first_picture(talk).update(input_image=["images/img_2.png"])
    ),
    "another picture": _another_picture,
    "picture dropped": _picture_dropped,
    "file added": _file_added,
    "whole layout dropped": _layout_dropped,
    "layout that nobody asked for": _layout_added,
    "unfit entry dropped": layout(
        lambda release: release / "formats/m3exam/unfit.json", lambda every: every.pop(3)
    ),
    "unfit entry changed": layout(
        lambda release: release / "formats/m3exam/unfit.json",
        lambda every: every[3].update(what="nothing"),
    ),
}

CARD: dict[str, Plant] = {
    "number of questions": card(r"^\| question \| \d+ \|$", "| question | 999 |"),
    "verdicts": card(r"^\| proven \| \d+ \|$", "| proven | 7 |"),
    "type": card(r"^\| temporal \| \d+ \|$", "| temporal | 1 |"),
    "held out": card(r"^\| pending \| \d+ \|$", "| pending | 0 |"),
    "row dropped": card(r"^\| fact \| \d+ \|\n", ""),
    "name": card(r"^# demo 0\.1\.0$", "# another 0.1.0"),
    "version": card(r"^# demo 0\.1\.0$", "# demo 0.2.0"),
    "licence": card(r"^CC-BY-4\.0\. It names", "MIT. It names"),
    "licence in the head": card(r"^license: .*$", "license: mit"),
    "name in the head": card(r"^pretty_name: .*$", "pretty_name: another"),
    "table in the head": card(r"data/assets/train-\*\.parquet", "data/ledger/train-*.parquet"),
    "sentence": card(r"`eval`, nothing else", "and all else"),
    "section dropped": card(r"^## Certificates\n\n(\|.*\n)+", ""),
}

MANIFEST: dict[str, Plant] = {
    "seed": manifest(lambda one: one["recipe"].update(seed=8)),
    "personas": manifest(lambda one: one["recipe"]["personas"].pop()),
    "path": manifest(lambda one: one["recipe"].update(path="nowhere")),
    "name of the recipe": manifest(lambda one: one["recipe"]["release"].update(name="another")),
    "licence of the recipe": manifest(lambda one: one["recipe"]["release"].update(licence="MIT")),
    "hash of the inputs": manifest(lambda one: one["recipe"].update(inputs_sha256="0" * 64)),
    "gates": manifest(lambda one: one.update(gates={"questions": {"open": 3}})),
    "extras": manifest(lambda one: one.update(extras={"note": {"by": "nobody"}})),
    "id": manifest(lambda one: one.update(id="another@9.9.9")),
    "count": manifest(lambda one: one["counts"].update(question=119)),
    "count dropped": manifest(lambda one: one["counts"].pop("event")),
    "verdicts": manifest(lambda one: one.update(verdicts={"proven": 119, "doubtful": 1})),
    "types dropped": manifest(lambda one: one.pop("questions_by_type")),
    "records of a file": manifest(
        lambda one: next(
            each for each in one["files"] if each["path"].endswith("question.json")
        ).update(records=60),
        "question.json",
    ),
    "content hash of a file dropped": manifest(
        lambda one: one["files"][0].pop("content_sha256"), "CITATION.cff"
    ),
    "file twice": manifest(lambda one: one["files"].append(one["files"][0]), "CITATION.cff"),
}

LOGS: dict[str, Plant] = {
    "finding made up": log(
        "findings.jsonl",
        lambda every: (
            every.append(
                {
                    "extras": {},
                    "fix": "none",
                    "id": "finding-0000000000000000",
                    "message": "alex-veterinarian/ss-0001: expected another, got this",
                    "pointer": "",
                    "rule": "proof.query_present",
                    "schema_version": 1,
                    "severity": "warning",
                    "target": "alex-veterinarian/ss-0001",
                }
            ),
            "alex-veterinarian/ss-0001",
        )[1],
    ),
    "held out as rejected": held(status="rejected"),
    "held out for an unknown reason": held(reasons=["bad weather"]),
    "held out with a made-up message": held(messages=["expected another gold, got this"]),
    "held out by no stage": held(stage="magic"),
    "held out with other content": log("held_out.jsonl", _held_content),
    "held out dropped": log("held_out.jsonl", lambda every: (every.pop(0), "manifest.json")[1]),
    "provenance: another stage": log(
        "provenance.jsonl", lambda every: (every[0].update(stage="magic"), every[0]["id"])[1]
    ),
    "provenance of nobody": log("provenance.jsonl", _invented_made),
    "provenance: a hash": log(
        "provenance.jsonl", lambda every: (every[1]["made"].__setitem__(3, "0" * 64), "")[1]
    ),
    "provenance: configuration": log(
        "provenance.jsonl", lambda every: (every[0].update(config_sha256="0" * 64), "")[1]
    ),
    "provenance dropped": log("provenance.jsonl", lambda every: (every.pop(1), "")[1]),
    "bank: kept": log(
        "bank.jsonl", lambda every: (every[0].update(kept=99), str(every[0]["id"]))[1]
    ),
    "bank: wanted": log("bank.jsonl", _wanted_less),
    "bank: drafts": log("bank.jsonl", _dropped_drafts),
    "bank: reason": log("bank.jsonl", _dropped_reason),
    "bank dropped": log("bank.jsonl", _tally_dropped),
}

KINDS: dict[str, Plant] = {
    f"{group}: {name}": plant
    for group, plants in (
        ("certificate", CERTIFICATES),
        ("layout", LAYOUTS),
        ("card", CARD),
        ("manifest", MANIFEST),
        ("log", LOGS),
    )
    for name, plant in plants.items()
}
