"""Clusters: what people decide about them, and which ones a run made last."""

import sqlalchemy as sa
from alembic import op

revision = "8"
down_revision = "7"


def upgrade() -> None:
    """Make the tables; clusters that are there already are known from the next run on."""
    op.create_table(
        "review_cluster_decisions",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("run", sa.String(300), nullable=False),
        sa.Column("undoes", sa.Integer),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("reviewer", sa.String(80), nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("ix_review_cluster_decisions_run", "review_cluster_decisions", ["run"])
    op.create_table(
        "review_clusters",
        sa.Column("run", sa.String(300), primary_key=True),
        sa.Column("clusters", sa.Text, nullable=False),
        sa.Column("conversations", sa.Text, nullable=False),
        sa.Column("alterations", sa.Text, nullable=False, server_default="[]"),
        sa.Column("seen", sa.Integer, nullable=False),
    )
