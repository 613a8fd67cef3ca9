"""`memassay review clusters`: which dialogues become one life, and what people decide about it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from memassay.commands.base import common_options, example, workspace_option
from memassay.output import count_text, emit, say, table

if TYPE_CHECKING:
    from memassay.flows.review.clusters import WorkspaceClusters
    from memassay.flows.store.places.address import Place

_reviewer = click.option(
    "--reviewer",
    default="reviewer",
    show_default=True,
    envvar="MEMASSAY_REVIEWER",
    show_envvar=True,
    help="Your pseudonym.",
)
_comment = click.option("--comment", default="", help="In your own words.")
_run = click.option("--run", "run_name", metavar="NAME", help="The recipe; needed if several ran.")


def _share_options(function: Callable[..., Any]) -> Callable[..., Any]:
    return _run(workspace_option(common_options(function)))


def _deciding(function: Callable[..., Any]) -> Callable[..., Any]:
    return _reviewer(_comment(_share_options(function)))


@click.group(
    "clusters", epilog=example("review clusters list", "review clusters lock cluster-07c1f2a9b3")
)
def review_clusters() -> None:
    """Correct which single dialogues become one life; the next run makes again what changed."""


@review_clusters.command("list", epilog=example("review clusters list --json"))
@_share_options
def list_(run_name: str | None, workspace: "Place", as_json: bool) -> int:
    """List the clusters as they will be at the next run, and what people decided."""
    from memassay.flows.review.cluster_lists import list_clusters

    found = _with(workspace, run_name, list_clusters)
    if as_json:
        emit(found)
        return 0
    heads = ("cluster", "name", "dialogues", "keywords", "state")
    rows = (
        [
            one["id"],
            one["name"],
            ", ".join(one["members"]),
            ", ".join(one["keywords"][:6]),
            ", ".join(name for name in ("locked", "closed", "changed") if one[name]),
        ]
        for one in found["clusters"]
    )
    table(f"Clusters of {found['run']}", heads, rows)
    for one in found["decisions"]:
        say(f"{one['number']}  {one['did']}{'' if one['stands'] else ' (taken back)'}")
    say(f"{count_text(len(found['left_over']), 'dialogue')} in none")
    if not found["read_by"]:
        say("No model looked whether the dialogues of a cluster contradict each other; read them.")
    return 0


@review_clusters.command(epilog=example("review clusters split cluster-07c1f2a9b3 alex/D3"))
@click.argument("cluster")
@click.argument("dialogues", nargs=-1, required=True)
@_deciding
def split(cluster: str, dialogues: tuple[str, ...], **more: Any) -> int:
    """Make dialogues of a cluster a cluster of their own."""
    return _decide(more, op="split", cluster=cluster, dialogues=dialogues)


@review_clusters.command(epilog=example("review clusters merge cluster-07c1f2a9b3 cluster-1b2c"))
@click.argument("cluster")
@click.argument("other")
@_deciding
def merge(cluster: str, other: str, **more: Any) -> int:
    """Merge another cluster into one, which keeps its id."""
    return _decide(more, op="merge", cluster=cluster, other=other)


@review_clusters.command(epilog=example("review clusters move cluster-07c1f2a9b3 alex/D3"))
@click.argument("cluster")
@click.argument("dialogues", nargs=-1, required=True)
@_deciding
def move(cluster: str, dialogues: tuple[str, ...], **more: Any) -> int:
    """Move dialogues to a cluster, from others or from none."""
    return _decide(more, op="move", cluster=cluster, dialogues=dialogues)


@review_clusters.command(epilog=example("review clusters drop alex/D3"))
@click.argument("dialogues", nargs=-1, required=True)
@_deciding
def drop(dialogues: tuple[str, ...], **more: Any) -> int:
    """Leave dialogues out of every cluster."""
    return _decide(more, op="drop", dialogues=dialogues)


@review_clusters.command(epilog=example('review clusters name cluster-07c1f2a9b3 "A potter"'))
@click.argument("cluster")
@click.argument("name")
@_deciding
def name(cluster: str, name: str, **more: Any) -> int:
    """Name a cluster; the life that it becomes has the name."""
    return _decide(more, op="name", cluster=cluster, name=name)


@review_clusters.command(epilog=example("review clusters lock cluster-07c1f2a9b3 --closed"))
@click.argument("cluster")
@click.option("--closed", is_flag=True, help="No dialogue that comes later may join.")
@_deciding
def lock(cluster: str, closed: bool, **more: Any) -> int:
    """Fix the members of a cluster; it keeps them when dialogues are added."""
    return _decide(more, op="lock", cluster=cluster, closed=closed)


@review_clusters.command(epilog=example("review clusters unlock cluster-07c1f2a9b3"))
@click.argument("cluster")
@_deciding
def unlock(cluster: str, **more: Any) -> int:
    """Let the members of a cluster change again."""
    return _decide(more, op="unlock", cluster=cluster)


@review_clusters.command(epilog=example("review clusters undo", "review clusters undo 7"))
@click.argument("number", type=click.IntRange(1), required=False)
@_reviewer
@_share_options
def undo(
    number: int | None, reviewer: str, run_name: str | None, workspace: "Place", as_json: bool
) -> int:
    """Take a decision back, your latest if no number is given."""
    about = _with(
        workspace, run_name, lambda clusters, run: clusters.undo(run, number, reviewer, "owner")
    )
    return _print_result(about, as_json)


def _decide(more: dict[str, Any], **wanted: Any) -> int:
    from memassay.flows.review.cluster_lists import keep_decision

    about = _with(
        more["workspace"],
        more["run_name"],
        lambda clusters, run: keep_decision(
            clusters, run, more["reviewer"], more["comment"], **wanted
        ),
    )
    return _print_result(about, more["as_json"])


def _print_result(cluster: str, as_json: bool) -> int:
    if as_json:
        emit({"cluster": cluster})
    else:
        say(f"{cluster}: kept; run the recipe again to make again what depends on it")
    return 0


def _with(
    workspace: "Place", run: str | None, do: Callable[["WorkspaceClusters", str], Any]
) -> Any:
    """What is done with the clusters of a workspace, of its only run or of the one that is named.

    Raises:
        UsageError: There are several runs with clusters, or none.
    """
    from memassay.flows.review.clusters import WorkspaceClusters
    from memassay.flows.store.workspace import open_workspace

    with open_workspace(workspace) as opened:
        clusters = WorkspaceClusters(opened)
        return do(clusters, run or clusters.only_run())
