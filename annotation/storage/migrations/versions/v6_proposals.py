"""Proposals: an item names the history it shows; a run says who decides edits of histories."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Widen the items; older ones cover the history that they show. Older runs say nothing."""
    with op.batch_alter_table("review_items") as table:
        table.add_column(sa.Column("history", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "review_policies",
        sa.Column("run", sa.String(300), primary_key=True),
        sa.Column("history_edits", sa.String(10), nullable=False),
        sa.Column("votes", sa.Integer, nullable=False),
    )
    op.create_table(
        "review_proposals",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("conversation", sa.String(300), nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("base", sa.String(64), nullable=False),
        sa.Column("effect", sa.String(64), nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
    )
    op.create_index("ix_review_proposals_conversation", "review_proposals", ["conversation"])
