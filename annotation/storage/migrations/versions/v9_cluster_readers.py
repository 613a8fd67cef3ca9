"""Which model looked for contradictions between the dialogues of a run's clusters."""

import sqlalchemy as sa
from alembic import op

revision = "9"
down_revision = "8"


def upgrade() -> None:
    """Add the column; of clusters that are there already, no model is known."""
    column = sa.Column("read_by", sa.Text, nullable=False, server_default="")
    op.add_column("review_clusters", column)
