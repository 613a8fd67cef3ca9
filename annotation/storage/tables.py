"""The tables of review: items, leases, votes, drafts, the log; no payload of records in any."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

METADATA = MetaData()

ITEMS = Table(
    "review_items",
    METADATA,
    Column("id", String(20), primary_key=True),
    Column("run", String(300), nullable=False),
    Column("gate", String(60), nullable=False),
    Column("record", String(300), nullable=False),
    Column("conversation", String(300), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("type", String(40), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("severity", String(10), nullable=False),
    Column("writer", String(80), nullable=False),
    Column("rules", Text, nullable=False),
    Column("findings", Text, nullable=False),
    Column("covers", Text, nullable=False),
    Column("history", String(64), nullable=False, server_default=""),
    Column("priority", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("votes_needed", Integer, nullable=False),
    Column("taken", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("decision", Text),
)
"""One row an item; state is `open`, `disputed`, `decided` or `stale`.

An item's id follows from gate, record and the states it covers. `run` is the run that asked for
it last; a decision holds for every run. `history` is the content hash of the conversation that is
shown, which a decision need not cover. `writer` is the person who wrote the record, if one did:
it is never given to them. `taken` counts votes and live leases, so that whether an
item has room for one more reviewer needs no other table.
"""

ROOM = text("review_items.state = 'open' AND review_items.taken < review_items.votes_needed")
"""Items with room for a reviewer, word for word as in the index that finds them at once."""
_ROOM = text("state = 'open' AND taken < votes_needed")
Index("review_items_with_room", ITEMS.c.priority, ITEMS.c.position, sqlite_where=_ROOM)
Index("review_items_in_order", ITEMS.c.state, ITEMS.c.priority, ITEMS.c.position)
Index("review_items_of_run", ITEMS.c.run, ITEMS.c.gate, ITEMS.c.state)

LEASES = Table(
    "review_leases",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("reviewer", String(80), primary_key=True, index=True),
    Column("purpose", String(20), nullable=False),
    Column("since", Float, nullable=False),
    Column("until", Float, nullable=False, index=True),
)
"""Who is looking at what, until when (seconds since 1970); a heartbeat moves the end.

`purpose` is that of the vote it will become.
"""

OPEN_PAGES = Table(
    "review_pages",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("reviewer", String(80), primary_key=True),
    Column("page", String(40), primary_key=True),
    Column("until", Float, nullable=False),
)
"""Which pages of an item a reviewer has open; the last that is left lets go of the item.

A page is there once its first heartbeat came; one whose heartbeats stopped counts until `until`
(seconds since 1970).
"""

VOTES = Table(
    "review_votes",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("item", String(20), nullable=False),
    Column("reviewer", String(80), nullable=False),
    Column("token", String(80), nullable=False, unique=True),
    Column("purpose", String(20), nullable=False),
    Column("ruling", String(20), nullable=False),
    Column("reason", String(40), nullable=False),
    Column("comment", Text, nullable=False),
    Column("edits", Text, nullable=False),
    Column("answer", Text, nullable=False, server_default=""),
    Column("wrong_fields", String(80), nullable=False, server_default=""),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
)
"""One row a vote; `token` is the client's, so that a submit sent twice is one vote.

`purpose` is `vote`, `adjudication`, `control` (the answer is known), `repeat` (of their own) or
`judge` (a model's, to compare with). `answer` is what an assignment was answered with;
`wrong_fields` names the parts of a question that are wrong, between spaces.
Undone, a vote is `withdrawn` and stays, so that its token cannot bring it back. `edits` says which
records were changed, JSON list.
"""

_STANDS = text("NOT withdrawn")
Index(
    "review_votes_once",
    VOTES.c.item,
    VOTES.c.reviewer,
    VOTES.c.purpose,
    unique=True,
    sqlite_where=_STANDS,
)
Index("review_votes_by_reviewer", VOTES.c.reviewer, VOTES.c.id)

CONTROLS = Table(
    "review_controls",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("ruling", String(20), nullable=False),
)
"""Decided items whose answer is known for sure; they are shown again to measure reviewers."""

EDITS = Table(
    "review_edits",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(20), nullable=False, index=True),
    Column("item", String(20), nullable=False, index=True),
    Column("run", String(300), nullable=False, index=True),
    Column("document", Text, nullable=False),
    Column("active", Boolean, nullable=False),
)
"""What people changed or wrote, as `Edit` records in order; undone, one is no longer active.

`item` is the review item it was made at, empty for a record that a person wrote.
"""

CONTEXTS = Table(
    "review_contexts",
    METADATA,
    Column("run", String(300), primary_key=True),
    Column("gate", String(60), primary_key=True),
    Column("conversation", String(300), primary_key=True),
    Column("hashes", Text, nullable=False),
)
"""Content hashes of all that belongs to a conversation as its gate last saw it, JSON list."""

SKIPS = Table(
    "review_skips",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("reviewer", String(80), primary_key=True),
    Column("reason", String(20), nullable=False),
)
"""What a reviewer does not want to see again; `reason` is `skipped` or `escalated`."""

DRAFTS = Table(
    "review_drafts",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("reviewer", String(80), primary_key=True),
    Column("document", Text, nullable=False),
    Column("at", Float, nullable=False),
)
"""What a reviewer has written and not submitted."""

LOG = Table(
    "review_log",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("reviewer", String(80), nullable=False),
    Column("action", String(20), nullable=False),
    Column("item", String(20), nullable=False, index=True),
    Column("record", String(300), nullable=False),
    Column("before", String(64)),
    Column("after", String(64)),
    Column("reason", String(200), nullable=False),
    Column("seconds", Float),
)
"""Who did what and when; rows are only ever added."""

REVIEWERS = Table(
    "reviewers",
    METADATA,
    Column("name", String(80), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("password", String(200), nullable=False),
    Column("disabled", Boolean, nullable=False),
)
"""Who may review; `password` is an argon2 hash, `role` annotator, adjudicator or owner."""

INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("token", String(64), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("until", Float, nullable=False),
    Column("used_by", String(80)),
)
"""Who may become a reviewer; `token` is the SHA-256 of what was handed out."""

WEB_SESSIONS = Table(
    "web_sessions",
    METADATA,
    Column("token", String(64), primary_key=True),
    Column("reviewer", String(80), nullable=False, index=True),
    Column("role", String(20), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("until", Float, nullable=False),
)
"""Who is logged in to the pages; `token` is the SHA-256 of what the cookie holds.

`seen` is brought up to date once a minute at most; `until` is when it ends at the latest.
"""

WEB_TRIES = Table(
    "web_tries",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("who", String(64), nullable=False, index=True),
    Column("at", Float, nullable=False),
)
"""Logins that did not succeed, of the last minute; `who` is the SHA-256 of a name or address."""

POLICIES = Table(
    "review_policies",
    METADATA,
    Column("run", String(300), primary_key=True),
    Column("history_edits", String(10), nullable=False),
    Column("votes", Integer, nullable=False),
)
"""Who decides edits of histories in a run: `propose`, `owner` or `off`, and the votes needed."""

PROPOSALS = Table(
    "review_proposals",
    METADATA,
    Column("item", String(20), primary_key=True),
    Column("conversation", String(300), nullable=False, index=True),
    Column("name", String(20), nullable=False),
    Column("operation", Text, nullable=False),
    Column("base", String(64), nullable=False),
    Column("effect", String(64), nullable=False),
    Column("comment", Text, nullable=False),
)
"""Edits of histories that people proposed, each with the item that it is decided as.

`operation` is what is to be done, JSON; `base` the state of the history that it was made of;
`effect` a hash of what it changes there, before and after. Once accepted it becomes edits.
"""

CLUSTER_DECISIONS = Table(
    "review_cluster_decisions",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("run", String(300), nullable=False, index=True),
    Column("undoes", Integer),
    Column("document", Text, nullable=False),
    Column("reviewer", String(80), nullable=False),
    Column("comment", Text, nullable=False),
    Column("at", Float, nullable=False),
)
"""What people decided about the clusters of a run, in order; rows are only ever added.

`undoes` is the number of the decision that a row takes back.
"""

RUN_CLUSTERS = Table(
    "review_clusters",
    METADATA,
    Column("run", String(300), primary_key=True),
    Column("clusters", Text, nullable=False),
    Column("conversations", Text, nullable=False),
    Column("alterations", Text, nullable=False, server_default="[]"),
    Column("seen", Integer, nullable=False),
    Column("read_by", Text, nullable=False, server_default=""),
)
"""The clusters of each run as they were made last: content hashes, JSON lists.

`conversations` are those whose sessions were grouped, `alterations` what joining changed, `seen`
is the last decision that the run applied, `read_by` the model that looked for contradictions.
"""
