"""Sessions and wrong tries of the review pages: they outlive a server, and hold for several."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "web_sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("reviewer", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("ix_web_sessions_reviewer", "web_sessions", ["reviewer"])
    op.create_table(
        "web_tries",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("ix_web_tries_who", "web_tries", ["who"])
