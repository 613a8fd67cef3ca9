"""Commands about versions of a release: publish, diff, extend."""

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from memassay.commands.base import PATH, RELEASE, common_options, example, workspace_option
from memassay.output import count_text, emit, say, table

if TYPE_CHECKING:
    from memassay.flows.publishing.differing import DiffReport
    from memassay.flows.publishing.publish import PublishReport
    from memassay.flows.store.places.address import Place

_MEGABYTE: Final = 1_000_000
_CHANGES: Final = ("added", "removed", "changed")
_SHOWN: Final = 10
"""Differences of one kind that are printed; `--json` and the page list more."""
_CHANGED: Final = {
    "added": "to add",
    "changed": "to change",
    "deleted": "to delete",
    "kept": "of no release, kept",
}
_WIDTH: Final = 120
"""Characters of what something says that are printed."""


@click.command(epilog=example("publish path/to/release you/demo", "publish RELEASE you/demo --yes"))
@click.argument("release", type=PATH)
@click.argument("repository")
@click.option("--yes", is_flag=True, help="Upload; without it nothing is changed.")
@click.option("--public", is_flag=True, help="Make a new repository public; default is private.")
@click.option("--create-pr", is_flag=True, help="Put the commit into a pull request.")
@click.option("--gated", type=click.Choice(["auto", "manual"]), help="Readers must ask for access.")
@click.option("--replace", is_flag=True, help="Delete files there that no release has written.")
@click.option("--allow-gold-change", is_flag=True, help="Golds may differ from the last version.")
@click.option("--check-croissant", is_flag=True, help="Check croissant.json with mlcroissant.")
@common_options
def publish(
    release: Path,
    repository: str,
    yes: bool,
    public: bool,
    create_pr: bool,
    gated: str | None,
    replace: bool,
    allow_gold_change: bool,
    check_croissant: bool,
    as_json: bool,
) -> int:
    """Publish a release on the Hugging Face Hub, as OWNER/NAME; by default only try it.

    Log in as for the Hub's own tools: `hf auth login`, or HF_TOKEN. Each version gets a tag, which
    is never moved. Files there that no release has written are kept. While the Hub refuses, it
    waits, and ends with 75 after some minutes. Killed, the same command goes on.
    """
    from memassay.flows.publishing.publish import Wish
    from memassay.flows.publishing.publish import publish as published

    wish = Wish(yes, public, create_pr, gated or "", allow_gold_change, check_croissant, replace)
    report = published(release, repository, wish)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        _print(report)
    return 0


def _list(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more, which --json lists" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _print(report: "PublishReport") -> None:
    rows = [(one.name, one.split, one.rows, len(one.columns)) for one in report.tables]
    table("As `datasets` loads it", ("configuration", "split", "rows", "columns"), rows)
    what = f"{report.files} files, {report.size / _MEGABYTE:.1f} MB"
    if report.unknown:
        say(f"not looked up which versions are there: {report.unknown}")
    if report.before and report.before != report.tag:
        say(f"before it: {report.before}")
    paths = {} if report.commit else report.paths.model_dump()
    for change, names in paths.items():
        if names:
            say(f"{count_text(len(names), 'file')} {_CHANGED[change]}: {_list(names)}")
    if "README.md" in report.paths.changed:
        say("README.md becomes the card of this release; what it says now stays in the history")
    if report.pull_request:
        say(f"{report.repository}: {what}, waits in {report.pull_request}; once it is merged, run")
        say("the same command without --create-pr, which gives it its tag")
    elif report.commit:
        done = "published" if report.uploaded else "nothing was changed, it is published already"
        say(f"{report.repository}: {what}, {done} as {report.tag}, commit {report.commit}")
        say(f'load_dataset("{report.repository}", revision="{report.tag}")')
    else:
        kind = f"a new {report.visibility}" if report.new else f"the {report.visibility}"
        say(f"would upload {what} to {kind} repository {report.repository}, and")
        say(f"tag it {report.tag}; nothing was changed. Say --yes to do it")


@click.command(epilog=example("diff releases/demo-0.1.0 releases/demo-0.2.0 --html diff.html"))
@click.argument("before", type=RELEASE)
@click.argument("after", type=RELEASE)
@click.option("--html", type=PATH, metavar="FILE", help="Also write it as a page.")
@common_options
def diff(before: Path, after: Path, html: Path | None, as_json: bool) -> int:
    """Say what differs between two releases: items, golds, evidence, histories, images.

    A conversation or session that came or went is one difference, with all that is in it.
    """
    from memassay.flows.publishing.differing import diff_releases

    report = diff_releases(before, after, html)
    if as_json:
        emit(report.model_dump(mode="json"))
    else:
        _print_diff(report)
    return 0


@click.group("release")
def release_group() -> None:
    """Versions of releases."""


@release_group.command(
    epilog=example("release bump path/to/release", "release bump RELEASE --json")
)
@click.argument("release", type=RELEASE)
@click.option("--since", type=RELEASE, help="The version before; default: the highest beside it.")
@click.option("--allow-gold-change", is_flag=True, help="Golds may differ from the version before.")
@common_options
def bump(release: Path, since: Path | None, allow_gold_change: bool, as_json: bool) -> int:
    """Write a draft as a version, NAME-VERSION, with the number that its changes are due.

    Golds changed, or items gone without an erratum: major. Anything else that is read or asked:
    minor. Else a patch.
    """
    from memassay.flows.publishing.bumping import bump_release

    report = bump_release(release, since, allow_gold_change=allow_gold_change)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    if report.before is None:
        say(f"the first version: {report.version}")
    elif report.due is None:
        say(f"nothing differs from {report.version}")
    else:
        say(f"a {report.due} change of {report.before}: {report.version}")
    say(report.release)
    return 0


@click.command(epilog=example("extend releases/demo-0.1.0 longer.yaml --workspace my-workspace"))
@click.argument("release", type=RELEASE)
@click.argument("recipe", type=PATH)
@workspace_option
@click.option(
    "--runner",
    type=click.Choice(["prefect", "plain"]),
    default="prefect",
    show_default=True,
    help="Who drives the stages; the release is the same.",
)
@common_options
def extend(release: Path, recipe: Path, workspace: "Place", runner: str, as_json: bool) -> int:
    """Add conversations, sessions at the end or types of question to a release.

    The recipe is that of the release with more in it. What the release holds stays as it is, and
    every gold of it is proven again. Interrupt it whenever you like and run it again.
    """
    from memassay.flows.publishing.extending import extend_release
    from memassay.flows.runners.progress import progress_for_terminal

    report = extend_release(release, recipe, workspace, progress_for_terminal(), runner=runner)
    if as_json:
        emit(report.model_dump(mode="json"))
        return 0
    counts = {str(aspect): one.get("added", 0) for aspect, one in report.diff.counts.items()}
    table("Added to the release", ("what", "number"), (row for row in counts.items() if row[1]))
    if report.held:
        why = "the new part changes what they rest on, or an erratum names them"
        _print_kind(f"no longer in it, because {why}", report.held)
    say(f"of what else the release holds, {report.touched} are no longer as they were")
    say(report.run.release)
    return 0


def _print_diff(report: "DiffReport") -> None:
    found = report.diff
    one, other = (f"{side.name} {side.version}" for side in (found.before, found.after))
    if not found.differences:
        say(f"{one} and {other}: nothing differs")
        return
    rows = (
        (str(aspect), *(numbers.get(change, 0) for change in _CHANGES))
        for aspect, numbers in found.counts.items()
    )
    table(f"{one} to {other}", ("what", *_CHANGES), rows)
    for (aspect, change), group in groupby(
        found.differences, key=lambda each: (each.aspect, each.change)
    ):
        _print_kind(f"{aspect} {change}", list(group))
    say(f"as a new version this is a {report.due} change")
    if report.page:
        say(report.page)


def _print_kind(title: str, found: list[Any]) -> None:
    say(f"{title}:")
    for one in found[:_SHOWN]:
        words = [_short(each) for each in (one.before, one.after) if each is not None]
        say(f"  {one.id}: {' -> '.join(words)}")
    if len(found) > _SHOWN:
        say(f"  and {count_text(len(found) - _SHOWN, 'other')}, which --json lists")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
