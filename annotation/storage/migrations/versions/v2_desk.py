"""The desk: leases, blind votes, drafts, the log; items know their order and how many take them."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

_COPY = """
INSERT INTO review_items (id, run, gate, record, conversation, kind, type, reason, severity, rules,
  findings, covers, priority, position, votes_needed, taken, state, decision)
SELECT id, run, gate, record,
  CASE WHEN instr(record, '/') > 0 THEN substr(record, 1, instr(record, '/') - 1) ELSE record END,
  '', '', reason, CASE WHEN reason IN ('error', 'warning') THEN reason ELSE 'none' END, rules,
  findings, covers, CASE reason WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END,
  ROW_NUMBER() OVER (ORDER BY id), 1, 0, state, decision
FROM review_items_1
"""


def upgrade() -> None:
    """Fill the wider table of items from the old one, and make the others."""
    op.rename_table("review_items", "review_items_1")
    _items()
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.execute(_COPY if is_sqlite else _COPY.replace("instr(record, '/')", "strpos(record, '/')"))
    op.drop_table("review_items_1")
    _room = sa.text("state = 'open' AND taken < votes_needed")
    op.create_index(
        "review_items_with_room",
        "review_items",
        ["priority", "position"],
        sqlite_where=_room,
        postgresql_where=_room,
    )
    op.create_index("review_items_in_order", "review_items", ["state", "priority", "position"])
    op.create_index("review_items_of_run", "review_items", ["run", "gate", "state"])
    _leases_and_votes()
    _others()


def _items() -> None:
    op.create_table(
        "review_items",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("run", sa.String(300), nullable=False),
        sa.Column("gate", sa.String(60), nullable=False),
        sa.Column("record", sa.String(300), nullable=False),
        sa.Column("conversation", sa.String(300), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("severity", sa.String(10), nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("findings", sa.Text, nullable=False),
        sa.Column("covers", sa.Text, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("votes_needed", sa.Integer, nullable=False),
        sa.Column("taken", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("decision", sa.Text),
    )


def _leases_and_votes() -> None:
    op.create_table(
        "review_leases",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("reviewer", sa.String(80), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("ix_review_leases_reviewer", "review_leases", ["reviewer"])
    op.create_index("ix_review_leases_until", "review_leases", ["until"])
    op.create_table(
        "review_votes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("item", sa.String(20), nullable=False),
        sa.Column("reviewer", sa.String(80), nullable=False),
        sa.Column("token", sa.String(80), nullable=False, unique=True),
        sa.Column("ruling", sa.String(20), nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("edit", sa.Text),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("adjudicates", sa.Boolean, nullable=False),
        sa.UniqueConstraint("item", "reviewer", name="review_votes_once"),
    )
    op.create_index("review_votes_by_reviewer", "review_votes", ["reviewer", "id"])


def _others() -> None:
    op.create_table(
        "review_skips",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("reviewer", sa.String(80), primary_key=True),
        sa.Column("reason", sa.String(20), nullable=False),
    )
    op.create_table(
        "review_drafts",
        sa.Column("item", sa.String(20), primary_key=True),
        sa.Column("reviewer", sa.String(80), primary_key=True),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "review_log",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("reviewer", sa.String(80), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("item", sa.String(20), nullable=False),
        sa.Column("record", sa.String(300), nullable=False),
        sa.Column("before", sa.String(64)),
        sa.Column("after", sa.String(64)),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("seconds", sa.Float),
    )
    op.create_index("ix_review_log_item", "review_log", ["item"])
