"""Verdicts by field: a vote says which parts of a question are wrong."""

import sqlalchemy as sa
from alembic import op

revision = "10"
down_revision = "9"


def upgrade() -> None:
    """Widen the votes; those cast before named no part."""
    with op.batch_alter_table("review_votes") as table:
        column = sa.Column("wrong_fields", sa.String(80), nullable=False, server_default="")
        table.add_column(column)
