"""Items that a reviewer skipped: not offered until they ask for them again."""

from sqlalchemy import Connection, and_, delete, exists, select

from memassay.annotation.storage.tables import ITEMS, ROOM, SKIPS, VOTES


def skipped_by(connection: Connection, reviewer: str) -> list[str]:
    """Ids of the items that a reviewer skipped and that could be offered to them again."""
    voted = exists().where(
        VOTES.c.item == ITEMS.c.id, VOTES.c.reviewer == reviewer, VOTES.c.withdrawn.is_(False)
    )
    query = (
        select(SKIPS.c.item)
        .join(ITEMS, ITEMS.c.id == SKIPS.c.item)
        .where(SKIPS.c.reviewer == reviewer, SKIPS.c.reason == "skipped", ROOM, ~voted)
    )
    return [str(item) for item in connection.execute(query).scalars()]


def offer_again(connection: Connection, reviewer: str) -> int:
    """Forget what a reviewer skipped of all that has room; gives how many items that are."""
    items = skipped_by(connection, reviewer)
    for item in items:
        own = and_(SKIPS.c.item == item, SKIPS.c.reviewer == reviewer)
        connection.execute(delete(SKIPS).where(own))
    return len(items)
