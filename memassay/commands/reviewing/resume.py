"""`memassay review resume`: run a recipe again once people have decided what it asked."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memassay.commands.base import GO_ON, PATH, common_options, example, workspace_option
from memassay.output import emit, note, say

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place

WAITING = 75


@click.command(
    "resume",
    epilog=example(
        "review resume recipes/curate-demo.yaml",
        "review resume recipes/curate-demo.yaml --watch --interval 60",
    ),
)
@click.argument("recipe", type=PATH)
@workspace_option
@click.option("--watch", is_flag=True, help="Look again and again, until Ctrl-C.")
@click.option(
    "--interval",
    type=click.FloatRange(5, 86_400),
    default=60.0,
    show_default=True,
    help="With --watch, seconds between two looks.",
)
@common_options
def review_resume(
    recipe: Path, workspace: "Place", watch: bool, interval: float, as_json: bool
) -> int:
    """Run a recipe again if nothing of it waits for people and something was decided since.

    With --watch a Prefect deployment is served that looks at an interval; each look is a flow run
    that Prefect shows. Set PREFECT_API_URL to use a server of your own.
    """
    from memassay.flows.services.watch import STOPPED, resume
    from memassay.flows.services.watch import watch as watch_recipe

    if watch:
        if as_json:
            emit({"recipe": str(recipe), "watched": True, "interval": interval})
        else:
            say(f"{recipe}: looked at every {interval:g} seconds (Ctrl-C ends)")
        watch_recipe(recipe, workspace, interval)
        note(f"{recipe}: no longer looked at; {GO_ON}")
        return 0
    looked = resume(recipe, workspace)
    if as_json:
        emit({"state": looked.state, "waiting": looked.waiting, "release": looked.release})
    elif looked.state == "idle":
        say("nothing was decided since it was last resumed")
    elif looked.state == "stopped":
        say(STOPPED)
    elif looked.waiting:
        say(f"{looked.waiting} items wait for people: `memassay review serve` shows them")
    if looked.release and not as_json:
        say(looked.release)
    return WAITING if looked.waiting or looked.state == "stopped" else 0
