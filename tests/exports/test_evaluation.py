"""Scoring memories and files of answers on a release."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.release_builder import content, mem_gallery_bundle, question

from memassay.exports.formats.locomo.metrics import METRICS as LOCOMO_METRICS
from memassay.exports.formats.m3exam.metrics import METRICS as M3EXAM_METRICS
from memassay.exports.lifecycle.evaluation import evaluate_memory
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.writer import write_release
from memassay.exports.scores.answer_evaluation import evaluate_predictions, gold_answers
from memassay.exports.scores.evidence import evidence_rounds
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.errors import MemassayError, UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerRelation, AskedAt, QAItem

GOLD = {
    f"{name}/Q000{number}": answer
    for name, pet in (("alex", "Luna"), ("bo", "Rex"))
    for number, answer in enumerate((pet, "D1:IMG_001", "Not mentioned.", "12 kg"), start=1)
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The small release, opened."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return open_release(folder)


@pytest.fixture
def bundle() -> Bundle:
    """The conversation `alex`."""
    return content().bundles[1]


def _file(folder: Path, *lines: Any) -> Path:
    path = folder / "predictions.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def _all(**changes: str) -> list[dict[str, Any]]:
    return [{"id": name, "answer": answer} for name, answer in {**GOLD, **changes}.items()]


def test_the_oracle_finds_all_evidence(release: Release) -> None:
    """Recall and precision are 1 over the questions that have evidence."""
    report = evaluate_memory(release, "oracle", [1, 5])
    (one, five) = (row for row in report.scores if row.variant == "memassay")
    assert (one.recall.overall.mean, five.precision.overall.mean) == (1.0, 1.0)
    assert (five.recall.overall.count, five.recall.overall.excluded) == (6, 2)


def test_the_upstream_variant_counts_questions_without_evidence(release: Release) -> None:
    """Mem-Gallery's own code scores them 0 and keeps them in the mean."""
    report = evaluate_memory(release, "oracle", [5])
    (row,) = (row for row in report.scores if row.variant == "mem-gallery")
    assert (row.recall.overall.mean, row.recall.overall.count) == (0.75, 8)


def test_fifo_finds_what_came_last(release: Release) -> None:
    """The last round is evidence of one question of four, the first of two."""
    report = evaluate_memory(release, "fifo", [1, 10])
    by_type = report.scores[0].recall.by_benchmark_type
    assert {code: summary.mean for code, summary in by_type.items()} == {
        "AR": None,
        "FR": 0.5,
        "VS": 0.0,
    }
    assert report.scores[1].recall.overall.mean == 1.0


@pytest.mark.parametrize("name", ["full-context", "oracle-session"])
def test_what_does_not_rank_has_no_cutoff(release: Release, name: str) -> None:
    """Everything it gives counts."""
    report = evaluate_memory(release, name, [1, 5])
    assert {row.cutoff for row in report.scores} == {None}
    assert report.scores[0].recall.overall.mean == 1.0


def test_a_report_is_plain_json(release: Release) -> None:
    """It renders to a document with counts and intervals, the same every time."""
    report = evaluate_memory(release, "bm25", [3]).model_dump(mode="json")
    again = evaluate_memory(release, "bm25", [3]).model_dump(mode="json")
    assert json.dumps(report) == json.dumps(again)
    overall = report["scores"][0]["recall"]["overall"]
    assert set(overall) == {"count", "excluded", "mean", "low", "high"}
    assert overall["low"] <= overall["mean"] <= overall["high"]


@pytest.mark.parametrize("cutoffs", [[], [0], [5, -1]])
def test_senseless_cutoffs_are_refused(release: Release, cutoffs: list[int]) -> None:
    """No cutoff, or one below 1, is wrong use."""
    with pytest.raises(UsageError, match="cutoffs: expected whole numbers from 1"):
        evaluate_memory(release, "bm25", cutoffs)


def test_evidence_after_asking_cannot_be_found(bundle: Bundle) -> None:
    """Even the oracle misses it, and recall shows that."""
    early = bundle.questions[3].model_copy(update={"asked_at": AskedAt(session="D2")})
    reader = _reader([bundle.model_copy(update={"questions": [early]})])
    report = evaluate_memory(reader, "oracle", [5])
    assert report.scores[0].recall.overall.mean == 0.0


def test_evidence_becomes_rounds(bundle: Bundle) -> None:
    """Turns and images stand for their round, sessions for each of theirs, strays for nothing."""
    places = ["D1:1.2", "D1:IMG_001", "D2", "D77:1"]
    item = question("alex/Q0007", "?", Answer(format=AnswerFormat.FREE, values=["x"]), places)
    assert evidence_rounds(bundle, item) == [["D1:1"], ["D1:1"], ["D2:1"], ["D77:1"]]


def _reader(bundles: list[Bundle]) -> Any:
    def read(_tables: Sequence[str] = ()) -> Iterator[Bundle]:
        return iter(bundles)

    return SimpleNamespace(
        bundles=read, blobs=NoBytes(), manifest=SimpleNamespace(name="x", version="1")
    )


def test_bm25_on_the_real_scenarios(real_data: Path) -> None:
    """BM25 over user and assistant text finds half of the evidence among ten rounds."""
    paths = sorted((real_data / "mem-gallery" / "dialog").glob("*.json"))
    if not paths:
        pytest.skip("no Mem-Gallery scenarios among the real data")
    report = evaluate_memory(_reader([mem_gallery_bundle(path) for path in paths]), "bm25", [10])
    recall = report.scores[0].recall.overall
    if len(paths) == 12:
        assert (recall.count, recall.excluded) == (956, 120)
        assert recall.mean == pytest.approx(0.51, abs=0.005)
    assert 0.4 < (recall.mean or 0) < 0.6


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (lambda _item, _answer: 6.0, r": expected a number from 0 to 1 or None, got 6.0; mend "),
        (lambda _item, _answer: "good", r": expected a number from 0 to 1 or None, got 'good'; "),
        (lambda item, _answer: item.nothing, r" raised AttributeError: .*; mend the package"),
    ],
)
def test_a_metric_that_goes_wrong_is_named(
    release: Release, tmp_path: Path, metric: Any, said: str
) -> None:
    """With the collection, the item and the package that has to be mended."""
    (collection,) = {one.conversation.collection for one in release.bundles()}
    metrics, file = {collection: {"odd": metric}}, _file(tmp_path, *_all())
    with pytest.raises(MemassayError, match=rf"^metric odd of {collection} on alex/Q\w+{said}"):
        evaluate_predictions(release, file, metrics=metrics)


def test_gold_answers_score_one(release: Release, tmp_path: Path) -> None:
    """Answering with the gold gives 1 in every variant and nothing to report."""
    report = evaluate_predictions(release, _file(tmp_path, *_all()))
    assert (report.answered, report.missing, report.unknown) == (8, [], [])
    for variant in ("mem-gallery", "mem-gallery-paper"):
        for name in ("em", "f1", "bleu-1"):
            assert report.answers[variant][name].overall.mean == 1.0
    assert report.answers["closed"]["image-ids"].overall.count == 2
    assert report.answers["closed"]["refusal"].overall.mean == 1.0
    assert (report.retrieval, report.seconds) == ([], None)


def test_a_missing_answer_scores_zero(release: Release, tmp_path: Path) -> None:
    """It is listed, counted and never excluded."""
    lines = [line for line in _all() if line["id"] != "bo/Q0001"]
    report = evaluate_predictions(release, _file(tmp_path, *lines))
    assert (report.answered, report.missing) == (7, ["bo/Q0001"])
    overall = report.answers["mem-gallery"]["em"].overall
    assert (overall.count, overall.mean) == (8, 7 / 8)


def test_answers_are_taken_from_python(release: Release, tmp_path: Path) -> None:
    """By id, or as rows, they score as the file of them does."""
    rows = _all()
    by_file = evaluate_predictions(release, _file(tmp_path, *rows))
    assert evaluate_predictions(release, rows) == by_file
    assert evaluate_predictions(release, {row["id"]: row["answer"] for row in rows}) == by_file


def test_what_was_retrieved_may_be_turns(release: Release) -> None:
    """They are of their rounds; ids that no history has would score 0 in silence."""

    def found(ending: str) -> list[dict[str, Any]]:
        golds = {item.id: item for bundle in release.bundles() for item in bundle.questions}
        places = {name: item.evidence.canonical for name, item in golds.items()}
        return [
            {**row, "retrieved": [f"{place}{ending}" for place in places[row["id"]]]}
            for row in _all()
        ]

    rounds, turns = (evaluate_predictions(release, found(ending)) for ending in ("", ".1"))
    assert turns.retrieval == rounds.retrieval != []
    with pytest.raises(UsageError, match=r"retrieved: expected ids of rounds of the history"):
        evaluate_predictions(release, found(" no place"))


def test_answers_to_something_else_are_refused(release: Release) -> None:
    """Where no id is known, a score of 0 would say nothing; neither would one of no answers."""
    with pytest.raises(UsageError, match=r"such as 'alex/Q0001', got 'zoe/Q0001'"):
        evaluate_predictions(release, {"zoe/Q0001": "Luna"})
    with pytest.raises(UsageError, match="got none"):
        evaluate_predictions(release, [])


def test_repeated_and_unknown_ids_are_reported(release: Release, tmp_path: Path) -> None:
    """The first answer counts; an id the release does not have is not scored."""
    extra = [{"id": "bo/Q0001", "answer": "wrong"}, {"id": "carl/Q0001", "answer": "x"}]
    report = evaluate_predictions(release, _file(tmp_path, *_all(), *extra, *extra))
    assert (report.repeated, report.unknown) == (["bo/Q0001", "carl/Q0001"], ["carl/Q0001"])
    assert report.answers["mem-gallery"]["em"].overall.mean == 1.0


def test_retrieved_rounds_and_seconds_are_scored(release: Release, tmp_path: Path) -> None:
    """What was retrieved is scored at the cutoffs and as a whole."""
    lines = [
        {**line, "retrieved": ["D2:1", "D1:1"], "seconds": 2}
        for line in _all()
        if "alex" in line["id"]
    ]
    others = [line for line in _all() if "bo" in line["id"]]
    report = evaluate_predictions(release, _file(tmp_path, *lines, *others), [1])
    one, whole = (row for row in report.retrieval if row.variant == "memassay")
    assert (one.cutoff, one.recall.overall.mean) == (1, 0.0)
    assert whole.cutoff is None
    assert whole.recall.overall.mean == pytest.approx(2 / 3)
    assert whole.recall.overall.excluded == 5
    assert report.seconds is not None
    assert (report.seconds.count, report.seconds.mean) == (4, 2.0)


BAD_LINES = {
    "not json": ("{oops", "expected one JSON object"),
    "not an object": ('["x"]', "expected one JSON object, got list"),
    "no id": ('{"answer": "x"}', r"\.id: Field required"),
    "no answer": ('{"id": "x"}', r"\.answer: Field required"),
    "answer not a text": ('{"id": "x", "answer": 3}', r"\.answer: Input should be a valid string"),
    "unknown key": ('{"id": "x", "answer": "", "retreived": []}', r"\.retreived: Extra inputs"),
    "nan": ('{"id": "x", "answer": "", "seconds": NaN}', "finite number"),
    "negative time": ('{"id": "x", "answer": "", "seconds": -1}', r"\.seconds: "),
    "rounds not a list": ('{"id": "x", "answer": "", "retrieved": "D1:1"}', r"\.retrieved: "),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_named(release: Release, tmp_path: Path, name: str) -> None:
    """The message gives the file, the number of the line, what is wrong and an example."""
    line, message = BAD_LINES[name]
    path = _file(tmp_path, *_all()[:2], "", line)
    with pytest.raises(UsageError, match=rf"predictions\.jsonl:4.*{message}.*write it as"):
        evaluate_predictions(release, path)


def test_a_missing_file_of_predictions_is_named(release: Release, tmp_path: Path) -> None:
    """The message gives its path."""
    with pytest.raises(UsageError, match=r"nowhere\.jsonl: expected a file of predictions"):
        evaluate_predictions(release, tmp_path / "nowhere.jsonl")


def test_gold_of_several_values() -> None:
    """All values are one answer where all are needed; else the first is gold."""
    every = Answer(format=AnswerFormat.FREE, values=["a", "b"], relation=AnswerRelation.ALL)
    first = every.model_copy(update={"relation": AnswerRelation.ONE, "equivalents": ["A"]})
    none = every.model_copy(update={"values": []})
    golds = [gold_answers(question("x/Q1", "?", one, [])) for one in (every, first, none)]
    assert golds == [["a, b"], ["a", "A"], []]


def _in_collection(bundle: Bundle, collection: str, items: list[QAItem]) -> Bundle:
    conversation = bundle.conversation.model_copy(update={"collection": collection})
    return bundle.model_copy(update={"conversation": conversation, "questions": items})


def test_locomo_is_scored_by_category(bundle: Bundle, tmp_path: Path) -> None:
    """Lists are split at commas in category 1, a refusal without gold is right in category 5."""
    free = Answer(format=AnswerFormat.FREE, values=["tea, milk"])
    refusal = Answer(format=AnswerFormat.REFUSAL, values=[])
    items = [
        question("alex/Q1", "Drinks?", free, ["D1:1"], benchmark_type="1"),
        question("alex/Q2", "Cat?", refusal, [], benchmark_type="5", answerable=False),
    ]
    reader = _reader([_in_collection(bundle, "locomo", items)])
    lines = [{"id": "alex/Q1", "answer": "milk, tea"}, {"id": "alex/Q2", "answer": "Not mentioned"}]
    metrics = {"locomo": LOCOMO_METRICS}
    report = evaluate_predictions(reader, _file(tmp_path, *lines), metrics=metrics)
    assert report.answers["locomo"]["score"].overall.mean == 1.0
    general = report.answers["mem-gallery"]["f1"].overall
    assert (general.count, general.excluded) == (1, 1)


def test_m3exam_totals_leave_out_what_it_scores_otherwise(bundle: Bundle, tmp_path: Path) -> None:
    """Image matches and judgements are in no F1; a coarser gold earns a part."""
    free = Answer(format=AnswerFormat.FREE, values=["10 May 2023"], coarser=["May 2023"])
    image = Answer(format=AnswerFormat.IMAGE_ID, values=["img_60"], competitors=["img_61"])
    items = [
        question("alex/Q1", "When?", free, ["D1:1"], benchmark_type="tr"),
        question("alex/Q2", "Which?", image, ["D1:1"], benchmark_type="fm"),
    ]
    reader = _reader([_in_collection(bundle, "m3exam", items)])
    lines = [{"id": "alex/Q1", "answer": "May 2023"}, {"id": "alex/Q2", "answer": "img_60"}]
    metrics = {"m3exam": M3EXAM_METRICS}
    report = evaluate_predictions(reader, _file(tmp_path, *lines), metrics=metrics)
    scores = report.answers["m3exam"]
    assert (scores["em"].overall.count, scores["em"].overall.mean) == (1, 0.5)
    assert (scores["f1"].overall.count, scores["file-match"].overall.mean) == (1, 1.0)


def test_types_are_named_by_collection_where_there_are_several(bundle: Bundle) -> None:
    """`1` of LoCoMo and `1` of M2A are different types."""
    other = content().bundles[0]
    reader = _reader(
        [
            _in_collection(bundle, "locomo", bundle.questions[:1]),
            _in_collection(other, "m2a", other.questions[:1]),
        ]
    )
    report = evaluate_memory(reader, "oracle", [1])
    assert list(report.scores[0].recall.by_benchmark_type) == ["locomo/FR", "m2a/FR"]
