"""Decisions and votes that a change of a history voids: what they cover is not there any more."""

from collections.abc import Iterable

from memassay.annotation.pages.history_content import VoidedItem
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.engine.covers import round_states
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.bundle import Bundle


def voided_by(
    standing: Iterable[tuple[ReviewItem, int]], before: Bundle, after: Bundle
) -> list[VoidedItem]:
    """Items whose decision or votes a change voids, with how many votes each has.

    Args:
        standing: Items of the conversation that were voted on, each with its votes.
        before: The history as it is.
        after: The history as it would be.
    """
    was, then = _states(before), _states(after)
    return [
        VoidedItem(item.id, item.record, item.decision is not None, votes)
        for item, votes in standing
        if any(
            was.get(one.id) == one.sha256 and then.get(one.id) != one.sha256
            for one in (item.decision.covers if item.decision else item.covers)
        )
    ]


def _states(bundle: Bundle) -> dict[str, str]:
    return {one.id: content_hash(one) for one in bundle.records()} | round_states(bundle)
