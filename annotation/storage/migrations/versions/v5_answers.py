"""Assignments: a vote has an answer."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Widen the votes; those cast before answered nothing."""
    with op.batch_alter_table("review_votes") as table:
        table.add_column(sa.Column("answer", sa.Text, nullable=False, server_default=""))
