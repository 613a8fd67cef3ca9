"""Models that answer from what a memory found, and models that judge answers and entries."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.model_servers.asked import Asked
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.release_builder import content

from memassay.exports.release.writer import write_release
from memassay.flows.evaluation.evaluate import Judging, MemoryOptions, evaluate_release
from memassay.schemas.errors import UsageError


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdefghijklmnop")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release: two conversations with four questions each."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


class Model:
    """A model that answers `Luna`, and takes for right what says so."""

    def __init__(self) -> None:
        """Nothing is asked yet."""
        self.asked: list[Asked] = []

    def reply(self, asked: Asked) -> Any:
        """A reply of the shape that is asked for."""
        self.asked.append(asked)
        return _reply(asked)


def _reply(asked: Asked) -> Any:
    luna = "Luna" in (asked.data() or [""])[-1]
    return {
        "ShortAnswer": {"answer": "Luna"},
        "GradedAnswer": {"score": 0.75 if luna else 0.0, "reasoning": "so"},
        "LabelledAnswer": {"label": "CORRECT" if luna else "WRONG", "reasoning": "so"},
        "JudgedAnswer": {"verdict": "correct" if luna else "omission", "reason": "so"},
        "JudgedEntries": {"entries": [{"entry": 1, "points": [1], "about": True}]},
    }[asked.schema_name]


@contextmanager
def _model(folder: Path, name: str, **more: Any) -> Iterator[tuple[Model, Path]]:
    """A model, and the file that names it."""
    model = Model()
    with running(OpenAIServer(answer=model.reply).app) as address:
        path = folder / f"{name}.yaml"
        section = {"provider": "openai", "model": "m", "base_url": f"{address}/v1", **more}
        path.write_text(yaml.safe_dump(section), encoding="utf-8")
        yield model, path


def _answers(folder: Path) -> Path:
    file = folder / "answers.jsonl"
    lines = [{"id": "alex/Q0001", "answer": "Luna"}, {"id": "alex/Q0004", "answer": "12 kg"}]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("prompt", "right"), [("mem-gallery", 0.75), ("m2a", 1.0), ("memassay", 1.0)]
)
def test_a_judge_scores_answers(release: Path, tmp_path: Path, prompt: str, right: float) -> None:
    """Its score is a metric beside the others; a missing answer scores 0."""
    with _model(tmp_path, "judge", prompt=prompt) as (model, path):
        report = evaluate_release(
            release,
            predictions=_answers(tmp_path),
            judging=Judging(path, tmp_path / "ws"),
        )
    (own,) = (
        metrics for variant, metrics in report["answers"].items() if f"judge {prompt}" in metrics
    )
    assert own[f"judge {prompt}"]["overall"]["mean"] == pytest.approx(right / 8)
    assert len(model.asked) == 2
    assert any("Luna" in asked.text for asked in model.asked)


def test_a_judge_with_labels_gives_three_shares(release: Path, tmp_path: Path) -> None:
    """Correct, hallucination and omission; the six that nobody answered are none of them."""
    with _model(tmp_path, "judge") as (_, path):
        report = evaluate_release(
            release, predictions=_answers(tmp_path), judging=Judging(path, tmp_path / "ws")
        )
    own = report["answers"]["mem-gallery"]
    found = {name: own[name]["overall"]["mean"] for name in own if name.startswith("judge")}
    assert found == {
        "judge memassay": 1 / 8,
        "judge memassay, correct": 1 / 8,
        "judge memassay, hallucination": 0.0,
        "judge memassay, omission": 1 / 8,
    }


def test_a_judge_of_ones_own_has_a_prompt_and_a_parser(release: Path, tmp_path: Path) -> None:
    """The prompt is a file beside the one that names it."""
    (tmp_path / "mine.md").write_text(
        "---\ntask: mine\nrole: judge\nversion: 1\nsource: mine\ninputs: [gold, answer]\n---\n"
        "## System\nBe strict.\n\n## User\n{{ gold }}\n{{ answer }}\n",
        encoding="utf-8",
    )
    with _model(tmp_path, "judge", prompt="mine.md", parser="label") as (model, path):
        report = evaluate_release(
            release, predictions=_answers(tmp_path), judging=Judging(path, tmp_path / "ws")
        )
    assert report["answers"]["mem-gallery"]["judge mine"]["overall"]["mean"] == 1 / 8
    assert model.asked[0].system.startswith("Be strict.")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"prompt": "nope.md"}, "expected one of mem-gallery, m2a, memassay, or a Markdown file"),
        ({"parser": "stars"}, "parser: expected"),
    ],
)
def test_a_judge_that_cannot_be_used_is_refused(
    release: Path, tmp_path: Path, more: dict[str, str], said: str
) -> None:
    """In a line that names the option."""
    with (
        _model(tmp_path, "judge", **more) as (_, path),
        pytest.raises(UsageError, match=f"--judge.*{said}"),
    ):
        evaluate_release(
            release, predictions=_answers(tmp_path), judging=Judging(path, tmp_path / "ws")
        )


def test_a_model_answers_from_what_a_memory_finds(release: Path, tmp_path: Path) -> None:
    """Its answers are scored as those of a file, and what was found is what it is shown."""
    with _model(tmp_path, "answerer") as (model, path):
        options = MemoryOptions(answerer=path)
        judging = Judging(workspace=tmp_path / "ws")
        report = evaluate_release(release, memory="oracle", options=options, judging=judging)
        assert (
            evaluate_release(release, memory="oracle", options=options, judging=judging) == report
        )
    # Both conversations have one question of which nothing is found: one request.
    assert len(model.asked) == 7
    assert report["is_answered"]
    assert report["answers"]["mem-gallery"]["em"]["overall"]["mean"] > 0
    assert report["stages"]["QA correct"]["mean"] == 0.125  # a quarter of one, none of another
    assert any("Meet my dog" in asked.text for asked in model.asked)
    assert report["lost_at"]["use"] > 0


@pytest.mark.parametrize(
    ("more", "shown"), [({}, {0, 1}), ({"images": 0}, {0}), ({"image_megabytes": 0.0}, {0})]
)
def test_who_answers_sees_pictures_of_what_was_found(
    release: Path, tmp_path: Path, more: dict[str, Any], shown: set[int]
) -> None:
    """As many as the file says, and no more bytes."""
    with _model(tmp_path, "answerer", **more) as (model, path):
        options, judging = MemoryOptions(answerer=path), Judging(workspace=tmp_path / "ws")
        evaluate_release(release, memory="oracle", options=options, judging=judging)
    assert {asked.images for asked in model.asked} == shown


def test_a_judge_says_what_entries_say(release: Path, tmp_path: Path) -> None:
    """It takes the place of the matcher, and the report says so."""
    with _model(tmp_path, "judge") as (model, path):
        report = evaluate_release(
            release, memory="append-everything", judging=Judging(path, tmp_path / "ws")
        )
    assert report["decided_by"] == "judge memassay"
    assert report["stages"]["write recall"]["mean"] == 1.0
    assert {asked.schema_name for asked in model.asked} == {"JudgedEntries"}
