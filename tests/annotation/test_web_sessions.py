"""Sessions in the database: they outlive servers, hold for several, and end where they should."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, insert, select
from starlette.requests import Request
from support.review_builder import database

from memassay.annotation.pages.security import COOKIE, Session
from memassay.annotation.pages.sessions import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    TOUCH_SECONDS,
    TRUSTED_SECONDS,
    Sessions,
)
from memassay.annotation.storage.tables import REVIEWERS, WEB_SESSIONS, WEB_TRIES
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.review_queue import ReviewQueue
from memassay.schemas.errors import UsageError

PASSWORD = "correct horse"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database with a reviewer."""
    with database(request.param, tmp_path) as made:
        ReviewQueue(made)
        row = {"name": "ada", "role": "annotator", "password": "", "disabled": False}
        with made.begin() as connection:
            connection.execute(insert(REVIEWERS).values(**row))
        yield made


class Book:
    """One password for all, without the time that a hash takes."""

    def role_of(self, name: str, password: str) -> str | None:
        """An annotator, if the password is right."""
        return "annotator" if name and password == PASSWORD else None

    def join(self, token: str, name: str, password: str) -> str:
        """Nobody comes by an invitation here."""
        raise UsageError(f"{token} {name} {password}")


class Server:
    """One server's sessions, on a clock that tests turn."""

    def __init__(self, engine: Engine, *, users: bool = True) -> None:
        self.now = 1000.0
        book = Book() if users else None
        self.sessions = Sessions(book, engine, lambda: self.now)

    def log_in(self, password: str = PASSWORD, address: str = "here", name: str = "ada") -> str:
        """Name of the session; empty if the password is wrong."""
        return self.sessions.log_in(_request("", address), name, password) or ""

    def known(self, name: str) -> Session | None:
        """The session of a cookie."""
        return asyncio.run(self.sessions.session_of(_request(name)))

    def end(self, name: str) -> None:
        """Log out."""
        self.sessions.end(_request(name))


def _request(name: str, address: str = "here") -> Request:
    headers = [(b"cookie", f"{COOKIE}={name}".encode())] if name else []
    return Request({"type": "http", "headers": headers, "client": (address, 1)})


def test_a_session_outlives_its_server(engine: Engine) -> None:
    """Another server, started later, knows it, with the same token for forms."""
    first = Server(engine)
    name = first.log_in()
    assert Server(engine).known(name) == first.known(name) is not None


def test_the_database_holds_no_name_of_a_session(engine: Engine) -> None:
    """Who reads the table cannot take a session over."""
    name = Server(engine).log_in()
    with engine.connect() as connection:
        (row,) = connection.execute(select(WEB_SESSIONS)).all()
    assert name not in map(str, row)


def test_a_session_that_is_logged_out_is_gone_everywhere(engine: Engine) -> None:
    """Here at once, at other servers a second later."""
    here, there = Server(engine), Server(engine)
    name = here.log_in()
    assert there.known(name) is not None
    here.end(name)
    there.now += TRUSTED_SECONDS
    assert (here.known(name), there.known(name)) == (None, None)


def test_who_is_shut_out_has_no_session_any_more(engine: Engine) -> None:
    """And gets none back with the right to log in."""
    server = Server(engine)
    name = server.log_in()
    for disabled in (True, False):
        ReviewDesk(engine).shut_out("ada", "zoe", disabled=disabled)
        server.now += TRUSTED_SECONDS
        assert server.known(name) is None


def test_a_session_begun_while_being_shut_out_is_of_no_use(engine: Engine) -> None:
    """The password was looked at before, the session is opened after."""
    server = Server(engine)
    ReviewDesk(engine).shut_out("ada", "zoe")
    assert server.known(server.sessions.begin("ada", "annotator")) is None


def test_an_idle_session_ends(engine: Engine) -> None:
    """After twelve hours without a request."""
    server = Server(engine)
    name = server.log_in()
    server.now += IDLE_SECONDS + 1
    assert server.known(name) is None


def test_a_session_in_use_ends_in_the_end(engine: Engine) -> None:
    """However much it is used."""
    server = Server(engine)
    name = server.log_in()
    until = server.now + LONGEST_SECONDS
    while server.now < until:
        assert server.known(name) is not None
        server.now += IDLE_SECONDS - TOUCH_SECONDS
    assert server.known(name) is None


def test_a_request_writes_once_a_minute_at_most(engine: Engine) -> None:
    """A hundred requests within a minute write nothing, the first after it does."""
    server = Server(engine)
    name = server.log_in()
    written: list[str] = []
    event.listen(
        engine,
        "before_cursor_execute",
        lambda _c, _x, statement, *_: written.append(statement.split()[0]),
    )
    for _ in range(100):
        server.now += TOUCH_SECONDS / 101
        server.known(name)
    assert "UPDATE" not in written
    server.now += TOUCH_SECONDS
    server.known(name)
    server.known(name)
    assert written.count("UPDATE") == 1


def test_the_session_of_who_works_alone_is_none_where_people_log_in(engine: Engine) -> None:
    """The owner of a loopback address is nobody on an open one."""
    name = Server(engine, users=False).sessions.begin_alone()
    alone = Server(engine, users=False).known(name)
    assert alone is not None
    assert alone.role == "owner"
    assert Server(engine).known(name) is None


def test_wrong_passwords_are_counted_across_servers(engine: Engine) -> None:
    """Twenty tries, wherever they arrive; after a minute there are new ones."""
    servers = [Server(engine), Server(engine)]
    for number in range(20):
        assert servers[number % 2].log_in("wrong horse") == ""
    for server in servers:
        with pytest.raises(Exception, match="Too many tries"):
            server.log_in()
    servers[0].now += 61
    assert servers[0].log_in()


def test_an_address_has_tries_of_its_own(engine: Engine) -> None:
    """Twenty, over all names; others are not held up."""
    server = Server(engine)
    for number in range(20):
        assert server.log_in("wrong horse", "there", f"name {number}") == ""
    with pytest.raises(Exception, match="Too many tries"):
        server.log_in(address="there")
    assert server.log_in()


def test_a_name_is_not_locked_out_by_one_address(engine: Engine) -> None:
    """Of five addresses that try as often as they may, the last one may no longer."""
    server = Server(engine)
    for number in range(100):
        assert server.log_in("wrong horse", f"there {number // 20}") == ""
        if number == 20:
            assert server.log_in()
    with pytest.raises(Exception, match="Too many tries"):
        server.log_in()


def test_a_login_that_succeeds_leaves_no_try(engine: Engine) -> None:
    """Nobody is held up by what went well; names that were tried are not kept in words."""
    server = Server(engine)
    for _ in range(8):
        assert server.log_in()
    with engine.connect() as connection:
        assert connection.execute(select(WEB_TRIES)).all() == []
