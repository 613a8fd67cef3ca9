"""Changes of a release that were covered up: hashes, counts and certificates all made anew."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.release_builder import MemoryBlobs, bundle, certificate, content, png, present
from support.release_damage import edit_record, repair_everything

from memassay.exports.release.writer import write_release
from memassay.flows.services.checks import validate_path
from memassay.schemas.base import Modality
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.ledger import Mention

RECEIPT = "Corner shop / Tea 8.00 EUR / Dog food 12 kg / Total 8.00 EUR"
LABEL = "Dog food, Luna / Protein: 11% / 12 kg"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release in which `alex` shows a receipt and a label, both mentioned."""
    blobs = MemoryBlobs()
    alex = bundle("alex", "Luna", "red", blobs)
    lost = alex.assets[-1]
    receipt = present("alex/D1_IMG_001", png("red", (64, 32)), blobs)
    receipt = receipt.model_copy(update={"transcription": RECEIPT, "origin": "rendered:receipt"})
    label = present("alex/D1_IMG_002", png("blue", (64, 32)), blobs)
    label = label.model_copy(update={"transcription": LABEL, "origin": "rendered:label"})
    document = alex.conversation.model_dump(mode="json")
    shown = document["sessions"][0]["rounds"][0]["turns"][0]["attachments"]
    shown[0]["caption"] = "Receipt: the corner shop"
    more = Attachment(id="D1:IMG_002", asset=label.id, caption="Label: the food of the dog")
    shown.append(more.model_dump(mode="json"))
    mentions = [
        Mention(
            id=f"alex/M000{at}",
            fact="alex/F0001",
            round="D1:1",
            turn="D1:1.1",
            attachment=f"D1:IMG_00{at - 1}",
            asset=f"alex/D1_IMG_00{at - 1}",
            modality=Modality.IMAGE,
        )
        for at in (2, 3)
    ]
    whole = alex.model_copy(
        update={
            "conversation": type(alex.conversation).model_validate(document),
            "assets": [receipt, label, lost],
            "mentions": [*alex.mentions, *mentions],
        }
    )
    made = content(
        bundles=[whole],
        blobs=blobs,
        findings=[],
        held_out=[],
        certificates=[certificate(item) for item in whole.questions],
    )
    write_release(tmp_path / "release", made)
    return tmp_path / "release"


def _errors(release: Path) -> set[str]:
    found = validate_path(release).findings
    return {each.rule for each in found if each.severity is Severity.ERROR}


def _exchange(field: str) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        first, second = document["sessions"][0]["rounds"][0]["turns"][0]["attachments"]
        first[field], second[field] = second[field], first[field]

    return change


def _rewrite_certificates(release: Path, **fields: Any) -> None:
    path = release / "certificates.jsonl"
    first, *others = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines = [{**first, **fields}, *others]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_the_release_is_sound(release: Path) -> None:
    """Nothing is found before the attack."""
    assert _errors(release) == set()


@pytest.mark.parametrize(
    ("field", "rule"),
    [("caption", "captions.exchanged"), ("asset", "ledger.mention_resolves")],
)
def test_exchanged_images_are_found(release: Path, field: str, rule: str) -> None:
    """Captions under each other's image, and attachments that show each other's image."""
    edit_record("conversations", "alex", _exchange(field))(release)
    repair_everything(release)
    assert rule in _errors(release)


FAILED = {"rule": "proof.query_present", "outcome": "failed", "detail": "another answer"}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"verdict": "refuted"}, id="verdict"),
        pytest.param({"checks": [FAILED]}, id="failed check, verdict supported"),
    ],
)
def test_a_refuted_question_is_not_released(release: Path, fields: dict[str, Any]) -> None:
    """By the certificate's verdict, or by a check that failed under another verdict."""
    _rewrite_certificates(release, **fields)
    repair_everything(release)
    assert _errors(release) == {"release.refuted"}


def test_people_may_let_a_refuted_question_pass(release: Path) -> None:
    """A decision that accepts the question in this very state speaks for it."""
    from memassay.exports import open_release

    (first, *_) = open_release(release).questions()
    decision = Decision(
        id="decision-1",
        covers=[CoveredRecord(id=first.id, sha256=content_hash(first))],
        gate="compare",
        reviewer="r1",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT,
    )
    path = release / "decisions.jsonl"
    path.write_text(decision.model_dump_json() + "\n", encoding="utf-8")
    _rewrite_certificates(release, verdict="refuted")
    repair_everything(release)
    assert _errors(release) == set()
    other = decision.model_copy(update={"covers": [CoveredRecord(id=first.id, sha256="0" * 64)]})
    path.write_text(other.model_dump_json() + "\n", encoding="utf-8")
    repair_everything(release)
    assert _errors(release) == {"release.refuted"}
