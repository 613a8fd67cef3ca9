"""What Prefect shows of a run beside its tasks: names, tags, lines of log, artifacts.

All of it is for people who look; nothing is read back, and no run fails for want of it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from logging import ERROR, INFO, WARNING
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding, Severity

if TYPE_CHECKING:
    from memassay.schemas.contracts.collection import Header

SHOWN_FINDINGS: Final = 20
"""Findings of a stage that are lines of log; of more, how many there are."""
_LEVELS: Final = {Severity.ERROR: ERROR, Severity.WARNING: WARNING, Severity.INFO: INFO}
_STANDINGS: Final = ("passed", "pending", "quarantined", "rejected")


def run_name(path: str, recipe: str, seed: int) -> str:
    """Name of a flow run: `m3exam demo seed 7`."""
    return f"{path} {recipe} seed {seed}"


def task_name(stage: str, shards: Sequence[str]) -> str:
    """Name of a task run: a stage and the conversations it works on."""
    if list(shards) == ["*"]:
        return f"{stage} all"
    more = f" and {len(shards) - 2} more" if len(shards) > 2 else ""
    return f"{stage} {', '.join(shards[:2])}{more}"


def tags_of(plan: Plan) -> set[str]:
    """Tags of a flow run and of its tasks: path and recipe."""
    return {"memassay", f"path:{plan.path}", f"recipe:{plan.name}"}


class Shown:
    """Lines of log and artifacts of one flow run; made inside it."""

    def __init__(self, run: Run) -> None:
        """Tag the flow run and begin its progress."""
        from prefect import get_run_logger

        self.run = run
        self.log = get_run_logger()
        self._found: set[str] = set()
        self._progress: Any = None
        self._try(self._tag)
        self._try(self._begin)

    def _try(self, show: Callable[[], None]) -> None:
        try:
            show()
        except Exception as error:  # noqa: BLE001 - no run fails for want of a display
            self.log.debug("not shown: %s", error)

    def _tag(self) -> None:
        from prefect import get_client
        from prefect.context import FlowRunContext

        context = FlowRunContext.get()
        if context is None or context.flow_run is None:
            return
        tags = {*context.flow_run.tags, *tags_of(self.run.plan)}
        if tags != {*context.flow_run.tags}:
            with get_client(sync_client=True) as client:
                client.update_flow_run(context.flow_run.id, tags=sorted(tags))

    def _begin(self) -> None:
        from prefect.artifacts import create_progress_artifact

        key = artifact_key(self.run.plan.name, "progress")
        about = "Stages that are done."
        self._progress = create_progress_artifact(self._share(), key=key, description=about)

    def _share(self) -> float:
        return 100.0 * len(self.run.outcomes) / len(self.run.plan.stages)

    def stage(self, stage: str, units: int, kept: int) -> None:
        """A stage was closed: what it did, what its gate says, what was found."""
        outcome = self.run.outcomes[stage]
        counts = [f"{outcome.counts[one]} {one}" for one in _STANDINGS if outcome.counts.get(one)]
        self.log.info(
            "%s: %d units, %d of them kept from before; %s",
            stage,
            units,
            kept,
            ", ".join(counts) or "no records",
        )
        log_findings(self._new_findings(self.run.stream))
        if self._progress is not None:
            self._try(self._move)

    def _move(self) -> None:
        from prefect.artifacts import update_progress_artifact

        update_progress_artifact(self._progress, self._share())

    def _new_findings(self, stream: "Mapping[str, Header]") -> list[Finding]:
        new = [
            header
            for header in stream.values()
            if header.kind == "finding" and header.sha256 not in self._found
        ]
        self._found |= {header.sha256 for header in new}
        records = self.run.workspace.store.get_all([one.sha256 for one in new])
        return [record for record in records if isinstance(record, Finding)]

    def end(self) -> None:
        """Show where records stand at every gate that was reached."""
        self._try(self._gates)

    def _gates(self) -> None:
        from prefect.artifacts import create_table_artifact

        rows = [
            {"stage": stage, **{one: outcome.counts.get(one, 0) for one in _STANDINGS}}
            for stage, outcome in self.run.outcomes.items()
        ]
        about = "Records at the gates: what passed, and what waits or is held out."
        key = artifact_key(self.run.plan.name, "gates")
        create_table_artifact(rows, key=key, description=about)


def log_findings(findings: Sequence[Finding]) -> None:
    """Findings as lines of the flow run's log: the worst first, at most twenty."""
    from prefect import get_run_logger

    log = get_run_logger()
    found = sorted(
        findings, key=lambda one: (-_LEVELS[one.severity], natural_key(one.target), one.rule)
    )
    for one in found[:SHOWN_FINDINGS]:
        log.log(_LEVELS[one.severity], "%s %s: %s", one.rule, one.target, one.message)
    if len(found) > SHOWN_FINDINGS:
        log.info("and %d findings more", len(found) - SHOWN_FINDINGS)


def show_release(recipe: str, release: Path, contact_sheet: str) -> None:
    """The card of a release as an artifact: a browser opens no folder of another machine."""
    _, _, card = (release / "README.md").read_text(encoding="utf-8").partition("\n---\n")
    where = f"Made in `{release.resolve()}`"
    if contact_sheet:
        where += f"; samples to look at: `{Path(contact_sheet).resolve()}`"
    show_page(f"{recipe}-release", f"{where}.\n\n{card}")


def show_page(what: str, markdown: str) -> None:
    """A page of Markdown as an artifact of the flow run."""
    from prefect.artifacts import create_markdown_artifact

    # For want of a display no run fails.
    with suppress(Exception):
        create_markdown_artifact(markdown, key=artifact_key(what))


def show_link(what: str, address: str, text: str) -> None:
    """A page on the web as an artifact of the flow run."""
    from prefect.artifacts import create_link_artifact

    with suppress(Exception):
        create_link_artifact(address, link_text=text, key=artifact_key(what))


def artifact_key(*words: str) -> str:
    """Key of an artifact, by which Prefect follows it from run to run: small letters, dashes."""
    return re.sub("[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")
