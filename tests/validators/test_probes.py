"""Probes: what is shown of a history, and what the answers say of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from support.fixtures import asset, attached, bundle, item, png, session, utterance

from memassay.schemas.base import Modality
from memassay.schemas.contracts.readings import Condition
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Probe, Verdict
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AskedAt, QAItem
from memassay.validators.certificates.certify import certify
from memassay.validators.certificates.probes import conditions, doubts, probes

HISTORY = [
    session(
        1, utterance("D1:1", "I keep bees.", attachments=[attached("D1:IMG_001", caption="a hive")])
    ),
    session(2, utterance("D2:1", "It rained.")),
    session(3, utterance("D3:1", "It snowed.")),
    session(4, utterance("D4:1", "The sun came out.")),
]


@dataclass
class Book:
    """Says by condition what it was told to, else that it does not know."""

    said: Mapping[str, str]
    name: str = "book"

    def answers(self, bundle: Bundle, item: QAItem, conditions: Sequence[Condition]) -> list[str]:
        """What was told."""
        del bundle, item
        return [self.said.get(one.name, "Not mentioned.") for one in conditions]


def _asked(**more: object) -> QAItem:
    return item(evidence=["D1:1"], **more)


def _bundle(question: QAItem) -> Bundle:
    return bundle(question, asset(data=png(7)), sessions=HISTORY)


def _score(question: QAItem, said: str) -> float:
    if not question.answerable:
        return float(said == "Not mentioned.")
    return float(said in question.answer.values)


def test_each_condition_shows_its_part_of_the_history() -> None:
    """Nothing, the evidence, all else, the last two sessions; captions where an image is asked."""
    question = _asked(modalities=[Modality.IMAGE])
    shown = {one.name: one for one in conditions(_bundle(question), question)}
    assert shown["closed-book"].rounds is None
    assert shown["evidence-only"].rounds == ("D1:1",)
    assert shown["all-but-evidence"].rounds == ("D2:1", "D3:1", "D4:1")
    assert shown["last-sessions"].rounds == ("D3:1", "D4:1")
    assert shown["caption-only"] == Condition("caption-only", ("D1:1",), images=False)


def test_nothing_is_shown_that_comes_after_the_asking() -> None:
    """A question asked after the second session is not probed with the third."""
    question = _asked(asked_at=AskedAt(session="D2"))
    shown = {one.name: one.rounds for one in conditions(_bundle(question), question)}
    assert shown["all-but-evidence"] == ("D2:1",)
    assert shown["last-sessions"] == ("D1:1", "D2:1")
    assert "caption-only" not in shown


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("closed-book", "found without the history"),
        ("all-but-evidence", "without the evidence cited"),
        ("last-sessions", "without the evidence cited"),
        ("caption-only", "Captions give the gold"),
    ],
)
def test_an_answer_that_should_not_be_found_is_doubted(name: str, doubt: str) -> None:
    """Each probe that a right question fails says so in a sentence of its own."""
    question = _asked(modalities=[Modality.IMAGE])
    whole, gold = _bundle(question), question.answer.values[0]
    found = probes(whole, question, Book({"evidence-only": gold, name: gold}), _score)
    (said,) = doubts(whole, question, found)
    assert doubt in said


def test_evidence_that_does_not_give_the_gold_is_doubted() -> None:
    """In every form; what else was right may have been a guess in a closed one."""
    question = _asked(format=AnswerFormat.YES_NO, values=["yes"])
    whole = _bundle(question)
    found = probes(whole, question, Book({"closed-book": "yes"}), _score)
    assert doubts(whole, question, found) == [
        "The evidence by itself does not give the gold answer."
    ]


def test_a_question_without_an_answer_must_find_none() -> None:
    """Found somewhere, an answer is doubted; there is no evidence to be shown by itself."""
    question = _asked(answerable=False, values=[])
    whole = _bundle(question)
    quiet = probes(whole, question, Book({}), _score)
    assert [one.name for one in quiet] == ["all-but-evidence", "last-sessions"]
    assert doubts(whole, question, quiet) == []
    told = probes(whole, question, Book({"all-but-evidence": "bees"}), _score)
    assert "should be none" in doubts(whole, question, told)[0]


def test_a_certificate_takes_probes_of_the_same_content_over() -> None:
    """And is doubtful by them; probes of another state of the item are not its own."""
    question = _asked()
    whole = _bundle(question)
    probe = Probe(name="closed-book", answerer="book", answer="x", score=1.0)
    (plain,) = certify(whole, [])
    (probed,) = certify(whole, [], {content_hash(question): [probe]})
    (other,) = certify(whole, [], {"0" * 64: [probe]})
    assert (probed.probes, probed.verdict) == ([probe], Verdict.DOUBTFUL)
    assert other == plain
