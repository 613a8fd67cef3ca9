"""Pages: which of them a reviewer has open of an item, so that the last one lets go of it."""

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Make the table; pages that are open now are noted by their next heartbeat."""
    op.create_table(
        "review_pages",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("reviewer", sa.String(80), primary_key=True),
        sa.Column("page", sa.String(40), primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
