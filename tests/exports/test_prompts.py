"""The table `eval`: how a question is put to a model, and messages that hold its history."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.release_builder import content

from memassay.exports.release.check import check_release
from memassay.exports.release.public.asking import prompt_of
from memassay.exports.release.public.messages import messages_of
from memassay.exports.release.public.tables import offered_rows
from memassay.exports.release.writer import write_release
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    AskedAt,
    QAItem,
)

LETTERS = [AnswerOption(label="A", text="ash"), AnswerOption(label="B", text="oak")]


@pytest.fixture
def bundle() -> Bundle:
    """The conversation `alex`."""
    return content().bundles[1]


def _with(bundle: Bundle, at: int = 0, **changes: Any) -> tuple[QAItem, Bundle]:
    """One question changed, and its conversation."""
    questions = list(bundle.questions)
    questions[at] = questions[at].model_copy(update=changes)
    return questions[at], bundle.model_copy(update={"questions": questions})


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        (Answer(format=AnswerFormat.FREE, values=["x"]), "Answer in a few words."),
        (Answer(format=AnswerFormat.NUMBER, values=["6 kg"]), "Answer in a few words."),
        (Answer(format=AnswerFormat.YES_NO, values=["yes"]), "Answer yes or no."),
        (
            Answer(format=AnswerFormat.CHOICE, values=["B"], options=LETTERS),
            "Answer with the letter of one option only.",
        ),
        (
            Answer(format=AnswerFormat.FREE, values=["x", "y"], relation=AnswerRelation.ORDERED),
            "List them in order.",
        ),
    ],
)
def test_a_prompt_demands_a_form(bundle: Bundle, answer: Answer, form: str) -> None:
    """It is that of the kind of answer, and says what to answer where the history has none."""
    item, changed = _with(bundle, answer=answer)
    asked, _, last = prompt_of(item, changed).rpartition("\n")
    assert asked.startswith(item.question.text)
    assert all(option.text in asked for option in answer.options)
    assert last == f"{form} If the history does not say it, answer: Not mentioned."


def test_days_are_written_alike_in_all_short_answers(bundle: Bundle) -> None:
    """One day among the golds asks for ISO days everywhere, so that no prompt names a day."""
    day = Answer(format=AnswerFormat.DATE, values=["2024-05-06"])
    _, dated = _with(bundle, at=3, answer=day)
    prompts = [prompt_of(item, dated).rpartition("\n")[2] for item in dated.questions]
    assert prompts[0] == prompts[2] == prompts[3]
    assert "YYYY-MM-DD" in prompts[0]


def test_a_refusal_is_asked_as_its_twin_is(bundle: Bundle) -> None:
    """The form says nothing of whether there is an answer."""
    order = Answer(format=AnswerFormat.FREE, values=["x", "y"], relation=AnswerRelation.ORDERED)
    twin, changed = _with(bundle, answer=order)
    refusal, changed = _with(changed, at=2, twin_of=twin.id)
    assert not refusal.answerable
    last = [prompt_of(one, changed).rpartition("\n")[2] for one in (twin, refusal)]
    assert last[0] == last[1]


def test_a_row_names_the_sessions_that_may_be_looked_back_on(bundle: Bundle) -> None:
    """The history is in another table; a question that is asked early sees its beginning."""
    item, changed = _with(bundle, asked_at=AskedAt(session="D2"))
    rows = {row["prompt"]: row for row in offered_rows("eval", changed)}
    assert rows[prompt_of(item, changed)]["sessions"] == ["D1", "D2"]
    assert {len(row["sessions"]) for row in rows.values()} == {2, 10}


def test_a_lost_table_of_prompts_is_missed_by_the_manifest(tmp_path: Path) -> None:
    """Releases of before have none: what a release must have is what its manifest names."""
    folder = tmp_path / "tiny"
    write_release(folder, content())
    shutil.rmtree(folder / "public" / "eval")
    assert {each.rule for each in check_release(folder).findings} == {"release.file_present"}


def test_messages_hold_the_history_and_the_question(bundle: Bundle) -> None:
    """Sessions with their dates, turns by role, pictures as parts, the prompt at the end."""
    item = bundle.questions[0].model_copy(update={"asked_at": AskedAt(session="D1")})
    opening, said, reply, asked = messages_of(item, bundle, content().blobs)
    assert opening["content"].startswith("[Session D1, ")
    assert [part["type"] for part in said["content"]] == ["text", "text", "image_url"]
    assert said["content"][2]["image_url"]["url"].startswith("data:image/png;base64,")
    assert reply == {"role": "assistant", "content": "What a lovely dog!"}
    assert asked == {"role": "user", "content": prompt_of(item, bundle)}
