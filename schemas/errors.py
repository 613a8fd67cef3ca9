"""The exception tree of memassay.

::

    MemassayError
    ├── UsageError          wrong arguments, recipe or file: exit 2
    │   ├── RecipeError     a recipe that cannot be read or holds an unknown key
    │   └── SourceError     a foreign file or folder that cannot be read at all
    ├── RecordError         a document that is not the record it claims to be: exit 2
    │   └── MigrationError  a record of a schema version without a path to ours
    ├── QueryError          a query that proves no answer: exit 1
    │   ├── MalformedQueryError  not an expression of the language (a RecordError too): exit 2
    │   ├── NoResultError   nothing that could be the answer
    │   │   ├── NotVisibleError  it is there, but cannot be seen when and where it is asked
    │   │   └── EndedError  it was there, and has ended
    │   ├── AmbiguousError  two answers where one is asked
    │   ├── QueryTypeError  units that differ, a text where a date is needed
    │   └── GoldError       another answer than the gold one
    ├── BlobError           a blob that is missing or whose bytes changed: exit 2
    ├── ReleaseError        a release whose files do not match its manifest: exit 1
    ├── PublishError        the Hub does not take or give what it was asked for: exit 2
    │   └── HubBusyError    the Hub refuses for now, also after some minutes: exit 75
    ├── CodeError           code of a stage, rule, metric or figure that raised: exit 70
    ├── AuthorError         an author that could not fulfil a task; keeps the raw text
    ├── CallError           one call of a model that came back without a reply
    ├── EndpointError       a model's endpoint that answers nobody: exit 2
    │   └── RefusedError    one that refuses our key, or does not know the model
    ├── WaitingError        people or budget are needed before the run goes on: exit 75
    │   ├── BudgetError     the cap on spending is reached
    │   │   └── QuotaError  a model's endpoint grants no more calls for now
    │   └── UndecidedError  one unit waits for people's choice; others go on
    ├── ServerLost          Prefect's server ended during a run, which goes on if run again: exit 75
    ├── WorkerError         a unit that ended several processes, one after the other: exit 2
    ├── StoppedError        work given up because the run ends; not its own failure
    └── LeaseLost           another worker took the unit over; its result is discarded

    KeyboardInterrupt       Ctrl-C: exit 130
    └── Terminated          SIGTERM, which ends everything as Ctrl-C does: exit 143
"""

from memassay.schemas.values.redaction import redact

_SHOWN = 500
"""Characters of what an endpoint says that its error shows."""


_GIVEN_UP = frozenset({408, 504})
"""Statuses of a gateway that waits no longer for a model, which may go on and be billed."""


class MemassayError(Exception):
    """Base of every error memassay raises on purpose; the message is shown to the user.

    What others wrote (an endpoint, a server, a file) is part of many messages; no key leaves so.
    """

    exit_code: int = 2
    may_pass: bool = False
    """Whether the same command may succeed later, though nobody changes anything."""

    def __str__(self) -> str:
        """The message, without the keys in use and without anything of a key's shape."""
        return redact(super().__str__())

    def __repr__(self) -> str:
        """Its class and its message."""
        return f"{type(self).__name__}({str(self)!r})"


class UsageError(MemassayError):
    """Wrong use or bad input; the message names what was expected and the fix."""


class RecipeError(UsageError):
    """A recipe that cannot be read, or that holds an unknown key or a value out of range."""


class SourceError(UsageError):
    """A foreign file or folder that cannot be read as the format it was given as."""


class RecordError(MemassayError):
    """A JSON document that does not fit the schema of the record it claims to be."""


class MigrationError(RecordError):
    """A record of a schema version from which no migration leads to the current one."""


class QueryError(MemassayError):
    """A query that proves no answer; the message says why."""

    exit_code = 1


class MalformedQueryError(QueryError, RecordError):
    """A document that is not an expression of the query language, or names an unknown place."""

    exit_code = 2


class NoResultError(QueryError):
    """A query that gives nothing where an answer is asked."""


class NotVisibleError(NoResultError):
    """A fact that cannot be seen at asking time in a modality the question allows."""


class EndedError(NoResultError):
    """Something that was there and has ended, where a query asks whether it ever was."""


class AmbiguousError(QueryError):
    """A query that gives two answers where one is asked, or an order that nobody can know."""


class QueryTypeError(QueryError):
    """A value of another type or unit than an operator needs."""


class GoldError(QueryError):
    """A query whose execution gives another answer than the gold one of its item."""


class BlobError(MemassayError):
    """A blob that is not in the store, or whose bytes no longer match their hash."""


class ReleaseError(MemassayError):
    """A release folder whose files do not match its manifest."""

    exit_code = 1


class PublishError(MemassayError):
    """The Hub does not take or give what it was asked for; the message says what to do."""


class HubBusyError(PublishError):
    """The Hub refuses for now, also after some minutes; the same command may succeed later."""

    exit_code = 75
    may_pass = True


class CodeError(MemassayError):
    """Code of a path or of another package that raised; the message says which and whose."""

    exit_code = 70


class AuthorError(MemassayError):
    """An author that could not fulfil its task.

    Attributes:
        reason: `refused`, `cut_off`, `empty`, `malformed`, `rejected` or `unreachable`.
        raw: The author's raw reply, kept for inspection; empty when none came.
    """

    exit_code = 1

    def __init__(self, message: str, raw: str = "", reason: str = "malformed") -> None:
        """Keep the message for people and the raw reply for inspection."""
        super().__init__(message)
        self.raw = redact(raw)
        self.reason = reason


class CallError(MemassayError):
    """One call of a model that came back without a reply; the driver decides what follows.

    Attributes:
        status: HTTP status; 0 where there was none (a timeout, a dropped connection).
        retry_after: Seconds the endpoint asked to wait, if it did.
        quota: Whether what we may use there today is used up.
        unpaid: Whether there is no credit left, which no waiting changes.
        sent: Whether the request may have reached the model, and its answer was not whole.
    """

    def __init__(
        self,
        message: str,
        status: int = 0,
        retry_after: float | None = None,
        *,
        quota: bool = False,
        unpaid: bool = False,
        sent: bool = False,
    ) -> None:
        """Keep what the endpoint replied, in one line of bounded length."""
        words = " ".join(redact(message).split())
        super().__init__(words if len(words) <= _SHOWN else f"{words[:_SHOWN]}...")
        self.status = status
        self.retry_after = retry_after
        self.quota = quota
        self.unpaid = unpaid
        self.sent = sent or status in _GIVEN_UP

    @property
    def redirect(self) -> bool:
        """Whether the endpoint names another address instead of an answer."""
        return 300 <= self.status < 400

    @property
    def transient(self) -> bool:
        """Whether the same call may succeed later."""
        return self.status in {0, 408, 409, 425, 429} or self.status >= 500


class EndpointError(MemassayError):
    """A model's endpoint that answers nobody; the run stops."""

    may_pass = True


class RefusedError(EndpointError):
    """A model's endpoint that refuses our key, or does not know the model; the run stops."""

    may_pass = False


class WaitingError(MemassayError):
    """People or budget are needed before the run can go on."""

    exit_code = 75


class BudgetError(WaitingError):
    """The cap on spending is reached; raising it lets the run go on."""


class QuotaError(BudgetError):
    """A model's endpoint grants no more calls for now: its own quota, or a wait beyond patience."""


class UndecidedError(WaitingError):
    """One unit of work waits for people to choose; other units go on, then the run waits."""


class ServerLost(MemassayError):
    """Prefect's server ended during a run; nothing is wrong with the input, so run again."""

    exit_code = 75
    may_pass = True


class WorkerError(MemassayError):
    """A unit of work that ended several processes, one after the other."""


class StoppedError(MemassayError):
    """Work that was given up because the run ends for another reason."""


class LeaseLost(MemassayError):
    """The lease of a unit expired and another worker took the unit over."""


class Terminated(KeyboardInterrupt):
    """SIGTERM: the program is asked to end, which it does as it does on Ctrl-C."""
