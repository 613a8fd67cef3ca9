"""Flows that take data sets in, audit, extend and publish them, as the commands of these names do.

The Hub may refuse for a while: a task that asks it is tried again. Nothing else is, since the same
input gives the same answer.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from huggingface_hub.constants import ENDPOINT
from prefect import Flow, flow, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from memassay.exports.formats.registry import FORMATS
from memassay.flows.checking.foreign import ImportReport, import_foreign
from memassay.flows.deployed.failures import PAUSES, may_pass
from memassay.flows.publishing.extending import ExtendReport
from memassay.flows.publishing.extending import extend_release as extend
from memassay.flows.publishing.fetching import release_folder
from memassay.flows.publishing.publish import PublishReport, Wish
from memassay.flows.publishing.publish import publish as publish_folder
from memassay.flows.runners.prefect_runner import run_in_flow
from memassay.flows.runners.prefect_shown import log_findings, show_link, show_page, show_release
from memassay.flows.runners.progress import SilentProgress
from memassay.flows.services.audits import AuditReport, audit_path
from memassay.flows.services.starting import find_recipe
from memassay.flows.store.places.address import place_of

Format = Annotated[str, Field(json_schema_extra={"enum": sorted(FORMATS)})]

_ONCE: Final[dict[str, Any]] = {"persist_result": False, "cache_policy": NO_CACHE}
_AGAIN: Final[dict[str, Any]] = {
    **_ONCE,
    "retries": len(PAUSES),
    "retry_delay_seconds": [*PAUSES],
    "retry_condition_fn": may_pass,
}

_import = task(name="import", **_ONCE)(import_foreign)
_audit = task(name="audit", **_ONCE)(audit_path)
_fetch = task(name="fetch", **_AGAIN)(release_folder)
_publish = task(name="publish", **_AGAIN)(publish_folder)


@flow(name="import-data", flow_run_name="import {format} {path}", persist_result=False)
def import_data(
    format: Format,  # noqa: A002 - the word of the command
    path: str,
    licence: str,
    out: str = "",
    strict: bool = False,
) -> ImportReport:
    """Turn foreign files into records, with a finding for each defect.

    Args:
        format: Layout of the files.
        path: File or folder, where the flow runs.
        licence: SPDX identifier of the data.
        out: New folder for the records; default `records/FORMAT`.
        strict: Refuse everything if there is an error.

    Raises:
        UsageError: The path is not of the format, the licence is none, or `out` is not empty.
    """
    folder = Path(out or f"records/{format}")
    report = _import(format, Path(path), licence, folder, strict=strict)
    log_findings(report.findings)
    return report


@flow(name="audit-data", flow_run_name="audit {format} {path}", persist_result=False)
def audit_data(
    format: Format,  # noqa: A002 - the word of the command
    path: str,
    out: str = "",
) -> AuditReport:
    """Check a foreign data set and write errata for its maintainers.

    The page is an artifact of the flow run, too.

    Args:
        format: Layout of the files.
        path: File or folder, where the flow runs.
        out: The page to write; default `audit-FORMAT.md`.

    Raises:
        UsageError: The path is not of the format, or the page cannot be written there.
    """
    report = _audit(Path(path), format, Path(out or f"audit-{format}.md"))
    log_findings(report.findings)
    show_page(f"{format}-audit", Path(report.report).read_text(encoding="utf-8"))
    return report


@flow(name="extend-release", flow_run_name="extend {release}", persist_result=False)
def extend_release(release: str, recipe: str, workspace: str = "workspace") -> ExtendReport:
    """Add conversations, sessions or questions to a release; what it holds stays as it is.

    Args:
        release: Its folder, or OWNER/NAME@TAG on the Hugging Face Hub.
        recipe: The release's own recipe, with more in it.
        workspace: Where runs live, a folder or a database's URL; it is made if it is not there.

    Raises:
        UsageError: The release has errors or cannot be extended by this recipe.
        WaitingError: A gate blocks until people decide; run it again when they have.
    """
    path = find_recipe(recipe)
    report = extend(
        _fetch(release), path, place_of(workspace), SilentProgress(), runner=run_in_flow
    )
    show_release(path.stem, Path(report.run.release), report.run.contact_sheet)
    return report


@flow(name="publish-release", flow_run_name="publish {release}", persist_result=False)
def publish_release(
    release: str,
    repository: str,
    upload: bool = False,
    public: bool = False,
    create_pr: bool = False,
    gated: Literal["", "auto", "manual"] = "",
    allow_gold_change: bool = False,
    replace: bool = False,
) -> PublishReport:
    """Publish a release on the Hugging Face Hub, or say what that would do.

    Args:
        release: Its folder, or OWNER/NAME@TAG on the Hub.
        repository: OWNER/NAME on the Hub.
        upload: Do it; without, only say what it would do.
        public: Make a new repository public.
        create_pr: Put the commit into a pull request.
        gated: How readers get access, if they must ask for it.
        allow_gold_change: Golds may differ from those of the version before.
        replace: Delete files there that no release has written.

    Raises:
        UsageError: The release must not be published as it is, or under this version or name.
        PublishError: The Hub does not take it, or gave other files back.
    """
    wish = Wish(
        upload=upload,
        public=public,
        create_pr=create_pr,
        gated=gated,
        allow_gold_change=allow_gold_change,
        replace=replace,
    )
    report = _publish(_fetch(release), repository, wish)
    page = report.pull_request or f"{ENDPOINT}/datasets/{repository}/tree/{report.tag}"
    show_link(f"{repository}-page", page, f"{repository} {report.tag}")
    return report


DATA_FLOWS: Final[Mapping[str, Flow[..., Any]]] = {
    one.fn.__name__: one for one in (import_data, audit_data, extend_release, publish_release)
}
"""Flows by their names in Python."""
