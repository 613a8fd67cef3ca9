"""A short history of a persona that ships, told once for all tests that look at one."""

from functools import cache
from pathlib import Path

from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.plans import make_audits
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.records.bundle import Bundle
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.path import PATH
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.world.sizes import Sizes

AUDITS = make_audits(PATH.audits(M3ExamRecipe(path="m3exam", personas=["any"])), {})
"""What looks at the stages of the path inside their units."""
WANTED = {"ss": 12, "ms": 8, "tr": 10, "mr": 14, "fm": 8, "th": 4, "fj": 4, "ii": 3}
SIZES = Sizes(sessions=8, rounds=12, images=6, documents=1)


def told(name: str, seed: int, folder: Path, sizes: Sizes = SIZES) -> Bundle:
    """The bundle of one persona: timeline, dialogue and questions, one stage after another."""
    personas = Personas([name], folder, images_a_round=sizes.images_a_round)
    stages = [TimelineStage(personas, sizes), DialogueStage("m3exam", personas)]
    records = []
    for stage in [*stages, QuestionStage(KINDS, personas, WANTED)]:
        context = UnitContext(seed, stage.name, name, BlobFolder(folder / "blobs"))
        records += [*stage.run(records, context)]
    return Bundle.from_records(records)


@cache
def usual(folder: Path) -> Bundle:
    """Lily's history with seed 9."""
    return told("lily-cooking-newbie", 9, folder)


def digest(bundle: Bundle) -> str:
    """One hash of all its records."""
    return combined_hash(content_hash(record) for record in bundle.records())
