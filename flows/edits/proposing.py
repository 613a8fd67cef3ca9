"""From a proposed edit of a history to a set of edits: decided, made, asked again, or withdrawn.

A proposal is made on the history as its proposer saw it. When it is accepted it is made on the
history as it is by then: word for word what people voted on, or, where another edit has touched
the same place meanwhile, it is proposed once more and voted on again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memassay.annotation.pages.history_content import HistoryRecord, ProposedEdit
from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.annotation.voting.edit_log import EditLog
from memassay.annotation.voting.proposals import HistoryPolicy, Proposal, Proposals
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.edits.history_effects import HistoryEffects
from memassay.flows.edits.history_patches import effect_of
from memassay.flows.edits.history_sets import edits_between, maker_of, written_by_people
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.operations import Operation, parse_operation
from memassay.schemas.changes.restructure import Restructured
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.review import ReasonCode, Ruling

_WAITING: Final = ("open", "disputed")


@dataclass
class Proposing:
    """The proposals of one open workspace.

    Attributes:
        effects: What edits do to its histories.
        clock: Seconds since 1970.
    """

    effects: HistoryEffects
    clock: Callable[[], float]

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        return self.effects.workspace

    @property
    def proposals(self) -> Proposals:
        """The proposals as they are kept."""
        return Proposals(self.workspace.queue)

    def propose(
        self,
        found: ReviewItem,
        operation: Operation,
        base: str,
        reviewer: str,
        comment: str,
        *,
        owner: bool,
    ) -> str:
        """Propose an edit from an item; gives its name.

        Raises:
            UsageError: As for `HistoryEdits.propose`.
        """
        policy, about = self._policy(found.run), conversation_of(found.record)
        self.settle(about)
        history = self.effects.states.of(found)
        document = operation.model_dump(mode="json")
        alike = [one for one in self.proposals.of(about) if one.operation == document]
        standing = EditLog(self.workspace.queue.engine).change_sets(about)
        alive = [one for one in alike if one.state in _WAITING or one.name in standing]
        for one in alive:
            if (one.base, one.writer) == (base, reviewer):
                return one.name  # sent twice
            if one.state in _WAITING and not owner:
                raise UsageError(f"{about}: the same edit waits for votes as item {one.item}")
        if base != history.base:
            raise UsageError(
                f"{about}: expected the history as you saw it, but it has changed since; look at "
                "it again and repeat the change"
            )
        name = f"S{content_hash([base, document, len(alike) - len(alive)])[:12]}"
        done = self.effects.restructure(operation, history.bundle)
        errors = self.effects.preview(found, history.bundle, done).errors
        if errors:
            raise UsageError(f"{errors[0].message}; {errors[0].fix}")
        wanted = Proposal(
            item="",
            run=found.run,
            gate=found.gate,
            conversation=about,
            name=name,
            operation=document,
            base=base,
            effect=effect_of(history.bundle, done.bundle),
            comment=comment,
            writer=reviewer,
            state="",
            decision=None,
        )
        item = self.proposals.add(wanted, policy, _hash_of(history), self.clock())
        if owner:
            self._approve(item, reviewer, name)
            self.settle(about)
        return name

    def _policy(self, run: str) -> HistoryPolicy:
        policy = self.proposals.policy(run)
        if policy.history_edits == "off":
            raise UsageError(
                f"run {run}: expected a recipe whose histories are edited, got `history_edits: "
                "off`; say `propose` or `owner` in the recipe and run it"
            )
        return policy

    def _approve(self, item: str, reviewer: str, name: str) -> None:
        desk = ReviewDesk(self.workspace.queue.engine, self.clock)
        vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT, "proposed by an owner")
        desk.adjudicate(item, reviewer, f"{item} {name}", vote, owner=True)

    def withdraw(self, about: str, name: str, reviewer: str, *, owner: bool) -> bool:
        """Withdraw a proposal that waits; False if it does not.

        Raises:
            UsageError: It is somebody else's.
        """
        for one in self.proposals.of(about):
            if one.name == name and one.state in _WAITING:
                if one.writer != reviewer and not owner:
                    raise UsageError(f"{name}: somebody else proposed this; ask an owner")
                self.proposals.retire(one, reviewer, "withdraw", one.comment, self.clock())
                return True
        return False

    def settle_all(self) -> list[str]:
        """Make what was accepted, in every conversation; gives what could not be made."""
        return [one for about in self.proposals.to_settle() for one in self.settle(about)]

    def settle(self, about: str) -> list[str]:
        """Make the accepted edits of a history, oldest first; gives what could not be made.

        What waits and no longer does what its voters see is proposed once more.
        """
        proposals = [
            one
            for one in self.proposals.of(about)
            if one.state != "stale" and self.proposals.policy(one.run).history_edits != "off"
        ]
        standing = EditLog(self.workspace.queue.engine).change_sets(about) if proposals else {}
        conflicts: list[str] = []
        accepted = [
            one
            for one in proposals
            if one.decision and one.decision.ruling is Ruling.ACCEPT and one.name not in standing
        ]
        for one in [*accepted, *(one for one in proposals if one.state in _WAITING)]:
            conflicts += self._settle_one(one)
        return conflicts

    def _settle_one(self, one: Proposal) -> list[str]:
        found = self.workspace.queue.item(one.item)
        try:
            history = self.effects.states.of(found)
        except UsageError:  # not made yet, or held back: it waits with its history
            return []
        if one.base == history.base and one.state in _WAITING:
            return []
        try:
            done = self.effects.restructure(parse_operation(one.operation), history.bundle)
        except UsageError as error:
            self.proposals.retire(one, one.writer, "conflict", str(error), self.clock())
            return [
                f"{one.conversation}: the edit {one.name} by {one.writer} was not made: {error}"
            ]
        if effect_of(history.bundle, done.bundle) != one.effect:
            return self._propose_again(one, found, history, done)
        if one.state not in _WAITING:
            self._make(one, history, done)
        return []

    def _propose_again(
        self, one: Proposal, found: ReviewItem, history: HistoryRecord, done: Restructured
    ) -> list[str]:
        """Ask people again about what another edit has touched since."""
        again = Proposal(
            **{
                **vars(one),
                "name": f"S{content_hash([history.base, one.operation, one.name])[:12]}",
                "base": history.base,
                "effect": effect_of(history.bundle, done.bundle),
            }
        )
        policy = self.proposals.policy(found.run)
        # Added before the other goes: killed in between, this is done once more.
        item = self.proposals.add(again, policy, _hash_of(history), self.clock())
        self.proposals.retire(one, one.writer, "conflict", f"asked again as {item}", self.clock())
        return [
            f"{one.conversation}: another edit touched what {one.name} by {one.writer} changes; "
            f"it is asked again as item {item}"
        ]

    def _make(self, one: Proposal, history: HistoryRecord, done: Restructured) -> None:
        assert one.decision is not None
        log = EditLog(self.workspace.queue.engine)
        people = dict.fromkeys([one.writer, *one.decision.reviewer.split(", ")])
        edits = edits_between(
            history.bundle,
            done.bundle,
            maker_of(self.workspace, one.run, one.conversation, one.gate),
            written_by_people(log),
            name=one.name,
            reviewers=", ".join(people),
            comment=one.comment,
        )
        known = [change.name for change in history.changes]
        log.keep_set(one.run, one.item, edits, known, self.clock())


def _hash_of(history: HistoryRecord) -> str:
    return content_hash(history.bundle.conversation)


def proposal_view(one: Proposal) -> ProposedEdit:
    """A proposal as pages show it."""
    ruling = str(one.decision.ruling) if one.decision else ""
    return ProposedEdit(
        one.item, one.name, one.operation, one.writer, one.comment, one.state, ruling
    )
