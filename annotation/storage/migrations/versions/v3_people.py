"""People: purposes of votes, edits, contexts, reviewers and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"

_COPY = """
INSERT INTO review_votes (id, item, reviewer, token, purpose, ruling, reason, comment, edits,
  seconds, at, withdrawn)
SELECT id, item, reviewer, token, CASE WHEN adjudicates THEN 'adjudication' ELSE 'vote' END, ruling,
  reason, comment, '[]', seconds, at, {no}
FROM review_votes_2
"""


def upgrade() -> None:
    """Widen items, leases and votes, and make the new tables."""
    with op.batch_alter_table("review_items") as table:
        table.add_column(sa.Column("writer", sa.String(80), nullable=False, server_default=""))
    with op.batch_alter_table("review_leases") as table:
        lent = sa.Column("purpose", sa.String(20), nullable=False, server_default="vote")
        table.add_column(lent)
    _votes()
    _edits()
    _people()


def _votes() -> None:
    op.drop_index("review_votes_by_reviewer", "review_votes")
    op.rename_table("review_votes", "review_votes_2")
    op.create_table(
        "review_votes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("item", sa.String(20), nullable=False),
        sa.Column("reviewer", sa.String(80), nullable=False),
        sa.Column("token", sa.String(80), nullable=False, unique=True),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("ruling", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("edits", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.execute(_COPY.format(no="0" if is_sqlite else "false"))
    op.drop_table("review_votes_2")
    if not is_sqlite:
        op.execute(
            "SELECT setval(pg_get_serial_sequence('review_votes', 'id'), "
            "(SELECT coalesce(max(id), 0) + 1 FROM review_votes), false)"
        )
    stands = sa.text("NOT withdrawn")
    op.create_index(
        "review_votes_once",
        "review_votes",
        ["item", "reviewer", "purpose"],
        unique=True,
        sqlite_where=stands,
        postgresql_where=stands,
    )
    op.create_index("review_votes_by_reviewer", "review_votes", ["reviewer", "id"])


def _edits() -> None:
    op.create_table(
        "review_controls",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("ruling", sa.String(20), nullable=False),
    )
    op.create_table(
        "review_edits",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(20), nullable=False),
        sa.Column("item", sa.String(20), nullable=False),
        sa.Column("run", sa.String(300), nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
    )
    for name in ("id", "item", "run"):
        op.create_index(f"ix_review_edits_{name}", "review_edits", [name])
    op.create_table(
        "review_contexts",
        sa.Column("run", sa.String(300), primary_key=True),
        sa.Column("gate", sa.String(60), primary_key=True),
        sa.Column("conversation", sa.String(300), primary_key=True),
        sa.Column("hashes", sa.Text, nullable=False),
    )


def _people() -> None:
    op.create_table(
        "reviewers",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("used_by", sa.String(80)),
    )
