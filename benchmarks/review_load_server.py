"""The server of ``review_load.py``: the review pages over a queue that is filled with one question.

Every item shows the same conversation of 200 rounds, so that pages have their usual size while
the queue is as long as asked for.
"""

import sys
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI
from sqlalchemy import Engine

from memassay.annotation.pages.content import ItemContent, ReviewContent
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.queue_reader import QueueReader
from memassay.annotation.voting.review_queue import ReviewQueue, ReviewRequest
from memassay.annotation.web.app import create_app
from memassay.flows.services.serving import open_port, serve_app
from memassay.flows.store.database.opening import open_database
from memassay.flows.store.database.servers import REVIEW_DATABASE, open_server, server_url
from memassay.schemas.judgements.review import CoveredRecord
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import QAItem

GATE, PASSWORD = "questions", "let me in please"
VOTES_NEEDED = 2


def engine_of(database: str, schema: str) -> Engine:
    """The engine of a SQLite file, or of a schema of a PostgreSQL database."""
    if not schema:
        return open_database(Path(database))
    url = server_url(f"{database}?options=-csearch_path%3D{schema}", REVIEW_DATABASE)
    return open_server(url, REVIEW_DATABASE)


def fill(database: str, schema: str, items: int) -> None:
    """Ask for two votes on each of many questions."""
    engine = engine_of(database, schema)
    covers = (CoveredRecord(id="talk", sha256="0" * 64),)
    requests = [
        ReviewRequest(
            GATE,
            f"talk/Q{number:07d}",
            "policy",
            (),
            (),
            covers,
            kind="question",
            type="fact_recall",
            votes=VOTES_NEEDED,
        )
        for number in range(items)
    ]
    ReviewQueue(engine).sync("load", GATE, requests)
    engine.dispose()


def _talk() -> Conversation:
    said = "We went over the plans again, and the second one still looks better to me. " * 3
    return Conversation.model_validate(
        {
            "id": "talk",
            "collection": "mem-gallery",
            "path": "curate",
            "speakers": [
                {"id": "ann", "name": "Ann", "kind": "human"},
                {"id": "bot", "name": "Assistant", "kind": "assistant"},
            ],
            "sessions": [
                {
                    "id": f"D{s}",
                    "index": s,
                    "date": f"2024-{(s - 1) % 12 + 1:02d}-03",
                    "rounds": [
                        {
                            "id": f"D{s}:{r}",
                            "kind": "exchange",
                            "turns": [
                                {"id": f"D{s}:{r}.1", "speaker": "ann", "text": said},
                                {"id": f"D{s}:{r}.2", "speaker": "bot", "text": said},
                            ],
                        }
                        for r in range(1, 18)
                    ],
                }
                for s in range(1, 13)
            ],
        }
    )


def _question() -> QAItem:
    return QAItem.model_validate(
        {
            "id": "talk/Q1",
            "conversation": "talk",
            "question": {"text": "Which plan looked better?"},
            "answer": {"format": "free", "values": ["the second one"]},
            "evidence": {"groups": [["D3:7"]], "canonical": ["D3:7"]},
            "type": "fact_recall",
            "benchmark_type": "FR",
            "origin": "imported",
        }
    )


class OneTalk:
    """One conversation behind every item of the queue."""

    def __init__(self, queue: QueueReader) -> None:
        """Use a queue."""
        self.queue = queue
        self.question = _question()
        self.bundle = Bundle(conversation=_talk(), questions=[self.question])

    def content(self, item: str) -> ItemContent:
        """All that is shown of an item."""
        return ItemContent(self.queue.head(item), (), self.bundle, self.question, None)


class OpenBook:
    """Everybody may come in, and nobody waits for a hash: logins are not what is measured."""

    def role_of(self, name: str, password: str) -> str | None:
        """An annotator, whoever it is."""
        return "annotator" if name and password == PASSWORD else None

    def join(self, token: str, name: str, password: str) -> str:
        """An annotator, whoever it is."""
        del token, name, password
        return "annotator"


class NoHistories:
    """Nobody edits histories."""

    def allows_edits(self, item: str) -> bool:
        """They are not."""
        del item
        return False


class NoClusters:
    """No run groups dialogues."""

    def runs(self) -> list[str]:
        """None."""
        return []

    def alterations(self, item: str) -> list[object]:
        """Nothing was joined."""
        del item
        return []


class NoErrata:
    """Nothing is released."""

    def of(self, item: str) -> None:
        """No release holds it."""
        del item


def served_app() -> FastAPI:
    """The application over the queue of a database."""
    database, schema = sys.argv[1:3]
    engine = engine_of(database, schema)
    queue, nobody = QueueReader(engine), cast(Any, None)
    talk, editing = cast(Any, OneTalk(queue)), cast(Any, NoHistories())
    clusters, errata = cast(Any, NoClusters()), cast(Any, NoErrata())
    content = ReviewContent(
        queue, talk, nobody, editing, nobody, lambda _collection: {}, nobody, clusters, errata
    )
    return create_app(ReviewDesk(engine), content, OpenBook(), blind_rate=0.0)


def main() -> None:
    """Serve the queue of a database as `memassay review serve` does."""
    port, workers = (int(given) for given in sys.argv[3:])
    serve_app("review_load_server:served_app", open_port("127.0.0.1", port), workers)


if __name__ == "__main__":
    main()
