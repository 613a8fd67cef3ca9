"""Retrievers on small corpora by hand, and BM25 on the real scenarios against bm25s itself."""

import json
import logging
import math
from pathlib import Path
from statistics import fmean
from typing import Any

import bm25s
import pytest

from memassay.exports.lifecycle.memories.retrievers import (
    RETRIEVERS,
    Document,
    RetrievalQuery,
    build_retriever,
)
from memassay.exports.scores.retrieval_metrics import (
    score_retrieval,
    score_retrieval_as_mem_gallery,
)
from memassay.schemas.errors import UsageError

CUTOFF = 10
FRUIT = [
    Document("D1:1", "Apple and banana", 1),
    Document("D1:2", "apple, apple, cherry!", 1),
    Document("D2:1", "Dates.", 2),
    Document("D10:1", "banana bread", 10),
]
EVERY_ID = ["D1:1", "D1:2", "D2:1", "D10:1"]


def _rank(name: str, text: str, evidence: tuple[str, ...] = ()) -> list[str]:
    return build_retriever(name, FRUIT).rank(RetrievalQuery(text, evidence))


def _lucene(word_count: int, length: int, mean_length: float, found_in: int, total: int) -> float:
    """One word's BM25 weight by Lucene's formula, written down from the paper."""
    rarity = math.log(1 + (total - found_in + 0.5) / (found_in + 0.5))
    return rarity * word_count / (word_count + 1.5 * (0.25 + 0.75 * length / mean_length))


def test_bm25_ranks_by_lucenes_formula() -> None:
    """Two of three words beat one of two; documents without the word keep their order."""
    mean_length = (2 + 3 + 1 + 2) / 4
    assert _lucene(2, 3, mean_length, 2, 4) > _lucene(1, 2, mean_length, 2, 4)
    assert _rank("bm25", "Which apple?") == ["D1:2", "D1:1", "D2:1", "D10:1"]


def test_bm25_scores_are_lucenes() -> None:
    """The defaults of the installed bm25s are the ones the docstring promises."""
    index = bm25s.BM25()
    index.index(
        bm25s.tokenize([each.text for each in FRUIT], show_progress=False), show_progress=False
    )
    expected = [_lucene(1, 2, 2, 2, 4), _lucene(2, 3, 2, 2, 4), 0, 0]
    assert index.get_scores(["apple"]).tolist() == pytest.approx(expected, rel=1e-5)


def test_bm25_breaks_ties_by_document_order() -> None:
    """Equal texts have equal scores and stand as they came, however many there are."""
    documents = [Document(f"D1:{n}", "same words here", 1) for n in range(1, 41)]
    ranked = build_retriever("bm25", documents).rank(RetrievalQuery("words"))
    assert ranked == [document.id for document in documents]


@pytest.mark.parametrize("question", ["", "the of and", "zebra", "x ? !"])
def test_bm25_without_a_known_word_keeps_the_order(question: str) -> None:
    """No word, only stop words, or unknown words: every document, in order."""
    assert _rank("bm25", question) == EVERY_ID


@pytest.mark.parametrize("texts", [[], [""], ["the", "of it"]])
def test_bm25_takes_documents_without_words(texts: list[str]) -> None:
    """An empty conversation, or one of stop words, is ranked and not a crash."""
    documents = [Document(f"D1:{n}", text, 1) for n, text in enumerate(texts, start=1)]
    ranked = build_retriever("bm25", documents).rank(RetrievalQuery("apple"))
    assert ranked == [document.id for document in documents]


def test_bm25_is_silent(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """No progress bar, and no debug message of the library for the application's handlers."""
    with caplog.at_level(logging.DEBUG):
        _rank("bm25", "apple")
    output = capfd.readouterr()
    assert (output.out, output.err, caplog.records) == ("", "", [])


def test_fifo_takes_the_latest() -> None:
    """The order of the documents reversed, whatever the ids look like."""
    assert _rank("fifo", "apple") == ["D10:1", "D2:1", "D1:2", "D1:1"]


def test_full_context_takes_all_in_order() -> None:
    """Everything, as it came."""
    assert _rank("full-context", "apple") == EVERY_ID


def test_oracle_session_gives_whole_sessions() -> None:
    """All rounds of the gold sessions; session 1 is not session 10."""
    assert _rank("oracle-session", "apple", ("D1:2",)) == ["D1:1", "D1:2"]
    assert _rank("oracle-session", "apple", ("D10:1",)) == ["D10:1"]


@pytest.mark.parametrize("name", [name for name in RETRIEVERS if name != "dense"])
def test_only_oracles_look_at_the_evidence(name: str) -> None:
    """For the others the evidence of the query changes nothing."""
    same = _rank(name, "apple", ("D2:1",)) == _rank(name, "apple", ("D10:1",))
    assert same is not name.startswith("oracle")


def test_an_unknown_reader_is_named() -> None:
    """The message lists the readers there are."""
    with pytest.raises(UsageError, match=r"bm25.*got 'bm52'"):
        build_retriever("bm52", FRUIT)


def test_a_repeated_document_is_an_error() -> None:
    """Two rounds of one id cannot be told apart in a ranking."""
    with pytest.raises(UsageError, match="'D1:1' twice"):
        build_retriever("fifo", [FRUIT[0], FRUIT[0]])


@pytest.fixture(scope="module")
def scenarios(real_data: Path) -> dict[str, dict[str, Any]]:
    """The real Mem-Gallery scenarios by file name, as plain JSON."""
    folder = real_data / "mem-gallery" / "dialog"
    if not folder.is_dir():
        pytest.skip("no real data: mem-gallery/dialog is not in the folder of real data")
    paths = sorted(folder.glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def _recalls_by_bm25s_alone(scenario: dict[str, Any]) -> list[float]:
    """Recall@10 of each question with clues, by bm25s's own retrieve and nothing of ours."""
    sessions = scenario["multi_session_dialogues"]
    rounds = [each for session in sessions for each in session["dialogues"]]
    texts = [f"{each['user']}\n{each['assistant']}" for each in rounds]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    recalls = []
    for question in scenario["human-annotated QAs"]:
        if clues := set(question["clue"]):
            words = bm25s.tokenize(question["question"], show_progress=False)
            found = index.retrieve(words, k=CUTOFF, show_progress=False).documents[0]
            recalls.append(len(clues & {rounds[at]["round"] for at in found}) / len(clues))
    return recalls


def _retrieved_by_us(
    scenario: dict[str, Any], name: str
) -> list[tuple[list[str], list[list[str]]]]:
    """Ranking and evidence groups of every question, by one of our retrievers."""
    documents = [
        Document(each["round"], f"{each['user']}\n{each['assistant']}", number)
        for number, session in enumerate(scenario["multi_session_dialogues"], start=1)
        for each in session["dialogues"]
    ]
    retriever = build_retriever(name, documents)
    return [
        (
            retriever.rank(RetrievalQuery(question["question"], question["clue"])),
            [[clue] for clue in question["clue"]],
        )
        for question in scenario["human-annotated QAs"]
    ]


def test_bm25_on_real_scenarios_equals_bm25s_alone(scenarios: dict[str, dict[str, Any]]) -> None:
    """Recall@10 of every question with clues is the independent one; its mean rounds to 0.51."""
    recalls: list[float] = []
    for name, scenario in scenarios.items():
        scored = (score_retrieval(*each, CUTOFF) for each in _retrieved_by_us(scenario, "bm25"))
        ours = [score.recall for score in scored if score is not None]
        assert ours == pytest.approx(_recalls_by_bm25s_alone(scenario)), name
        recalls += ours
    assert f"{fmean(recalls):.2f}" == "0.51"


def test_sessions_with_evidence_have_everything_on_real_scenarios(
    scenarios: dict[str, dict[str, Any]],
) -> None:
    """Without a cutoff their recall is 1; upstream's count falls short of it."""
    items = [each for one in scenarios.values() for each in _retrieved_by_us(one, "oracle-session")]
    scored = (score_retrieval(*item, None) for item in items)
    ours = [score.recall for score in scored if score is not None]
    upstream = [score_retrieval_as_mem_gallery(*item, None).recall for item in items]
    assert set(ours) == {1.0}
    assert fmean(upstream) == pytest.approx(len(ours) / len(items))
