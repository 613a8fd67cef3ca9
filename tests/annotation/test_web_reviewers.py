"""Who may log in: invitations, passwords, roles."""

from pathlib import Path

import pytest
from support.review_builder import database

from memassay.annotation.storage.invitations import invite
from memassay.annotation.storage.reviewers import ReviewerAccounts
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.review_queue import ReviewQueue
from memassay.schemas.errors import UsageError

PASSWORD = "correct horse"


@pytest.mark.slow(seconds=1)
def test_an_invitation_makes_one_reviewer(tmp_path: Path) -> None:
    """It gives its role once; then the password does, and no other."""
    with database("sqlite", tmp_path) as engine:
        ReviewQueue(engine)
        book, token = ReviewerAccounts(engine), invite(engine, "adjudicator")
        assert book.join(token, "ada", PASSWORD) == "adjudicator"
        assert book.role_of("ada", PASSWORD) == "adjudicator"
        assert book.role_of("ada", "wrong horse") is None
        assert book.role_of("bob", PASSWORD) is None
        with pytest.raises(UsageError, match="invitation"):
            book.join(token, "bob", PASSWORD)


def test_an_invitation_that_is_too_old_is_refused(tmp_path: Path) -> None:
    """Its days are counted."""
    with database("sqlite", tmp_path) as engine:
        ReviewQueue(engine)
        token = invite(engine, "owner", days=1, clock=lambda: 0.0)
        with pytest.raises(UsageError, match="ask the owner"):
            ReviewerAccounts(engine).join(token, "ada", PASSWORD)


@pytest.mark.slow(seconds=0.5)
@pytest.mark.parametrize(
    ("name", "password"), [("", PASSWORD), ("ada", "short"), ("a\nb", PASSWORD)]
)
def test_names_and_passwords_have_a_form(tmp_path: Path, name: str, password: str) -> None:
    """What will not do uses no invitation up."""
    with database("sqlite", tmp_path) as engine:
        ReviewQueue(engine)
        book, token = ReviewerAccounts(engine), invite(engine, "annotator")
        with pytest.raises(UsageError):
            book.join(token, name, password)
        assert book.join(token, "ada", PASSWORD) == "annotator"


def test_who_is_shut_out_cannot_log_in(tmp_path: Path) -> None:
    """What they did stays; they do not come in again."""
    with database("sqlite", tmp_path) as engine:
        ReviewQueue(engine)
        book = ReviewerAccounts(engine)
        book.join(invite(engine, "annotator"), "ada", PASSWORD)
        ReviewDesk(engine).shut_out("ada", "zoe")
        assert book.role_of("ada", PASSWORD) is None


def test_passwords_are_kept_as_argon2_hashes(tmp_path: Path) -> None:
    """What is in the database lets nobody in."""
    with database("sqlite", tmp_path) as engine:
        ReviewQueue(engine)
        ReviewerAccounts(engine).join(invite(engine, "annotator"), "ada", PASSWORD)
        with engine.connect() as connection:
            (kept,) = connection.exec_driver_sql("SELECT password FROM reviewers").scalars()
    assert str(kept).startswith("$argon2id$")
