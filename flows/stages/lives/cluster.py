"""The stage that groups single dialogues: every session is one."""

from typing import Any, Final

from memassay.flows.stages.lives.questions import left_over, lives_of_questions
from memassay.schemas.changes.cluster_decisions import LEFT_OUT, Clustered, Decided
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.recipes import ClusterSection
from memassay.schemas.errors import RecipeError
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.conversation import Conversation
from memassay.synth.clusters.demands import Demands
from memassay.synth.clusters.dialogue import dialogues_of

ROLES_USED: Final = ("extractor",)
"""Role of the model that names keywords of dialogues."""


class ClusterStage:
    """Dialogues that read like the sessions of one life, a record for each such group."""

    name = "cluster"
    version = "2"
    scope = Scope.COLLECTION
    reads = frozenset({"conversation", "question"})

    def __init__(
        self,
        section: ClusterSection,
        decided: Decided | None = None,
        models: dict[str, Any] | None = None,
        cut_apart: frozenset[str] | None = None,
    ) -> None:
        """Take what the recipe asks for, what people decided, and which models name keywords.

        Of conversations that are not `cut_apart`, if it is given, no session is a dialogue.
        """
        self.cut_apart = cut_apart
        self.names = section.names
        self.demands = Demands(
            least_sessions=section.least_sessions,
            most_sessions=section.most_sessions,
            least_rounds=section.least_rounds,
            most_rounds=section.most_rounds,
        )
        self.decided = decided or Decided()
        self.config: dict[str, Any] = section.model_dump(
            mode="json", exclude={"bridges", "extensions"}
        )
        if self.decided != Decided():
            self.config["decided"] = _document(self.decided)
        if models:
            self.config["models"] = models
        if cut_apart is not None:
            self.config["cut_apart"] = sorted(cut_apart)

    def run(self, collection: Collection, context: StageContext) -> list[Cluster]:
        """The clusters; a dialogue in none of them is listed in the record of the nearest.

        Questions about such dialogues alone are reported, so that they are held out.

        Raises:
            RecipeError: No group is large enough.
        """
        # They need SciPy and scikit-learn, which take a second to import.
        from memassay.synth.clusters.clustering import cluster_dialogues
        from memassay.synth.clusters.keywords import add_keywords

        dialogues = [
            dialogue
            for talk in collection.of("conversation")
            if isinstance(talk, Conversation) and self._is_cut_apart(talk.id)
            for dialogue in dialogues_of(talk, names=self.names)
            if dialogue.rounds
        ]
        if "models" in self.config:
            dialogues = add_keywords(dialogues, context)
        then = self._apply_decisions if "decided" in self.config else None
        found = cluster_dialogues(dialogues, self.demands, names=self.names, then=then).clusters
        found = [self._with_decisions(one) for one in found]
        if not found:
            raise RecipeError(
                f"cluster: expected dialogues of which at least {self.demands.least_sessions} "
                f"belong together, got none among {len(dialogues)}; name more sources, or lower "
                "least_sessions or least_rounds"
            )
        where = {parts_of_id(each.dialogue): one.id for one in found for each in one.members}
        for bundle in collection.bundles():
            if not self._is_cut_apart(bundle.id):
                continue
            lives = lives_of_questions(bundle.conversation, bundle.questions, where)
            for question, life in lives.items():
                if life is None:
                    context.emit(left_over(question))
        return found

    def _apply_decisions(self, found: Clustered) -> dict[str, list[str]]:
        return found.under(self.decided)

    def _is_cut_apart(self, conversation: str) -> bool:
        return self.cut_apart is None or conversation in self.cut_apart

    def _with_decisions(self, cluster: Cluster) -> Cluster:
        """A cluster with the name that people gave it, and why they left dialogues out."""
        left_out = [
            one.model_copy(update={"why": LEFT_OUT}) if one.dialogue in self.decided.out else one
            for one in cluster.left_out
        ]
        update: dict[str, Any] = {"left_out": left_out}
        held = self.decided.clusters.get(cluster.id)
        if held is not None:
            update |= {"name": held.name, "locked": held.locked}
        return cluster.model_copy(update=update)


def _document(decided: Decided) -> dict[str, Any]:
    """All that people decided, as it is hashed; not who did, or in which order."""
    clusters = {
        name: {**vars(one), "members": sorted(one.members)}
        for name, one in sorted(decided.clusters.items())
    }
    return {"clusters": clusters, "out": sorted(decided.out)}


def parts_of_id(dialogue: str) -> tuple[str, str]:
    """Conversation and session of a dialogue: `alex/D3`."""
    source, _, session = dialogue.partition("/")
    return source, session
