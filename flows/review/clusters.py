"""The clusters of a workspace's runs, as people see and correct them."""

import re
from collections.abc import Sequence
from typing import Final

from memassay.annotation.clusters.content import (
    ClusterCard,
    ClusterOverview,
    ReadDialogue,
    ShownDialogue,
)
from memassay.annotation.clusters.log import (
    ClusterLog,
    ClustersChanged,
    KeptDecision,
    RunClusters,
    as_shown,
)
from memassay.annotation.clusters.operations import ClusterRequest, ShownClusters
from memassay.annotation.voting.proposals import Proposals
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.cluster_decisions import LEFT_OUT, Clustered, Decided, HeldCluster
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import conversation_of, natural_key, record_id
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.conversation import Conversation, Session
from memassay.schemas.values.text import content_tokens, tokens

_FIRST_WORDS: Final = 160
"""Characters of a dialogue that its line shows."""
_STATE: Final = re.compile(r"([0-9]{1,9})-([0-9a-f]{12})", re.ASCII)


class WorkspaceClusters:
    """The clusters of one open workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self.workspace = workspace
        self.log = ClusterLog(workspace.queue.engine)
        self._made: dict[str, tuple[RunClusters, _Made]] = {}

    def runs(self) -> Sequence[str]:
        """Names of the runs that have clusters."""
        return self.log.runs()

    def only_run(self) -> str:
        """The run that has clusters.

        Raises:
            UsageError: None has, or several have.
        """
        runs = self.runs()
        if len(runs) != 1:
            known = ", ".join(runs) or "none that groups dialogues"
            raise UsageError(f"--run: expected one run, got {known}; name one of them")
        return runs[0]

    def may(self, run: str, role: str) -> bool:
        """Whether somebody with a role may decide about the clusters of a run."""
        policy = Proposals(self.workspace.queue).policy(run).history_edits
        allowed = {"propose": ("adjudicator", "owner"), "owner": ("owner",)}
        return role in allowed.get(policy, ())

    def overview(self, run: str) -> ClusterOverview:
        """The clusters of a run as they will be at the next one.

        Raises:
            UsageError: It has none.
        """
        made, rows = self._of(run), self.log.of(run)
        decided = Decided.of(as_shown(rows, made.kept.seen))
        shown = made.show(decided)
        cards = [made.card(one, decided) for one in shown.clusters.values()]
        cards.sort(key=lambda one: natural_key(one.members[0].id))
        placed = frozenset().union(*(one.members for one in shown.clusters.values()))
        left = sorted(made.sessions.keys() - placed, key=natural_key)
        return ClusterOverview(
            run=run,
            state=_state(rows, made.kept),
            cards=cards,
            left_over=[made.left_dialogue(one, decided) for one in left],
            decisions=rows,
            waiting=sum(one.number > made.kept.seen for one in rows),
            read_by=made.kept.read_by,
        )

    def find(self, run: str, words: str) -> frozenset[str]:
        """Dialogues that hold all words of a search."""
        needed = set(content_tokens(words) or tokens(words))
        made = self._of(run)
        return frozenset(name for name in made.sessions if needed and needed <= made.tokens(name))

    def decide(
        self, run: str, wanted: ClusterRequest, state: str, reviewer: str, role: str, comment: str
    ) -> str:
        """Keep what somebody decided; gives the cluster that it is about.

        Raises:
            ClustersChanged: It was made of another state.
            UsageError: It cannot be done, or not by them.
        """
        self._require_right(run, role)
        made, rows = self._of(run), self.log.of(run)
        known = _STATE.fullmatch(state or _state(rows, made.kept))
        if known is None or known.group(2) != made.kept.state:
            raise ClustersChanged(
                f"run {run}: expected the clusters as you saw them, but a run grouped the "
                "dialogues again meanwhile; look at them again and repeat what you did"
            )
        seen = int(known.group(1))
        as_seen = [one for one in rows if one.number <= seen]
        try:
            decision = made.now(rows).decision(wanted)
        except UsageError:
            if len(as_seen) == len(rows):
                raise
            # What others did since may be why; the log knows whom to name.
            decision = made.now(as_seen).decision(wanted)
        self.log.keep(run, decision, seen, reviewer, comment)
        return decision.cluster

    def undo(self, run: str, number: int | None, reviewer: str, role: str) -> str:
        """Take a decision back, the latest of the reviewer if no number is given.

        Raises:
            UsageError: There is none, it is not theirs, or a later one goes on from it.
        """
        self._require_right(run, role)
        for one in self.log.of(run):
            if one.number == number and one.reviewer != reviewer and role != "owner":
                raise UsageError(f"undo: expected a decision of yours, got one of {one.reviewer}")
        return self.log.undo(run, number, reviewer).decision.cluster

    def dialogue(self, run: str, dialogue: str) -> ReadDialogue:
        """A dialogue to read.

        Raises:
            UsageError: The run groups no such dialogue.
        """
        found = self._of(run).sessions.get(dialogue)
        if found is None:
            raise UsageError(f"dialogue: expected one of run {run}, got {dialogue[:60]!r}")
        shown = _attachments(found[1])
        present = frozenset(one for one, asset in shown.items() if self._asset(asset))
        return ReadDialogue(*found, present)

    def image(self, run: str, dialogue: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an image of a dialogue.

        Raises:
            UsageError: There is none, or there are no bytes.
        """
        shown = _attachments(self.dialogue(run, dialogue).session)
        asset = self._asset(shown.get(attachment))
        if asset is None:
            raise UsageError(
                f"dialogue {dialogue}: expected an image of it, got {attachment[:40]!r}"
            )
        data = self.workspace.blobs.get(asset.blob_sha256 or "")
        return data, asset.media_type or "image/png"

    def _asset(self, name: str | None) -> Asset | None:
        """An image whose bytes are there; a document or a missing one is none."""
        for one in self.workspace.store.states("asset", name) if name else []:
            if (
                isinstance(one, Asset)
                and one.availability is Availability.PRESENT
                and (one.media_type or "").startswith("image/")
            ):
                return one
        return None

    def alterations(self, item: str) -> Sequence[Alteration]:
        """What joining changed in the conversation of an item, in its order."""
        found = self.workspace.queue.item(item)
        if found.run not in self.log.runs():
            return []
        return self._of(found.run).alterations.get(conversation_of(found.record), [])

    def _require_right(self, run: str, role: str) -> None:
        self.log.run_clusters(run)
        if not self.may(run, role):
            raise UsageError(
                f"run {run}: its recipe lets nobody with the role {role!r} decide about clusters; "
                "`history_edits: propose` lets adjudicators and owners"
            )

    def _of(self, run: str) -> "_Made":
        kept = self.log.run_clusters(run)
        known = self._made.get(run)
        if known is None or known[0] != kept:
            known = self._made[run] = (kept, _Made(self.workspace, kept))
        return known[1]


class _Made:
    """What a run made, with the dialogues that it grouped."""

    def __init__(self, workspace: Workspace, kept: RunClusters) -> None:
        get_all = workspace.store.get_all
        clusters = (one for one in get_all(kept.clusters) if isinstance(one, Cluster))
        self.kept = kept
        self.clusters = {one.id: one for one in clusters}
        self.sessions = {
            record_id(talk.id, session.id): (talk, session)
            for talk in get_all(kept.conversations)
            if isinstance(talk, Conversation)
            for session in talk.sessions
            if session.rounds
        }
        self.alterations: dict[str, list[Alteration]] = {}
        for one in get_all(kept.alterations):
            if isinstance(one, Alteration):
                self.alterations.setdefault(conversation_of(one.id), []).append(one)
        self._tokens: dict[str, frozenset[str]] = {}

    def now(self, rows: Sequence[KeptDecision]) -> ShownClusters:
        """The clusters under a list of decisions."""
        return self.show(Decided.of(as_shown(rows, self.kept.seen)))

    def show(self, decided: Decided) -> ShownClusters:
        """The clusters under what people decided."""
        groups = {
            name: [each.dialogue for each in cluster.members]
            for name, cluster in self.clusters.items()
        }
        under = Clustered(groups, self.sessions.keys()).under(decided)
        shown = {}
        for name, members in under.items():
            held, made = decided.clusters.get(name), self.clusters.get(name)
            label = held.name if held else made.name if made else ""
            locked = bool(held and held.locked), bool(held and held.closed)
            shown[name] = HeldCluster(name, frozenset(members), label, *locked)
        return ShownClusters(shown, frozenset(self.sessions))

    def card(self, cluster: HeldCluster, decided: Decided) -> ClusterCard:
        """A cluster with all that its card shows."""
        made = self.clusters.get(cluster.id)
        same = made is not None and {one.dialogue for one in made.members} == cluster.members
        scored = {one.dialogue: one for one in made.members} if made and same else {}
        members = []
        for dialogue in sorted(cluster.members, key=natural_key):
            one = scored.get(dialogue)
            why = ", ".join(one.shared) if one else "scores come with the next run"
            relevance, fluency = (one.relevance, one.fluency) if one else (None, None)
            members.append(self._line(dialogue, relevance, fluency, why))
        near = [
            self._line(one.dialogue, one.relevance, None, one.why)
            for one in (made.left_out if made else ())
            if one.dialogue in self.sessions and not _is_placed(one.dialogue, decided)
        ]
        return ClusterCard(
            id=cluster.id,
            name=cluster.name,
            keywords=tuple(one.word for one in made.keywords) if made else (),
            members=tuple(members),
            near=tuple(near),
            made=made if same else None,
            locked=cluster.locked,
            closed=cluster.closed,
            changed=made is None or not same or made.name != cluster.name,
        )

    def left_dialogue(self, dialogue: str, decided: Decided) -> ShownDialogue:
        """A dialogue in no cluster."""
        reasons = (
            one.why
            for cluster in self.clusters.values()
            for one in cluster.left_out
            if one.dialogue == dialogue
        )
        why = LEFT_OUT if dialogue in decided.out else next(reasons, "in no cluster")
        return self._line(dialogue, None, None, why)

    def _line(
        self, dialogue: str, relevance: float | None, fluency: float | None, why: str
    ) -> ShownDialogue:
        talk, session = self.sessions[dialogue]
        said = " ".join(turn.text for one in session.rounds[:2] for turn in one.turns)
        words = said if len(said) <= _FIRST_WORDS else f"{said[:_FIRST_WORDS].rstrip()} …"
        topic = ", ".join([*talk.tags, *([talk.domain] if talk.domain else [])][:3])
        return ShownDialogue(dialogue, topic, words, len(session.rounds), relevance, fluency, why)

    def tokens(self, dialogue: str) -> frozenset[str]:
        """Words of a dialogue, captions included."""
        if dialogue not in self._tokens:
            _, session = self.sessions[dialogue]
            turns = [turn for one in session.rounds for turn in one.turns]
            said = [turn.text for turn in turns]
            said += [one.caption or "" for turn in turns for one in turn.attachments]
            text = " ".join([dialogue, *said])
            self._tokens[dialogue] = frozenset({*content_tokens(text), *tokens(text)})
        return self._tokens[dialogue]


def _attachments(session: Session) -> dict[str, str]:
    """Assets by the ids of the attachments that show them."""
    turns = (turn for one in session.rounds for turn in one.turns)
    return {one.id: one.asset for turn in turns for one in turn.attachments}


def _is_placed(dialogue: str, decided: Decided) -> bool:
    return any(dialogue in one.members for one in decided.clusters.values())


def _state(rows: Sequence[KeptDecision], made: RunClusters) -> str:
    return f"{rows[-1].number if rows else 0}-{made.state}"
