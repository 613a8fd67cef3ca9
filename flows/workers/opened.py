"""A run as a process opens it that does units of it: all that it needs is in its message."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memassay.flows.workers.messages import RunMessage

if TYPE_CHECKING:
    from memassay.flows.engine.run import Run


@contextmanager
def open_run(message: RunMessage) -> "Iterator[Run]":
    """Make the plan of a run and hold leases in its workspace while the block runs.

    Raises:
        UsageError: The workspace, or a file that the recipe names, cannot be found from here.
    """
    from memassay.exports.release.reader import open_release
    from memassay.flows.engine.run import Run
    from memassay.flows.recipes.plans import make_plan
    from memassay.flows.stages.extending.kept import Parent
    from memassay.flows.store.leases import Owner, heartbeat
    from memassay.flows.store.workspace import open_workspace

    parent = Parent(open_release(message.parent, verify=False)) if message.parent else None
    with open_workspace(message.workspace) as workspace:
        plan = make_plan(message.recipe, message.name, message.folder, workspace, parent)
        owner = Owner(workspace.owners)
        try:
            run = Run(workspace, plan, owner, ran_before=message.ran_before)
            with heartbeat(workspace.store, owner):
                yield run
        finally:
            owner.close()
