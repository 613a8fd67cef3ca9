"""The review tables of any version become those of today, and keep what they hold."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, inspect, select, text
from support.review_builder import postgres

from memassay.annotation.storage import upgrade as table_upgrade
from memassay.annotation.storage.tables import ITEMS, METADATA, VOTES
from memassay.annotation.storage.upgrade import VERSION, migrate, upgrade


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database of each kind."""
    if request.param == "postgresql":
        with postgres("memassay_upgrade") as made:
            yield made
        return
    made = create_engine(f"sqlite:///{tmp_path / 'review.sqlite'}")
    yield made
    made.dispose()


def _differences(engine: Engine) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "review_version"})
        return list(compare_metadata(context, METADATA))


def _at(engine: Engine, version: str) -> None:
    """Make the tables of a version as a workspace of that time has them: the first without it."""
    folder = Path(table_upgrade.__file__).parent / "migrations"
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(folder))
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        if version in ("1", "2"):
            connection.execute(text("DROP TABLE review_version"))


def test_an_empty_database_gets_the_tables(engine: Engine) -> None:
    """With their version, and again without harm."""
    for _ in range(2):
        upgrade(engine)
    assert _differences(engine) == []
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM review_version")).all() == [
            (VERSION,)
        ]


def test_all_migrations_together_give_the_tables(engine: Engine) -> None:
    """What a new database is given at once is what an old one grows into."""
    with engine.begin() as connection:
        migrate(connection, None)
    assert _differences(engine) == []


@pytest.mark.parametrize("version", ["1", "2", "3", "4"])
def test_older_tables_become_those_of_today(engine: Engine, version: str) -> None:
    """A workspace made before versions were written down is told apart by its tables."""
    _at(engine, version)
    upgrade(engine)
    assert _differences(engine) == []
    assert "review_items_1" not in inspect(engine).get_table_names()


def test_decisions_survive(engine: Engine) -> None:
    """Of the first tables; their items are in order and errors come first."""
    _at(engine, "1")
    row = "('{}', 'run', 'check', 'alex/Q1', '{}', '[]', '[]', '[]', '{}', '{{}}')"
    rows = [row.format("R1", "warning", "decided"), row.format("R2", "error", "open")]
    with engine.begin() as connection:
        connection.exec_driver_sql(f"INSERT INTO review_items VALUES {', '.join(rows)}")
    upgrade(engine)
    columns = (ITEMS.c.id, ITEMS.c.conversation, ITEMS.c.state, ITEMS.c.decision, ITEMS.c.writer)
    with engine.connect() as connection:
        found = connection.execute(select(*columns).order_by(ITEMS.c.priority)).all()
    assert [tuple(each) for each in found] == [
        ("R2", "alex", "open", "{}", ""),
        ("R1", "alex", "decided", "{}", ""),
    ]


def test_votes_survive(engine: Engine) -> None:
    """An adjudicator's is still told from the others, and new ones get new numbers."""
    _at(engine, "2")
    false, true = ("0", "1") if engine.dialect.name == "sqlite" else ("false", "true")
    vote = "(%d, 'R1', '%s', '%s', 'accept', 'correct', '', NULL, 1.5, 2.5, %s)"
    rows = [vote % (1, "ada", "t1", false), vote % (2, "eve", "t2", true)]
    with engine.begin() as connection:
        names = "id, item, reviewer, token, ruling, reason, comment, edit, seconds, at, adjudicates"
        connection.exec_driver_sql(
            f"INSERT INTO review_votes ({names}) VALUES {', '.join(rows)}".replace("%", "%%")
        )
    upgrade(engine)
    with engine.begin() as connection:
        found = connection.execute(select(VOTES).order_by(VOTES.c.id)).all()
        first = found[0]._asdict() | {"token": "t3", "item": "R2"}
        del first["id"]
        connection.execute(VOTES.insert().values(**first))
    assert [(row.reviewer, row.purpose, row.withdrawn, row.answer) for row in found] == [
        ("ada", "vote", False, ""),
        ("eve", "adjudication", False, ""),
    ]


def test_votes_of_the_version_before_have_no_answer(engine: Engine) -> None:
    """What was cast before there were assignments answered nothing."""
    _at(engine, "4")
    false = "0" if engine.dialect.name == "sqlite" else "false"
    names = "id, item, reviewer, token, purpose, ruling, reason, comment, edits, seconds, at"
    vote = "1, 'R1', 'ada', 't1', 'vote', 'accept', 'correct', '', '[]', 1.5, 2.5"
    with engine.begin() as connection:
        insert = f"INSERT INTO review_votes ({names}, withdrawn) VALUES ({vote}, {false})"
        connection.exec_driver_sql(insert)
    upgrade(engine)
    with engine.connect() as connection:
        (found,) = connection.execute(select(VOTES)).all()
    assert (found.reviewer, found.answer) == ("ada", "")
