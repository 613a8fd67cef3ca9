"""What the rules say about published sets, and about a sample with planted defects."""

import json
from collections import Counter
from pathlib import Path

import pytest
from support.fixtures import Blobs

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.certificate import Outcome, Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check
from memassay.validators.registry import UNTESTED

pytestmark = pytest.mark.slow(seconds=8)

SAMPLES = Path("recipes") / "samples"
GALLERY, LOCOMO = "Wooden_Dinghy_Restoration", "sample-1"
PLANTED = {
    "P01": (f"{LOCOMO}/Q0011", "import.evidence_malformed"),
    "P02": (f"{LOCOMO}/Q0020", "evidence.resolves"),
    "P03": (f"{LOCOMO}/Q0017", "answers.present"),
    "P04": (f"{LOCOMO}/Q0013", "leakage.hidden_words"),
    "P05": (f"{LOCOMO}/Q0019", "speakers.cited"),
    "P06": (f"{LOCOMO}/Q0008", "dates.contradicts"),
    "P07": (f"{GALLERY}/Q0037", "answers.image_exists"),
    "P08": (f"{GALLERY}/Q0006", "import.answer_not_image_ids"),
    "P09": (f"{GALLERY}/Q0026", "duplicates.question"),
    "P10": (f"{GALLERY}/Q0032", "assets.question_in_history"),
    "P11": (f"{GALLERY}/Q0039", "refusals.answered"),
    "P12": (f"{GALLERY}/Q0021", "assets.missing"),
}
"""Item and rule of each planted defect, by its id in planted.json."""
READ_IN_WORDS = ("P04", "P05", "P11")
"""Those that a rule reads in English: it warns, and is no proof."""
PROVEN = {where for name, (where, _) in PLANTED.items() if name not in READ_IN_WORDS}


class Checked:
    """A foreign data set with everything that was found in it."""

    def __init__(self, format_name: str, path: Path) -> None:
        blobs = Blobs()
        reader = FORMATS[format_name]
        read = [reader.read(source, blobs, "CC-BY-4.0") for source in reader.sources(path)]
        self.bundles: list[Bundle] = [each.bundle for each in read if each.bundle is not None]
        self.findings: list[Finding] = [
            *(finding for each in read for finding in each.findings),
            *check(self.bundles, RuleContext(blobs=blobs)),
        ]

    @property
    def errors(self) -> list[Finding]:
        """Findings of severity error."""
        return [each for each in self.findings if each.severity is Severity.ERROR]


@pytest.fixture(scope="module")
def sample(repository: Path) -> list[Checked]:
    """The two sample conversations, checked."""
    return [
        Checked("mem-gallery", repository / SAMPLES / "mem-gallery"),
        Checked("locomo", repository / SAMPLES / "locomo" / "locomo_sample.json"),
    ]


@pytest.fixture(scope="module")
def gallery(real_data: Path) -> Checked:
    """The real Mem-Gallery scenarios, checked."""
    return Checked("mem-gallery", real_data / "mem-gallery")


@pytest.fixture(scope="module")
def locomo(real_data: Path) -> Checked:
    """The real LoCoMo conversations, checked."""
    return Checked("locomo", next((real_data / "locomo").glob("locomo*.json")))


def test_every_planted_defect_is_expected(repository: Path) -> None:
    """The table above names each planted defect and no other."""
    planted = json.loads((repository / SAMPLES / "planted.json").read_text("utf-8"))
    assert [each["id"] for each in planted] == sorted(PLANTED)


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_a_planted_defect_is_found(sample: list[Checked], name: str) -> None:
    """Each planted defect is found where it is, by the rule that is about it."""
    found = {(each.target, each.rule): each for checked in sample for each in checked.findings}
    warns = found[PLANTED[name]].severity is Severity.WARNING
    assert warns is (name in READ_IN_WORDS)


def test_nothing_unplanted_is_an_error(sample: list[Checked]) -> None:
    """Every error is about an item, or the image of an item, with a planted defect."""
    found = {each.target for checked in sample for each in checked.errors}
    images = {f"{GALLERY}/QA_IMG_004"}
    assert found - images == PROVEN


def test_planted_items_are_refuted_and_most_others_supported(sample: list[Checked]) -> None:
    """Verdicts follow the findings; what no rule could test is named apart from what is doubted."""
    made = [
        each
        for checked in sample
        for bundle in checked.bundles
        for each in certify(bundle, checked.findings)
    ]
    refuted = {each.item for each in made if each.verdict is Verdict.REFUTED}
    assert refuted == PROVEN
    doubted = [each for each in made if each.verdict is Verdict.DOUBTFUL]
    untested = [
        each
        for each in doubted
        if {check.rule for check in each.checks if check.outcome is Outcome.DOUBTFUL} == {UNTESTED}
    ]
    assert len(doubted) - len(untested) <= 3
    assert len(untested) <= 9


def test_errors_of_mem_gallery_are_its_true_defects(gallery: Checked) -> None:
    """Three wrong items in 12 scenarios, each read; two rules name the search that counts."""
    assert len({each.target for each in gallery.errors}) == 3
    assert Counter(each.rule for each in gallery.errors) == {
        "answers.form_asked": 1,
        "answers.image_exists": 1,
        "duplicates.question": 1,
        "import.answer_not_image_ids": 1,
    }


def test_errors_of_locomo_are_its_true_defects(locomo: Checked) -> None:
    """Twenty-three errors in six conversations, each read and found true; README shows one."""
    assert ("dates.contradicts", "conv-26/Q0006") in {(e.rule, e.target) for e in locomo.errors}
    assert Counter(each.rule for each in locomo.errors) == {
        "dates.contradicts": 3,
        "duplicates.question": 11,
        "evidence.present": 2,
        "evidence.resolves": 1,
        "import.evidence_malformed": 5,
        "text.control": 1,
    }


def test_warnings_agree_with_independent_counts(gallery: Checked, locomo: Checked) -> None:
    """Clues that leave out an image of the answer, and evidence in the order of strings."""
    counts = Counter(each.rule for each in [*gallery.findings, *locomo.findings])
    joined = {each.target for each in locomo.errors if each.rule == "import.evidence_malformed"}
    as_strings = {each.target for each in locomo.findings if each.rule == "evidence.string_order"}
    assert counts["evidence.image_rounds"] == 1
    assert counts["answers.mixed_kinds"] == 2
    assert len(as_strings - joined) == 16
    assert counts["balance.yes_no"] == 1
