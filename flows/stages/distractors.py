"""Distractor sessions: lent by other conversations, let in where they change no answer."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from memassay.flows.stages.lenders import Lenders
from memassay.flows.stages.unchanged import Change, Standing
from memassay.schemas.changes.history_lists import move_session
from memassay.schemas.changes.interpolation import Gap, gaps, interpolate
from memassay.schemas.changes.lending import address_people, lent, roles
from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.recipes import InjectSection
from memassay.schemas.errors import RecipeError
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SessionArc
from memassay.schemas.values.civil_time import start
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.validators.registry import LENT_TEXT

LEFT_OUT: Final = SYNTHESIS_RULES.declare(
    "distractors.left_out",
    Severity.INFO,
    "A session that is lent to distract changes no answer of its host; else it is left out.",
    "memassay design, distractor injection",
)
FEWER: Final = SYNTHESIS_RULES.declare(
    "distractors.fewer",
    Severity.WARNING,
    "A host has as many distractor sessions as the recipe asks for.",
    "memassay design, distractor injection",
)
FOREIGN: Final = SYNTHESIS_RULES.declare(
    LENT_TEXT,
    Severity.INFO,
    "Sessions lent to a host with a ledger are the simulator's, or somebody read them.",
    "memassay design, distractor injection",
)
SEASON: Final = 45
"""Days by which the time of year of a session may move: Easter is not in June (our choice)."""
_YEAR: Final = 365
_TO_THE_DAY: Final = len("2023-05-01")
_TO_THE_MINUTE: Final = len("2023-05-01T12:00")
_PLACES: Final = 3
"""Gaps that are tried for a session before it is left out (our choice)."""


class Placed(NamedTuple):
    """A session that a host has from somebody.

    Attributes:
        number: Its place among the sessions of whoever lent it.
        date: When it is in the host.
    """

    number: int
    date: str


class Distractors:
    """Sessions of other conversations, drawn one after the other."""

    def __init__(self, section: InjectSection, folder: Path) -> None:
        """Find the conversations that lend.

        Raises:
            RecipeError: They hold no session.
            SourceError: One of them does not exist or holds nothing of its format.
        """
        self.section = section
        self.lenders = Lenders(section.sources, folder)
        self.config: dict[str, Any] = {
            "sessions": section.sessions,
            "gap_days": section.gap_days,
            "sources": self.lenders.state(),
        }

    def join(self, host: Bundle, context: StageContext) -> Bundle:
        """The host with its distractor sessions; what would change an answer stays out.

        Raises:
            RecipeError: The sources lend no session to it, or fewer than the recipe asks for.
        """
        random = context.random("distractors")
        standing, joined, seen = Standing.of(host), 0, 0
        placed: dict[str, list[Placed]] = {}
        for guest, session in self._offers(host, context.blobs, random):
            seen += 1
            if joined == self.section.sessions:
                break
            before = placed.setdefault(guest.id, [])
            standing, why = self._with(standing, guest, session, before, random)
            joined += not why
            if not why and host.facts and self.lenders.is_foreign(guest):
                context.emit(_foreign(host.id, f"{guest.id}.{session}"))
            if why:
                context.emit(_left_out(host.id, f"{guest.id}.{session}", why))
        if joined < self.section.sessions:
            self._refuse_too_few(host.id, seen)
            context.emit(self._fewer(host.id, joined))
        return standing.bundle

    def _offers(
        self, host: Bundle, blobs: BlobStore, random: KeyedRandom
    ) -> Iterator[tuple[Bundle, str]]:
        """Sessions of others, one of each conversation in turn, in an order drawn for the host."""
        names = sorted((one for one in self.lenders.names if one != host.id), key=natural_key)
        waiting = {name: [""] for name in random.sample(names, len(names))}
        opened: set[str] = set()
        while waiting:
            for name in list(waiting):
                guest = self.lenders.read(name, blobs)
                if guest is not None and name not in opened:
                    opened.add(name)
                    own = [one.id for one in guest.conversation.sessions if one.rounds]
                    waiting[name] = random.sample(own, len(own))
                if guest is None or not waiting[name]:
                    del waiting[name]
                else:
                    yield guest, waiting[name].pop()

    def _with(
        self,
        standing: Standing,
        guest: Bundle,
        session: str,
        placed: list[Placed],
        random: KeyedRandom,
    ) -> tuple[Standing, list[Change]]:
        """A host with one session more; as it was, and why, if that changes anything.

        Args:
            standing: The host.
            guest: Who lends.
            session: Which of its sessions.
            placed: Where others of its sessions are; this one joins them.
            random: Draws the gaps that are tried.
        """
        host = standing.bundle
        to = roles(guest.conversation, session, host.conversation)
        if to is None:
            return standing, [Change(host.id, "speakers", "it has speakers that the host has not")]
        own = address_people(lent(guest, session, ledger=bool(host.facts)), to)
        least = timedelta(days=2 * self.section.gap_days)
        source = guest.session_by_id[session]
        found = [
            (gap, date)
            for gap in gaps(host.conversation, least)
            if _fits(source, date := _moment(gap, source), placed)
        ]
        what = f"no gap of {least.days} days that fits its time of year and what else is lent"
        why = [Change(host.id, "gaps", what)]
        for gap, date in random.sample(found, min(_PLACES, len(found))):
            visit = Visit(
                f"{guest.id}.{session}",
                gap.after,
                [date],
                {old: new.id for old, new in to.items()},
                SessionArc.SIDE,
            )
            after = merge_guest(host, _move(own, date), visit).bundle
            now, why = standing.with_more(after)
            if not why:
                placed.append(Placed(source.index, date))
                return now, []
        return standing, why

    def _refuse_too_few(self, host: str, seen: int) -> None:
        """Refuse a recipe that no draw can fulfil.

        Raises:
            RecipeError: There are fewer sessions than it asks for.
        """
        if seen == 0:
            raise RecipeError(
                f"inject.sources: expected conversations other than the host, got none beside "
                f"'{host}'; name data of other people"
            )
        if seen < self.section.sessions:
            raise RecipeError(
                f"inject.sessions: expected at most {seen}, as many as the sources lend to {host}, "
                f"got '{self.section.sessions}'; lower it or name more sources"
            )

    def _fewer(self, host: str, joined: int) -> Finding:
        return FEWER.finding(
            host,
            "",
            f"{host}: expected {self.section.sessions} distractor sessions, got '{joined}'",
            "Name more sources, lower inject.sessions or gap_days, or give its sessions dates with "
            "`interpolate`.",
        )


def _moment(gap: Gap, source: Session) -> str:
    """The middle of a gap, at the hour at which the session was held, if both have one."""
    (middle,) = interpolate(gap, 1)
    held = source.date or ""
    if min(len(middle), len(held)) < _TO_THE_MINUTE:
        return middle
    same_hour = middle[:_TO_THE_DAY] + held[_TO_THE_DAY:_TO_THE_MINUTE] + middle[_TO_THE_MINUTE:]
    return same_hour if gap.start < same_hour < gap.end else middle


def _fits(source: Session, date: str, placed: Sequence[Placed]) -> bool:
    """Whether a session can be held then: in its season, in the order of whoever lends it."""
    in_order = all((one.number < source.index) == (one.date < date) for one in placed)
    if source.date is None or len(source.date) < _TO_THE_DAY:
        return in_order
    days = abs(start(source.date).timetuple().tm_yday - start(date).timetuple().tm_yday)
    return in_order and min(days, _YEAR - days) <= SEASON


def _move(own: Bundle, date: str) -> Bundle:
    """A session on its new day, its rounds and turns with it."""
    (session,) = own.conversation.sessions
    talk = own.conversation.model_copy(update={"sessions": [move_session(session, date)]})
    return own.model_copy(update={"conversation": talk})


def _foreign(host: str, session: str) -> Finding:
    return FOREIGN.finding(
        host,
        f"/{session}",
        f"{host}: expected a session of the simulator, or one that was read, got '{session}'",
        "Have the host read before its golds are taken as proven.",
    )


def _left_out(host: str, session: str, why: list[Change]) -> Finding:
    first = why[0]
    more = f", and {len(why) - 1} more" if len(why) > 1 else ""
    return LEFT_OUT.finding(
        host,
        f"/{session}",
        f"{host}: expected a session that changes no answer, got '{session}': {first.message} "
        f"({first.rule}){more}",
        "Nothing: another session is drawn in its place.",
    )
