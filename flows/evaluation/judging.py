"""A model that judges answers, named by a file: prompt, model, and how its reply is read."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from memassay.exports.lifecycle.points import point_content
from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.exports.scores.answer_evaluation import gold_answers
from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.named_models import NamedModel, read_section
from memassay.flows.evaluation.model_settings import EvaluationSection
from memassay.flows.evaluation.verdicts import RIGHT, wrong_verdict
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.errors import AuthorError, UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.probe_tasks import JUDGES, answer_judgement

STAGE: Final = "judging"
"""Under which calls for judgements are in what a workspace has cost."""
_OPTION: Final = "--judge"
SHIPPED: Final[Mapping[str, tuple[str, str]]] = {
    "mem-gallery": ("judge_mem_gallery", "score"),
    "m2a": ("judge_m2a", "label"),
    "memassay": ("judge_answer", "verdict"),
}
"""Prompts of ours and of papers (Mem-Gallery Figure 10, M2A D.3), and how replies are read."""


class JudgeSection(EvaluationSection):
    """The file that names a judge; its settings are WorldMemArena's (Appendix A)."""

    prompt: Annotated[
        str,
        Field(description="mem-gallery, m2a or memassay, or a Markdown file of your own."),
    ] = "memassay"
    parser: Annotated[
        Literal["score", "label", "verdict"] | None,
        Field(description="How the reply to a prompt of your own is read."),
    ] = None
    entries: Annotated[
        bool, Field(description="Whether it also says what entries of memories say.")
    ] = True
    concurrency: Annotated[
        int, Field(ge=1, le=1000, exclude=True, description="Calls at once.")
    ] = 5


@dataclass(frozen=True)
class Judgement:
    """What a judge thinks of an answer.

    Attributes:
        score: From 0 to 1.
        verdict: What the answer is; None where the judge tells only right from wrong.
    """

    score: float
    verdict: Verdict | None

    def verdict_on(self, item: QAItem, answer: str) -> Verdict:
        """What the answer is; where the judge tells only how right, by whether it refuses."""
        if self.verdict is not None:
            return self.verdict
        if self.score >= RIGHT:
            return Verdict.CORRECT
        return wrong_verdict(item, answer)


class Judge:
    """A model that judges answers.

    Attributes:
        name: What its scores are called, e.g. `judge mem-gallery`.
        identity: What its judgements depend on.
        pool: Reaches the model.
        judges_entries: Whether it also says what entries of memories say.
    """

    def __init__(self, pool: AuthorPool, section: JudgeSection, folder: Path) -> None:
        """Find the prompt.

        Args:
            pool: Reaches the model.
            section: What the file says.
            folder: Where the file is.

        Raises:
            UsageError: There is no such prompt, or nothing says how its reply is read.
        """
        self.pool = pool
        self.judges_entries = section.entries
        self.identity = section.model_dump(mode="json")
        prompt, parser = SHIPPED.get(section.prompt, (str(folder / section.prompt), ""))
        if section.prompt not in SHIPPED and not Path(prompt).is_file():
            raise UsageError(
                f"{_OPTION} prompt: expected one of {', '.join(SHIPPED)}, or a Markdown file, got "
                f"'{section.prompt}'"
            )
        parser = section.parser or parser
        if not parser:
            raise UsageError(
                f"{_OPTION} parser: expected one of {', '.join(JUDGES)} with a prompt of your own, "
                "got none; say how its reply is read"
            )
        self._prompt, self._reply = prompt, JUDGES[parser]
        self.name = f"judge {Path(section.prompt).stem}"

    def judge(self, answered: Iterable[tuple[Bundle, QAItem, str]]) -> dict[str, Judgement | None]:
        """By id of an item, what the judge thinks of its answer; None where no reply is usable.

        Raises:
            EndpointError: The endpoint answers nobody.
        """
        asked = list(answered)
        replies = self.pool.each(asked, self._one)
        return {item.id: reply for (_, item, _), reply in zip(asked, replies, strict=True)}

    async def _one(self, asked: tuple[Bundle, QAItem, str]) -> Judgement | None:
        bundle, item, answer = asked
        facts = {fact.id: fact for fact in bundle.facts}
        rests_on = [point_content(facts[name]) for name in item.evidence.facts if name in facts]
        inputs = {
            "question": item.question.text,
            "gold": "; or: ".join(gold_answers(item)),
            "answer": answer,
            "evidence": "\n".join(rests_on) or "No evidence available.",
        }
        task = answer_judgement(self._prompt, self._reply, inputs, item.id)
        try:
            return _as_judgement(await self.pool.write(task, CallTrace(STAGE)))
        except AuthorError:
            return None


def _as_judgement(reply: BaseModel) -> Judgement:
    said: dict[str, Any] = reply.model_dump()
    if "score" in said:
        return Judgement(float(said["score"]), None)
    if "label" in said:
        return Judgement(float(said["label"] == "CORRECT"), None)
    verdict = Verdict(said["verdict"])
    return Judgement(float(verdict is Verdict.CORRECT), verdict)


@contextmanager
def open_judge(path: Path, workspace: Workspace) -> Iterator[Judge]:
    """The judge that a file names, with the replies and costs of a workspace.

    Raises:
        UsageError: The file cannot be used, or its key is not there.
    """
    section = read_section(path, _OPTION, JudgeSection)
    with NamedModel(path, _OPTION, section).open(workspace, NoBytes()) as pool:
        yield Judge(pool, section, path.parent)
