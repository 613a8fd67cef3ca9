"""The queue alone: one decision an item."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the table of items."""
    op.create_table(
        "review_items",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("run", sa.String(300), nullable=False),
        sa.Column("gate", sa.String(60), nullable=False),
        sa.Column("record", sa.String(300), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("findings", sa.Text, nullable=False),
        sa.Column("covers", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("decision", sa.Text),
    )
