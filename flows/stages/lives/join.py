"""The stage that makes one conversation of the dialogues of a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, cast

from pydantic import JsonValue

from memassay.flows.engine.streams.collection import RecordCollection
from memassay.flows.stages.interpolate_stage import InterpolateStage
from memassay.flows.stages.lives.cluster import parts_of_id
from memassay.flows.stages.lives.questions import check_questions, lives_of_questions
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Group, Scope, StageContext
from memassay.schemas.contracts.recipes import (
    READS_LIVES,
    ClusterSection,
    InterpolateSection,
)
from memassay.schemas.errors import RecordError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import AskedAt, QAItem
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.lives.bridging.bridging import add_bridges
from memassay.synth.lives.events import move_dates, place_events
from memassay.synth.lives.extending.assigning import DRAWN, assign_arcs
from memassay.synth.lives.extending.extending import extend_life
from memassay.synth.lives.joining import LifeName, join_dialogues
from memassay.synth.lives.life import Life
from memassay.synth.lives.members import assets_of, cut_out, dialogue_id, sessions_of
from memassay.synth.lives.profiling import add_profile
from memassay.synth.lives.revising import revise_turns
from memassay.synth.lives.unifying.by_model import READING, read_by_model
from memassay.synth.lives.unifying.unify import unify

ROLES_USED: Final = ("user", *READS_LIVES)
"""Roles of the models that read lives, write bridges, revise turns and sum people up."""

_KEPT: Final = 32
"""Conversations that are in memory while lives are made of them."""


class JoinStage:
    """Conversations of dialogues with all that belongs to them; the ones they came from end."""

    name = "join"
    version = "5"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS - {"persona"} | {"cluster"}

    def __init__(
        self,
        section: ClusterSection,
        path: str,
        interpolate: InterpolateSection | None,
        models: dict[str, Any] | None = None,
        seed: int = 0,
        readers: dict[str, Any] | None = None,
        cut_apart: frozenset[str] | None = None,
    ) -> None:
        """Take what the recipe asks for.

        Args:
            section: How lives are made.
            path: The recipe's path.
            interpolate: How dialogues without a date are dated.
            models: By role, the models that read and write; None where the simulator writes.
            seed: Decides which life gets which arcs.
            readers: By role, the models that only read, where the simulator writes.
            cut_apart: Conversations whose sessions are the dialogues; None: all.
        """
        self.section, self.cut_apart = section, cut_apart
        self.path = path
        self.seed = seed
        self.dating = InterpolateStage(interpolate or InterpolateSection())
        self.config: dict[str, Any] = {
            **section.model_dump(mode="json", include={"bridges", "extensions"}),
            "path": path,
            "dating": self.dating.config,
            **({"models": models} if models else {}),
            **({"readers": readers} if readers and not models else {}),
            # How a model reads is part of the result only where one reads.
            **({"reading": READING} if models or readers else {}),
        }

    def stays(self, conversation: str) -> bool:
        """Whether a conversation is not cut apart."""
        return self.cut_apart is not None and conversation not in self.cut_apart

    def groups(self, collection: Collection) -> Mapping[str, Group]:
        """The dialogues of each cluster, and the questions that rest on several of them."""
        given = _Input(collection)
        # A unit sees its own life alone, so what depends on the others is decided here.
        assigned = assign_arcs(
            {name: partial(given.cut_out, name) for name in given.clusters},
            self.section.extensions,
            lambda life: keyed_random(str(self.seed), self.name, life, *DRAWN),
        )
        groups = {}
        for name in given.clusters:
            sources = {source for source, _ in given.members[name]}
            # Of a conversation that several lives share, each must know where the rest went.
            beside = {
                other
                for other, members in given.members.items()
                if not sources.isdisjoint(source for source, _ in members)
            }
            arcs: list[JsonValue] = [*assigned.get(name, ())]
            used = [given.clusters[name].name, *given.hashes_of(name), arcs]
            groups[name] = Group(frozenset(sources | beside), used)
        return groups

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One conversation, what belongs to it, and every change that made it one."""
        # It needs SciPy, which takes half a second to import.
        from memassay.synth.lives.ordering.placing import order_members

        given = _Input(RecordCollection(records))
        cluster = given.clusters[context.shard]
        members = given.cut_out(cluster.id)
        by_model = "models" in self.config
        read = partial(read_by_model, context=context, life=cluster.id)
        one = unify(members, read if "reading" in self.config else None)
        order = [each.bundle for each in order_members(one.members)]
        sources = {name: given.bundle(name) for name, _ in given.members[cluster.id]}
        # Questions about a dialogue that fits no life are held out, not forgotten.
        asked: dict[str, list[QAItem]] = {}
        for member in members:
            if dialogue_id(member) in one.left_out:
                asked.setdefault(member.id, []).extend(member.questions)
        made = join_dialogues(self._name_of(cluster, order), order, sources, asked, one.changes)
        life = self._with_dates(made.life, context)
        life = add_bridges(life, self.section.bridges, context, by_model=by_model)
        *_, arcs = cast(list[Any], context.depends)
        life = extend_life(life, self.section.extensions, context, by_model=by_model, assigned=arcs)
        life = add_profile(life, context, by_model=by_model)
        life = Life(place_events(life.bundle), life.alterations)
        if by_model:
            life = revise_turns(life, context)
        for finding in check_questions(life.bundle, made, sources):
            context.emit(finding)
        yield from life.bundle.records()
        yield from alterations(life)

    def _name_of(self, cluster: Cluster, members: Sequence[Bundle]) -> LifeName:
        """A life keeps the data set of its dialogues where its path took them in itself."""
        talks = [one.conversation for one in members]
        collections = {one.collection for one in talks}
        own = len(collections) == 1 and {one.path for one in talks} == {self.path}
        collection = collections.pop() if own else self.path
        return LifeName(cluster.id, collection, self.path, cluster.name)

    def _with_dates(self, life: Life, context: StageContext) -> Life:
        (talk,) = self.dating.run([life.bundle.conversation], context)
        assert isinstance(talk, Conversation)
        return Life(move_dates(life.bundle, talk), life.alterations)


class _Input:
    """Conversations and clusters as the stage is given them."""

    def __init__(self, collection: Collection) -> None:
        found = collection.of("cluster")
        self.clusters = {one.id: one for one in found if isinstance(one, Cluster)}
        # Lives have conversations in common: the last ones are not read again.
        self.bundle = lru_cache(_KEPT)(collection.bundle)
        self.members = {
            name: [parts_of_id(one.dialogue) for one in cluster.members]
            for name, cluster in self.clusters.items()
        }

    def cut_out(self, cluster: str) -> list[Bundle]:
        """The dialogues of a cluster, with the questions that follow them.

        What rests on several of them, or on none, is with the first: names in it are replaced too.

        Raises:
            RecordError: One of them is not there.
        """
        asked = self.questions_between(cluster)
        found = []
        for source, session in self.members[cluster]:
            bundle = self.bundle(source)
            if session not in bundle.session_by_id:
                raise RecordError(f"{cluster}.members: expected {source}/{session}, got none")
            member = cut_out(bundle, session)
            own = sorted((at for of, at in self.members[cluster] if of == source), key=natural_key)
            more = [one for one in asked[source] if _home(one, own) == session]
            update = {
                "questions": [*member.questions, *more],
                "assets": assets_of(bundle, member.assets, more),
            }
            found.append(member.model_copy(update=update))
        return found

    def questions_between(self, cluster: str) -> dict[str, list[QAItem]]:
        """Questions of a cluster's conversations that are no single dialogue's, by conversation."""
        where = {each: name for name, members in self.members.items() for each in members}
        asked = {}
        for source in sorted({source for source, _ in self.members[cluster]}):
            bundle = self.bundle(source)
            lives = lives_of_questions(bundle.conversation, bundle.questions, where)
            asked[source] = [
                one
                for one in bundle.questions
                if lives[one.id] == cluster and len(sessions_of(one)) != 1
            ]
        return asked

    def hashes_of(self, cluster: str) -> list[JsonValue]:
        """Content hashes of all that a life is made of."""
        used: list[Record] = [one for each in self.cut_out(cluster) for one in each.records()]
        moments: list[JsonValue] = []
        for source, asked in self.questions_between(cluster).items():
            named = {name for item in asked for name in item.evidence.facts}
            used += [one for one in self.bundle(source).facts if one.id in named]
            if any(item.asked_at != AskedAt() for item in self.bundle(source).questions):
                talk = self.bundle(source).conversation
                moments.append([one.id for one in talk.sessions])
                moments += [one.model_dump(mode="json") for one in talk.checkpoints]
        return [*(content_hash(one) for one in used), moments]


def _home(item: QAItem, own: Sequence[str]) -> str:
    """The first of a life's dialogues of one conversation that a question cites, or the first."""
    cited = sorted(sessions_of(item), key=natural_key)
    return next((one for one in cited if one in own), own[0])


def alterations(life: Life, before: int = 0) -> Iterator[Alteration]:
    """Every change under its id, in the order of the finished conversation.

    `before` says how many changes of it are numbered already.
    """
    places: list[str] = []
    for session in life.bundle.conversation.sessions:
        places.append(session.id)
        for one in session.rounds:
            places += [one.id, *(turn.id for turn in one.turns)]
    order = {place: at for at, place in enumerate(places)}
    changes = sorted(
        life.alterations,
        key=lambda each: (order.get(each.place, len(order)), each.place, each.kind),
    )
    for at, change in enumerate(changes, start=before + 1):
        yield Alteration(
            id=record_id(life.bundle.id, f"A{at:04d}"),
            kind=change.kind,
            place=change.place,
            before=change.before,
            after=change.after,
            reason=change.reason,
            facts=list(change.facts),
        )
