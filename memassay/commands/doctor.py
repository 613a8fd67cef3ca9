"""`memassay doctor`: what is missing or damaged in a workspace."""

from collections import Counter
from typing import TYPE_CHECKING

import click

from memassay.commands.base import common_options, example, workspace_option
from memassay.output import SHOWN_FINDINGS, emit, say, table

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place


@click.command(epilog=example("doctor --workspace my-workspace"))
@workspace_option
@common_options
def doctor(workspace: "Place", as_json: bool) -> int:
    """List what is missing or damaged in a workspace, and what a run will make again.

    Every image and every file of every release is read and compared with its hash; nothing is
    changed. Exits with 1 if there is anything.
    """
    from memassay.flows.services.doctor import examine

    found = examine(workspace)
    if as_json:
        emit(found.model_dump(mode="json"))
    else:
        heads = ("what", "name", "state", "belongs to", "made again by", "fix")
        rows = (
            (
                one.what,
                one.name,
                one.state,
                *map(_few, (one.belongs_to, one.made_again_by)),
                one.fix,
            )
            for one in found.troubles[:SHOWN_FINDINGS]
        )
        table("Missing or damaged", heads, rows)
        if len(found.troubles) > SHOWN_FINDINGS:
            say(f"... and {len(found.troubles) - SHOWN_FINDINGS} more: use --json")
        looked = {"blob": found.blobs, "record": found.records, "release": found.releases}
        lost = Counter(trouble.what for trouble in found.troubles)
        whole = ", ".join(f"{number} {what}s" for what, number in looked.items())
        parts = ", ".join(f"{lost[what]} of {number} {what}s" for what, number in looked.items())
        state = f"missing or damaged: {parts}" if lost else f"{whole}: all there and whole"
        say(f"{found.workspace}: {state}")
    return int(bool(found.troubles))


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return ", ".join(names[:2]) + more
