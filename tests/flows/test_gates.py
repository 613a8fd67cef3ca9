"""Gates: findings, draws and decisions say where a record stands."""

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.flows.engine.gates import GateCase, Standing, assets_seen, findings_by_record, judge
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Ruling
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle

PASSED, PENDING = Standing.PASSED, Standing.PENDING
QUARANTINED, REJECTED = Standing.QUARANTINED, Standing.REJECTED


def _finding(severity: Severity, target: str = "alex/Q0001") -> Finding:
    return Finding.make("test.rule", severity, target, "", f"{target}: bad", "")


def _cases(
    gate: GateSection,
    *severities: Severity,
    drawn: bool = False,
    ruling: Ruling | None = None,
) -> list[GateCase]:
    borne = {"alex/Q0001": [_finding(severity) for severity in severities]} if severities else {}
    return judge(
        gate,
        borne,
        ["alex/Q0001"] if drawn else [],
        ["alex/Q0001"],
        {"alex/Q0001": ruling} if ruling else {},
    )


AUTO = GateSection(policy="auto")
SAMPLE = GateSection(policy="sample")
ALL = GateSection(policy="all")


@pytest.mark.parametrize(
    ("gate", "severity", "standing"),
    [
        pytest.param(AUTO, Severity.ERROR, QUARANTINED, id="auto-error"),
        pytest.param(AUTO, Severity.WARNING, None, id="auto-warning"),
        pytest.param(AUTO, Severity.INFO, None, id="auto-info"),
        pytest.param(SAMPLE, Severity.ERROR, PENDING, id="sample-error"),
        pytest.param(SAMPLE, Severity.WARNING, PENDING, id="sample-warning"),
        pytest.param(SAMPLE, Severity.INFO, None, id="sample-info"),
        pytest.param(SAMPLE, None, None, id="sample-sound"),
        pytest.param(ALL, None, PENDING, id="all-sound"),
        pytest.param(ALL, Severity.ERROR, PENDING, id="all-error"),
        pytest.param(
            GateSection(policy="sample", on_error="reject"),
            Severity.ERROR,
            QUARANTINED,
            id="on-error-reject",
        ),
        pytest.param(
            GateSection(policy="sample", on_warning="pass"),
            Severity.WARNING,
            None,
            id="on-warning-pass",
        ),
        pytest.param(
            GateSection(policy="all", on_error="reject"),
            Severity.ERROR,
            QUARANTINED,
            id="all-on-error-reject",
        ),
    ],
)
def test_where_a_record_stands_before_anybody_decided(
    gate: GateSection, severity: Severity | None, standing: Standing | None
) -> None:
    """By policy and by the worst finding; None is a record that passes untouched."""
    cases = _cases(gate, severity) if severity else _cases(gate)
    assert [case.standing for case in cases] == ([standing] if standing else [])


def test_the_worst_finding_counts() -> None:
    """An error among warnings is an error."""
    (case,) = _cases(SAMPLE, Severity.WARNING, Severity.ERROR, Severity.INFO)
    assert case.reason == "error"
    assert len(case.findings) == 3


def test_a_drawn_record_is_reviewed_only_where_people_are_asked() -> None:
    """The rate has no meaning under auto."""
    assert [case.reason for case in _cases(SAMPLE, drawn=True)] == ["drawn"]
    assert _cases(AUTO, drawn=True) == []


@pytest.mark.parametrize(
    ("ruling", "standing"), [(Ruling.ACCEPT, PASSED), (Ruling.REJECT, REJECTED)]
)
def test_people_have_the_last_word(ruling: Ruling, standing: Standing) -> None:
    """A decision overrules what the rules say."""
    (case,) = _cases(SAMPLE, Severity.ERROR, ruling=ruling)
    assert case.standing is standing


def test_a_rejection_holds_though_nothing_asks_for_it_any_more() -> None:
    """The draw moved on or the rule was mended, but the record is what people rejected."""
    (case,) = _cases(SAMPLE, ruling=Ruling.REJECT)
    assert (case.standing, case.reason) == (REJECTED, "decided")
    assert _cases(SAMPLE, ruling=Ruling.ACCEPT) == []


def test_cases_come_in_natural_order() -> None:
    """By id with numbers by value, whatever order they were found in."""
    names = ["b/Q10", "b/Q9", "a/Q1"]
    cases = judge(AUTO, {name: [_finding(Severity.ERROR, name)] for name in names}, [], names, {})
    assert [case.record for case in cases] == ["a/Q1", "b/Q9", "b/Q10"]


@pytest.mark.parametrize("gate", [SAMPLE, GateSection(policy="sample", rate=1.0)])
def test_a_warning_about_a_conversation_holds_nothing_back(gate: GateSection) -> None:
    """It is reported; held, the conversation would take all of its questions along."""
    borne = {
        "alex": [_finding(Severity.WARNING, "alex")],
        "alex/Q0001": [_finding(Severity.WARNING)],
    }
    cases = judge(gate, borne, [], list(borne), {})
    assert [case.record for case in cases] == ["alex/Q0001"]


@pytest.mark.parametrize(
    ("gate", "severity", "drawn"),
    [
        pytest.param(SAMPLE, Severity.ERROR, [], id="error"),
        pytest.param(ALL, Severity.WARNING, [], id="policy-all"),
        pytest.param(SAMPLE, Severity.WARNING, ["alex"], id="drawn"),
    ],
)
def test_a_conversation_is_held_for_errors_draws_and_by_policy(
    gate: GateSection, severity: Severity, drawn: list[str]
) -> None:
    """As a question is."""
    (case,) = judge(gate, {"alex": [_finding(severity, "alex")]}, drawn, ["alex"], {})
    assert (case.record, case.standing) == ("alex", PENDING)


def test_a_rejected_conversation_stays_rejected_though_only_a_warning_is_left() -> None:
    """What people said of this state holds."""
    borne = {"alex": [_finding(Severity.WARNING, "alex")]}
    (case,) = judge(SAMPLE, borne, [], ["alex"], {"alex": Ruling.REJECT})
    assert (case.standing, case.reason) == (REJECTED, "decided")


@pytest.fixture(scope="module")
def alex() -> Bundle:
    """A bundle with two assets, a fact, a mention and four questions."""
    return bundle("alex", "Luna", "red", MemoryBlobs())


@pytest.mark.parametrize(
    ("target", "bearers"),
    [
        pytest.param("alex/Q0001", ["alex/Q0001"], id="question"),
        pytest.param("alex", ["alex"], id="conversation"),
        pytest.param("alex/F0001", ["alex"], id="fact"),
        pytest.param("alex/M0001", ["alex"], id="mention"),
        pytest.param("alex/D1_IMG_001", ["alex/Q0002"], id="asset-that-is-an-answer"),
        pytest.param("alex/D10_IMG_001", [], id="asset-nobody-cites"),
        pytest.param("alex/Q0099", ["alex/Q0099"], id="held-out-before"),
    ],
)
def test_who_bears_a_finding(alex: Bundle, target: str, bearers: list[str]) -> None:
    """What cannot leave its conversation is borne by what can."""
    kinds = {record.id: kind_of(record) for record in alex.records()}
    flaw = _finding(Severity.ERROR, target)
    found = findings_by_record(alex.id, [flaw], kinds, {alex.id: alex}.__getitem__)
    assert list(found) == bearers


@pytest.mark.parametrize(
    ("record", "assets"),
    [
        ("alex", ["alex/D1_IMG_001", "alex/D10_IMG_001"]),
        ("alex/Q0001", ["alex/D1_IMG_001"]),
        ("alex/Q0002", ["alex/D1_IMG_001"]),
        ("alex/Q0003", []),
        ("alex/Q0004", ["alex/D10_IMG_001"]),
    ],
)
def test_a_reviewer_sees_the_images_of_the_rounds_cited(
    alex: Bundle, record: str, assets: list[str]
) -> None:
    """For a conversation all of its history's, for a question those of its evidence."""
    assert assets_seen(alex, record) == assets
