"""Workspaces whose database is a PostgreSQL server: an empty one for each test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from memassay.flows.store.places.address import Address
from memassay.schemas.hashing import sha256
from support.review_builder import postgres


@contextmanager
def server_place(files: str, folder: Path) -> Iterator[Address]:
    """The address of a workspace that is not there yet; skips where no server is named.

    Args:
        files: Where its files are.
        folder: The folder of this machine.
    """
    schema = f"memassay_{sha256(str(folder).encode())[:12]}"
    with postgres(schema) as engine:
        database = engine.url.update_query_dict({"options": f"-csearch_path={schema}"})
        yield Address(database, files, folder)
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
