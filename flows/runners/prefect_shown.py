"""What Prefect shows of a run beside its tasks: names, tags, lines of log, artifacts.

All of it is for people who look; nothing is read back, and no run fails for want of it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from logging import ERROR, INFO, WARNING
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memassay.flows.engine.run import Plan, Run
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding, Severity

if TYPE_CHECKING:
    from memassay.flows.store.records import Header

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
        self._findings(outcome.stream)
        if self._progress is not None:
            self._try(self._move)

    def _move(self) -> None:
        from prefect.artifacts import update_progress_artifact

        update_progress_artifact(self._progress, self._share())

    def _findings(self, stream: "Mapping[str, Header]") -> None:
        new = [
            header
            for header in stream.values()
            if header.kind == "finding" and header.sha256 not in self._found
        ]
        self._found |= {header.sha256 for header in new}
        records = self.run.workspace.store.get_all([one.sha256 for one in new])
        found = [record for record in records if isinstance(record, Finding)]
        found.sort(key=lambda one: (-_LEVELS[one.severity], natural_key(one.target), one.rule))
        for finding in found[:SHOWN_FINDINGS]:
            level = _LEVELS[finding.severity]
            self.log.log(level, "%s %s: %s", finding.rule, finding.target, finding.message)
        if len(found) > SHOWN_FINDINGS:
            self.log.info("and %d findings more", len(found) - SHOWN_FINDINGS)

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


def show_release(recipe: str, release: str, contact_sheet: str) -> None:
    """Links to a release and to its page of samples, as artifacts of the flow run."""
    from prefect.artifacts import create_link_artifact

    pages = {"release": (release, "manifest.json"), "contact-sheet": (contact_sheet, "")}
    for what, (place, inside) in pages.items():
        # For want of a display no run fails, and this comes when all is done.
        with suppress(Exception):
            create_link_artifact(
                (Path(place) / inside).resolve().as_uri(),
                link_text=Path(place).name,
                key=artifact_key(recipe, what),
                description=f"The {what.replace('-', ' ')} of {recipe}, where it was made.",
            )


def artifact_key(recipe: str, what: str) -> str:
    """Key of an artifact, by which Prefect follows it from run to run: small letters, dashes."""
    return f"{re.sub('[^a-z0-9]+', '-', recipe.lower()).strip('-')}-{what}"
