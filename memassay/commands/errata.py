"""Commands about errata: items of a release that are wrong."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import PATH, RELEASE, common_options, example
from memassay.output import emit, say, table
from memassay.schemas.judgements.erratum import ErratumStatus

if TYPE_CHECKING:
    from memassay.schemas.judgements.erratum import ReleasedErratum

_file_option = click.option(
    "--file",
    type=PATH,
    default=Path("errata.jsonl"),
    show_default=True,
    help="Where errata are kept; a recipe names it as `errata`.",
)


@click.group(epilog=example("errata list", "errata decide E0001 confirmed"))
def errata() -> None:
    """Report, list and decide what is wrong in a release."""


@errata.command(epilog=example('errata add path/to/release ITEM --reason "the gold is of 2023"'))
@click.argument("release", type=RELEASE)
@click.argument("item")
@click.option("--reason", required=True, help="What is wrong, in a sentence; released with it.")
@click.option(
    "--reporter",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym; it is released with a confirmed erratum.",
)
@_file_option
@common_options
def add(release: Path, item: str, reason: str, reporter: str, file: Path, as_json: bool) -> int:
    """Report that an item of a release is wrong; ITEM is its id, or that in `default`.

    The release is not changed. The same in another version of it joins what was reported.
    """
    from memassay.flows.services.errata import add_erratum

    found = add_erratum(release, item, reason, reporter, file)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        say(f"{found.id}: {found.item} of {found.release} {', '.join(found.versions)}, in {file}")
    return 0


@errata.command("list", epilog=example("errata list --file errata.jsonl"))
@_file_option
@common_options
def list_(file: Path, as_json: bool) -> int:
    """List the errata of a file."""
    from memassay.flows.services.errata import listed_errata

    found = listed_errata(file)
    if as_json:
        emit([one.model_dump(mode="json") for one in found])
        return 0
    heads = ("erratum", "status", "release", "item", "what is wrong", "reported by")
    table("Errata", heads, map(_row, found))
    say(f"{len(found)} errata")
    return 0


def _row(one: "ReleasedErratum") -> tuple[str, ...]:
    release = f"{one.release} {', '.join(one.versions)}"
    return one.id, str(one.status), release, one.item, one.problem, one.reporter


@errata.command(epilog=example("errata decide E0001 confirmed", "errata decide E0002 rejected"))
@click.argument("erratum")
@click.argument(
    "status", type=click.Choice([str(ErratumStatus.CONFIRMED), str(ErratumStatus.REJECTED)])
)
@click.option(
    "--reviewer",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym; it is released with a confirmed erratum.",
)
@click.option("--comment", default="", help="Why; released with a confirmed erratum.")
@_file_option
@common_options
def decide(
    erratum: str, status: str, reviewer: str, comment: str, file: Path, as_json: bool
) -> int:
    """Say whether a reported item is wrong indeed; what was decided last holds.

    A recipe that says `errata: FILE` releases no item as a confirmed erratum found it: it is held
    out, or, with a gate `errata` that asks people, edited in review.
    """
    from memassay.flows.services.errata import decide_erratum

    found = decide_erratum(file, erratum, ErratumStatus(status), reviewer, comment)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        say(f"{found.id}: {found.status} by {found.decided_by}")
        if found.status is ErratumStatus.CONFIRMED:
            say(f"the next release is without it if its recipe says `errata: {file}`")
    return 0
