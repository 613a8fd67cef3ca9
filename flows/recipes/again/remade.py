"""A release as what is made again is held against it, and how its recipe is run for that."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, cast

from memassay.exports.release.agreement.known import EDITS
from memassay.exports.release.check import ReleaseCheck
from memassay.flows.recipes.again.apart import Apart, Owned, can_be_apart, make_one, records_by_key
from memassay.flows.recipes.again.remaking import Key, Remade, Remaking
from memassay.flows.recipes.plans import audits_of, make_audits, making, setting_of
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.base import Record
from memassay.schemas.changes.cluster_decisions import LEFT_OUT, Decided, HeldCluster
from memassay.schemas.contracts.blobs import InMemory, NoBytes
from memassay.schemas.contracts.collection import Mapper
from memassay.schemas.contracts.protocols import GatheringStage, Scope, SourceStage
from memassay.schemas.contracts.recipes import AuthoredRecipe, PathRecipe
from memassay.schemas.errors import CodeError, MemassayError
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut, ReasonCode
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.cluster import Cluster

_MENDED: Final = ("repair", "flaw")


class Released:
    """The records of a release, and what people did to them.

    Attributes:
        records: By kind and id, those that gates hold out among them.
        findings: What is listed as found.
        owned: All records by their conversation.
        held: What is held out.
        apart: Conversations that are held out.
        edited: Ids of records that people changed.
        left: Conversations in which they changed more than questions.
        by_people: Content hashes of what they changed or wrote.
    """

    def __init__(self, found: ReleaseCheck) -> None:
        """Read a release."""
        every = found.records.values()
        self.owned = Owned(found.records)
        self.held = [one for own in every for one in own if isinstance(one, HeldOut)]
        self.findings = [one for own in every for one in own if isinstance(one, Finding)]
        self.records: Mapping[Key, Record] = records_by_key(
            (one for own in every for one in own), self.held
        )
        self.apart = {conversation_of(one.record) for one in self.held if _is_whole(one)}
        after = ReasonCode.CORRECT_AFTER_EDIT
        self.edited = {one.decided for one in found.decisions if one.reason == after}
        questions = {item.id for bundle in found.bundles for item in bundle.questions}
        self.left = {one.partition("/")[0] for one in self.edited - questions}
        traced = [one for own in every for one in own if isinstance(one, Provenance)]
        self.by_people = {sha256 for one in traced if one.id.endswith(EDITS) for sha256 in one.made}

    def decisions(self) -> Decided:
        """Clusters as people would have had to decide about them."""
        clusters = [one for one in self.records.values() if isinstance(one, Cluster)]
        held = {
            one.id: HeldCluster(
                one.id, frozenset(each.dialogue for each in one.members), one.name, one.locked
            )
            for one in clusters
        }
        out = {each.dialogue for one in clusters for each in one.left_out if each.why == LEFT_OUT}
        return Decided(held, frozenset(out))


def _is_whole(held: HeldOut) -> bool:
    return held.kind in ("conversation", "persona")


def remade_of(
    recipe: PathRecipe, released: Released, folder: Path, mapper: Mapper
) -> Remade | None:
    """What a recipe gives; None where it rests on models or files that are not here.

    What a person decided about clusters is in no log: where clusters are not as they are made, they
    are made as people would have had to decide. If that explains less, the list is wrong.

    Args:
        recipe: The recipe that the release names, without what nothing in the release shows.
        released: The release.
        folder: What paths of the recipe are relative to.
        mapper: Has histories made, where they can be made one by one.
    """
    worded: Mapping[str, frozenset[str]] = {}
    if recipe.extend is not None:
        return None
    if isinstance(recipe, AuthoredRecipe) and not isinstance(recipe.author, str):
        worded = PATHS[recipe.path].worded(recipe)
        recipe = recipe.by_simulator
        if not worded:
            return None
    try:
        remade = _run(recipe, released, folder, Decided(), worded, mapper)
        if not _count_odd(remade, released, {"cluster"}):
            return remade
        decided = _run(recipe, released, folder, released.decisions(), worded, mapper)
        compared = DATA_KINDS | {"cluster"}
        return min(decided, remade, key=lambda one: _count_odd(one, released, compared))
    except CodeError:
        # What is missing here says nothing of the release, but this package has to be mended.
        raise
    except MemassayError:
        return None


def _count_odd(remade: Remade, released: Released, kinds: Collection[str]) -> int:
    """Records of some kinds that are released and were not made again as they are."""
    every = released.records.items()
    return sum(remade.records.get(key) is not one for key, one in every if key[0] in kinds)


def _run(
    recipe: PathRecipe,
    released: Released,
    folder: Path,
    decided: Decided,
    worded: Mapping[str, frozenset[str]],
    mapper: Mapper,
) -> Remade:
    stages = making(recipe, setting_of(folder, folder, recipe.copies), decided)
    gathering = any(isinstance(stage, GatheringStage) for stage in stages)
    mended = any(kind in _MENDED for kind, _ in released.records)
    audits = make_audits(audits_of(recipe), recipe.thresholds) if mended else {}
    # Of conversations that end in others nothing is left to compare: they are made whole.
    blobs = InMemory() if gathering or mended else NoBytes()
    units = {
        stage.name: cast(SourceStage, stage).shards()
        for stage in stages
        if stage.scope is Scope.SOURCE
    }
    sources = {
        stage: {name: hashes for name, hashes in own.items() if name not in released.left}
        for stage, own in units.items()
    }
    remaking = Remaking(
        recipe.seed, audits, blobs, released.records, released.held, worded, sources
    )
    if can_be_apart(stages):
        apart = Apart(recipe, folder, worded, sources, mended, released.owned)
        owners = sorted({name for own in sources.values() for name in own}, key=natural_key)
        made = list(mapper.map(make_one, apart, owners))
        parts = [one for one in made if one is not None]
        if len(parts) == len(made):
            return remaking.join(stages, parts)
    return remaking.run(stages)
