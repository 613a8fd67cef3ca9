"""A release as a task of Inspect AI; the extra `inspect` is needed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.release_builder import content

import memassay
from memassay.exports.release.writer import write_release

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


def _log(release: Path, folder: Path, **options: Any) -> tuple[Any, list[list[Any]]]:
    """The log of an evaluation with a mock model, and what the model was shown."""
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from memassay.inspect_tasks import release as task

    asked: list[list[Any]] = []

    def reply(messages: list[Any], *_: Any) -> ModelOutput:
        asked.append(messages)
        output = ModelOutput.from_content("mockllm", "Luna")
        # Else it is counted with a vocabulary from the network.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    options |= {"model": model, "log_dir": str(folder), "display": "none"}
    (log,) = inspect_eval(task(str(release)), **options)
    assert log.status == "success", log.error
    return log, asked


def _means(report: Mapping[str, Any]) -> dict[str, float]:
    """The means of a report under the names of the log."""
    found: dict[str, float | None] = {}
    for variant, metrics in report.items():
        for name, table in metrics.items():
            found[f"{variant}/{name}"] = table.overall.mean
            for code, one in table.by_benchmark_type.items():
                found[f"{variant}/{name}/{code}"] = one.mean
    return {name: mean for name, mean in found.items() if mean is not None}


@pytest.mark.slow
def test_a_log_scores_as_memassay_does(release: Path, tmp_path: Path) -> None:
    """Each mean of the log is that of `memassay.score` over the same answers, by type too."""
    log, asked = _log(release, tmp_path)
    answers = {sample.id: sample.output.completion for sample in log.samples}
    assert len(asked) == len(answers) == 8
    scored = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    assert scored == _means(memassay.score(release, answers).answers)
    assert 0 < scored["mem-gallery/f1"] < 1
    assert [part.type for part in asked[0][1].content] == ["text", "text", "image"]


@pytest.mark.slow
def test_a_memory_is_a_solver(release: Path, tmp_path: Path) -> None:
    """The model is shown what the memory finds, with its pictures; retrieval is scored too."""
    from memassay.inspect_tasks import memory

    log, asked = _log(release, tmp_path, solver=memory(system="bm25", top_k=1))
    rows = [
        {
            "id": sample.id,
            "answer": sample.output.completion,
            "retrieved": sample.metadata["retrieved"],
        }
        for sample in log.samples
    ]
    report = memassay.score(release, rows)
    (whole,) = (one for one in report.retrieval if one.variant == "memassay" and not one.cutoff)
    scored = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    expected = _means({**report.answers, "retrieval": {"recall": whole.recall}})
    assert {name: scored[name] for name in expected} == expected
    assert all(len(messages) == 2 for messages in asked)


def test_what_cannot_be_opened_is_no_traceback() -> None:
    """Inspect shows errors of this class alone."""
    from inspect_ai._util.error import PrerequisiteError

    from memassay.inspect_tasks import memory, release

    with pytest.raises(PrerequisiteError, match="add `-T path=FOLDER`"):
        release()
    with pytest.raises(PrerequisiteError, match="nowhere: expected a release folder"):
        release("nowhere")
    with pytest.raises(PrerequisiteError, match="got 'nope'"):
        memory(system="nope")
