"""Kinds of disagreement planted in a finished release, every checksum stated again.

Works on the files alone, as somebody with an editor and a hash program would; shares no code with
what looks for them. A kind changes one file, or what a careful forger would change along with it.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Document = dict[str, Any]
Plant = Callable[[Path], str]
"""Plants one kind in a release; gives a word that a finding about it must contain."""


def canonical(value: Any) -> str:
    """JSON as the release's hashes see it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def lines_of(release: Path, name: str) -> list[Document]:
    """The documents of a JSON Lines file."""
    return [json.loads(line) for line in (release / name).read_bytes().splitlines()]


def write_lines_of(release: Path, name: str, documents: list[Document]) -> None:
    """Write a JSON Lines file."""
    text = "".join(canonical(document) + "\n" for document in documents)
    (release / name).write_text(text, encoding="utf-8")


def manifest_of(release: Path) -> Document:
    """The manifest."""
    document: Document = json.loads((release / "manifest.json").read_bytes())
    return document


def write_manifest(release: Path, document: Document) -> None:
    """Write the manifest."""
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    (release / "manifest.json").write_text(text, encoding="utf-8")


def question_file(release: Path) -> Path:
    """The question bank of the first persona of the M3Exam layout."""
    return sorted((release / "formats/m3exam").glob("*/question.json"))[0]


def talk_file(release: Path) -> Path:
    """The conversation of the first persona of the M3Exam layout."""
    return sorted((release / "formats/m3exam").glob("*/conversation.json"))[0]


# --- ways to change a file ----------------------------------------------------------------------


def log(name: str, change: Callable[[list[Document]], str]) -> Plant:
    """Change the records of a log."""

    def plant(release: Path) -> str:
        documents = lines_of(release, name)
        word = change(documents)
        write_lines_of(release, name, documents)
        return word

    return plant


def certificate(change: Callable[[Document], object], at: int = 3) -> Plant:
    """Change one certificate; the item it is about must be named."""

    def edit(documents: list[Document]) -> str:
        item = str(documents[at]["item"])
        change(documents[at])
        return item

    return log("certificates.jsonl", edit)


def layout(file: Callable[[Path], Path], change: Callable[[Any], object]) -> Plant:
    """Change one JSON file of the layout; the file must be named."""

    def plant(release: Path) -> str:
        path = file(release)
        document = json.loads(path.read_bytes())
        change(document)
        path.write_text(json.dumps(document, ensure_ascii=False, indent=2), encoding="utf-8")
        return path.relative_to(release).as_posix()

    return plant


def card(pattern: str, instead: str) -> Plant:
    """Change the card."""

    def plant(release: Path) -> str:
        path = release / "README.md"
        before = path.read_text(encoding="utf-8")
        after = re.sub(pattern, instead, before, count=1, flags=re.MULTILINE)
        assert after != before, pattern
        path.write_text(after, encoding="utf-8")
        return "README.md"

    return plant


def manifest(change: Callable[[Document], object]) -> Plant:
    """Change the manifest."""

    def plant(release: Path) -> str:
        document = manifest_of(release)
        change(document)
        write_manifest(release, document)
        return "manifest.json"

    return plant


def _check(rule: str, **fields: str) -> Callable[[Document], object]:
    def change(document: Document) -> None:
        next(each for each in document["checks"] if each["rule"] == rule).update(fields)

    return change


def _another_picture(release: Path) -> str:
    first, second = sorted(question_file(release).parent.glob("images/*.png"))[:2]
    first.write_bytes(second.read_bytes())
    return first.relative_to(release).as_posix()


def _pictures_exchanged(release: Path) -> str:
    first, second = sorted(question_file(release).parent.glob("images/*.png"))[:2]
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    return first.relative_to(release).as_posix()


def _picture_dropped(release: Path) -> str:
    path = min(question_file(release).parent.glob("images/*.png"))
    path.unlink()
    return path.relative_to(release).as_posix()


def _file_added(release: Path) -> str:
    path = question_file(release).with_name("question_new.json")
    path.write_text("[]", encoding="utf-8")
    return path.relative_to(release).as_posix()


def _layout_dropped(release: Path) -> str:
    import shutil

    shutil.rmtree(release / "formats/m3exam")
    return "formats/m3exam"


def _other_item(documents: list[Document]) -> str:
    documents[3]["item"] = "alex-veterinarian/zz-9999"
    return "alex-veterinarian/zz-9999"


def _exchanged_items(documents: list[Document]) -> str:
    first, second = documents[3], documents[4]
    for field in ("item", "item_sha256"):
        first[field], second[field] = second[field], first[field]
    return str(first["id"])


def _shifted_evidence(bank: list[Document]) -> None:
    item = next(each for each in bank if each["supporting_facts"])
    other = next(
        each for each in bank if each["supporting_facts"] not in ([], item["supporting_facts"])
    )
    item["supporting_facts"] = other["supporting_facts"]


def _first_picture(talk: Document) -> Document:
    rounds = (each for one in talk["multi_session_dialogues"] for each in one["dialogues"])
    found: Document = next(each for each in rounds if each.get("image_id"))
    return found


def _exchange(items: list[Any], first: int, second: int) -> None:
    items[first], items[second] = items[second], items[first]


def _held(documents: list[Document]) -> str:
    name = str(documents[0]["id"])
    documents[0]["status"] = "rejected"
    return name


CERTIFICATES: dict[str, Plant] = {
    "verdict refuted": certificate(lambda one: one.update(verdict="refuted")),
    "verdict doubtful": certificate(lambda one: one.update(verdict="doubtful")),
    "verdict supported": certificate(lambda one: one.update(verdict="supported")),
    "check failed": certificate(_check("proof.executes", outcome="failed", detail="another gold")),
    "check failed, verdict refuted": certificate(
        lambda one: (
            _check("proof.executes", outcome="failed", detail="another gold")(one),
            one.update(verdict="refuted"),
        )
    ),
    "check doubtful": certificate(_check("proof.rival", outcome="doubtful", detail="a rival")),
    "check doubtful, verdict doubtful": certificate(
        lambda one: (
            _check("proof.rival", outcome="doubtful", detail="a rival")(one),
            one.update(verdict="doubtful"),
        )
    ),
    "check not applicable": certificate(_check("answers.present", outcome="not_applicable")),
    "check detail": certificate(_check("answers.present", detail="seen by nobody")),
    "check dropped": certificate(lambda one: one["checks"].pop(1)),
    "checks all dropped": certificate(lambda one: one["checks"].clear()),
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
    "items exchanged": log("certificates.jsonl", _exchanged_items),
    "id": certificate(lambda one: one.update(id="alex-veterinarian/zz.certificate")),
    "dropped": log("certificates.jsonl", lambda every: str(every.pop(3)["item"])),
    "in another order": log(
        "certificates.jsonl", lambda every: (_exchange(every, 1, 2), "certificates.jsonl")[1]
    ),
    "extras": certificate(lambda one: one.update(extras={"note": {"by": "nobody"}})),
}

LAYOUTS: dict[str, Plant] = {
    "gold": layout(question_file, lambda bank: bank[2].update(answer=["a wrong gold"])),
    "label": layout(question_file, lambda bank: bank[2].update(label="a wrong gold")),
    "gold of another": layout(
        question_file, lambda bank: bank[2].update(answer=bank[9]["answer"], label=bank[9]["label"])
    ),
    "question text": layout(
        question_file, lambda bank: bank[2].update(question="What is the answer?")
    ),
    "questions exchanged": layout(
        question_file,
        lambda bank: (
            bank[2].update(question=bank[3]["question"]),
            bank[3].update(question="Another?"),
        ),
    ),
    "evidence": layout(question_file, _shifted_evidence),
    "evidence dropped": layout(question_file, lambda bank: bank[2].update(supporting_facts=[])),
    "type": layout(
        question_file, lambda bank: bank[2].update(type="fj" if bank[2]["type"] != "fj" else "th")
    ),
    "format prompt": layout(
        question_file, lambda bank: bank[2].update(format_prompt="Answer in verse.")
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
    "session date": layout(
        talk_file, lambda talk: talk["multi_session_dialogues"][1].update(date="1999-01-01")
    ),
    "caption": layout(
        talk_file, lambda talk: _first_picture(talk).update(image_caption=["A cow on a hill"])
    ),
    "image name": layout(talk_file, lambda talk: _first_picture(talk).update(image_id=["img_999"])),
    "image path": layout(
        talk_file, lambda talk: _first_picture(talk).update(input_image=["images/img_2.png"])
    ),
    "persona": layout(talk_file, lambda talk: talk["character_profile"].update(name="Nobody")),
    "another picture": _another_picture,
    "pictures exchanged": _pictures_exchanged,
    "picture dropped": _picture_dropped,
    "file added": _file_added,
    "whole layout dropped": _layout_dropped,
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
    "licence": card(r"^CC-BY-4\.0\. Single", "MIT. Single"),
    "licence in the head": card(r"^license: .*$", "license: mit"),
    "name in the head": card(r"^pretty_name: .*$", "pretty_name: another"),
    "table in the head": card(r"data/assets/train-\*\.parquet", "data/ledger/train-*.parquet"),
    "sentence": card(r"It is there to check the data", "It may be shown; it checks the data"),
    "section dropped": card(r"^## Certificates\n\n(\|.*\n)+", ""),
}

MANIFEST: dict[str, Plant] = {
    "seed": manifest(lambda one: one["recipe"].update(seed=8)),
    "personas": manifest(lambda one: one["recipe"]["personas"].pop()),
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
        ).update(records=60)
    ),
    "content hash of a file dropped": manifest(lambda one: one["files"][0].pop("content_sha256")),
    "file twice": manifest(lambda one: one["files"].append(one["files"][0])),
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
                    "rule": "proof.rival",
                    "schema_version": 1,
                    "severity": "warning",
                    "target": "alex-veterinarian/ss-0001",
                }
            ),
            "alex-veterinarian/ss-0001",
        )[1],
    ),
    "held out as rejected": log("held_out.jsonl", _held),
    "held out dropped": log("held_out.jsonl", lambda every: (every.pop(0), "manifest.json")[1]),
    "provenance: another stage": log(
        "provenance.jsonl", lambda every: (every[0].update(stage="magic"), str(every[0]["id"]))[1]
    ),
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
    "bank dropped": log("bank.jsonl", lambda every: (every.pop(0), "")[1]),
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


# --- checksums stated again ---------------------------------------------------------------------


def cover_up(release: Path, *, counts: bool) -> None:
    """State the hashes, sizes and numbers of records that the files have now.

    Args:
        release: The release.
        counts: Whether the tallies of certificates, findings and held-out records follow too.
    """
    document = manifest_of(release)
    known = {file["path"]: file for file in document["files"]}
    parts = {name: _table_part(document, name) for name in _TABLES}
    twice = [file for at, file in enumerate(document["files"]) if file in document["files"][:at]]
    document["files"] = twice
    for path in sorted(release.rglob("*")):
        name = path.relative_to(release).as_posix()
        if path.is_file() and name != "manifest.json":
            file = {"records": None, **known.get(name, {"path": name})}
            data = path.read_bytes()
            file |= {"sha256": digest(data), "size": len(data)}
            if not name.startswith("data/") and (name not in known or "content_sha256" in file):
                file["content_sha256"] = _content_hash(path)
            if path.suffix == ".jsonl":
                file["records"] = len(data.splitlines())
                parts[path.stem] = file["content_sha256"]
            document["files"].append(file)
    if counts:
        _count_again(release, document)
    kept = {stem: parts[stem] for stem in sorted(parts) if stem not in _HOW_MADE}
    said = {name: document[name] for name in ("name", "version", "licence")}
    document["content_sha256"] = digest(canonical({**said, "parts": kept}).encode())
    write_manifest(release, document)


_TABLES = ("conversations", "questions", "ledger", "assets")
_HOW_MADE = ("provenance", "repairs", "flaws", "bank")


def _table_part(document: Document, table: str) -> str:
    (shard,) = [each for each in document["files"] if each["path"].startswith(f"data/{table}/")]
    return str(shard["content_sha256"])


def _content_hash(path: Path) -> str:
    """Of a file that is no table: of what it says, not of its bytes."""
    data = path.read_bytes()
    if path.suffix == ".png":
        return _pixels(data)
    if path.suffix == ".jsonl":
        return _combined([digest(canonical(json.loads(one)).encode()) for one in data.splitlines()])
    if path.suffix == ".json":
        return _combined([digest(canonical(json.loads(data)).encode())])
    return digest(data)


def _combined(hashes: list[str]) -> str:
    from memassay.schemas.hashing import combined_hash

    return combined_hash(hashes)


def _pixels(data: bytes) -> str:
    from memassay.schemas.values.pixels import open_image, pixel_sha256

    return pixel_sha256(open_image(data))


def _count_again(release: Path, document: Document) -> None:
    from collections import Counter

    for name, kind, tally, field in (
        ("certificates", "certificate", "verdicts", "verdict"),
        ("findings", "finding", "findings", "rule"),
        ("held_out", "held_out", "held_out", "status"),
        ("provenance", "provenance", None, ""),
        ("bank", "bank", None, ""),
    ):
        documents = lines_of(release, f"{name}.jsonl")
        document["counts"][kind] = len(documents)
        if tally:
            document[tally] = dict(Counter(each[field] for each in documents))
            path = release / "README.md"
            text = path.read_text(encoding="utf-8")
            text = re.sub(
                rf"^\| {kind} \| \d+ \|$", f"| {kind} | {len(documents)} |", text, flags=re.M
            )
            path.write_text(text, encoding="utf-8")
