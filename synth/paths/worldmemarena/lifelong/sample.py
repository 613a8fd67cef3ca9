"""One sample: its world, its telling, its questions, all the same whenever they are made."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memassay.schemas.contracts.blobs import BlobStore, NoBytes
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.synth.paths.worldmemarena.lifelong.asking.desk import Desk, Questions
from memassay.synth.paths.worldmemarena.lifelong.asking.importance import weigh_points
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import load_vertical
from memassay.synth.paths.worldmemarena.lifelong.telling.writer import WorldWriter
from memassay.synth.paths.worldmemarena.lifelong.world.points import World
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws, Sizes
from memassay.synth.paths.worldmemarena.lifelong.world.trajectory import draw_world


@dataclass(frozen=True)
class Plan:
    """What a sample is made of.

    Attributes:
        name: Id of its conversation.
        vertical: File of its vertical.
        seed: Seed of the data set.
        sizes: How large it is.
        distance: How far back its questions look, from 0 to 1.
    """

    name: str
    vertical: Path
    seed: str
    sizes: Sizes
    distance: float


@lru_cache(maxsize=8)
def world_of(plan: Plan) -> World:
    """The world of a sample."""
    return draw_world(load_vertical(plan.vertical), Draws(plan.seed, plan.name), plan.sizes)


def tell_sample(plan: Plan, blobs: BlobStore) -> Bundle:
    """A sample without its questions."""
    return WorldWriter(world_of(plan), plan.name, blobs).bundle()


def ask_sample(plan: Plan, history: Bundle) -> Questions:
    """The questions of a sample.

    Args:
        plan: The sample.
        history: Its telling.
    """
    world = world_of(plan)
    return Desk(world, WorldWriter(world, plan.name, NoBytes()).smith, history, plan.distance).ask()


@lru_cache(maxsize=8)
def plan_sample(plan: Plan) -> Bundle:
    """A sample with points of their importance, its pictures without bytes."""
    bundle = tell_sample(plan, NoBytes())
    questions = ask_sample(plan, bundle)
    facts = weigh_points(bundle.facts, questions.items, Ledger(bundle))
    return bundle.model_copy(update={"facts": facts, "questions": questions.items})
