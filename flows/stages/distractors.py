"""Distractor sessions: lent by other conversations, let in where they change no answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from memassay.flows.stages.lenders import Lenders
from memassay.flows.stages.lent_days import days_to_move, names_day, place_of
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
_PLACES: Final = 3
"""Gaps that are tried for a session before it is left out (our choice)."""


class Placed(NamedTuple):
    """A session without a day that a host has from somebody.

    Attributes:
        number: Its place among the sessions of its lender.
        date: When it is in the host.
    """

    number: int
    date: str


@dataclass
class _Loan:
    """What one lender gives a host: by how many days its sessions move, and those without a day."""

    days: int | None
    placed: list[Placed]


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
        loans: dict[str, _Loan] = {}
        for guest, session in self._offers(host, context.blobs, random):
            seen += 1
            if joined == self.section.sessions:
                break
            if guest.id not in loans:
                days = days_to_move(guest, host, self.section.gap_days, self.section.sessions)
                loans[guest.id] = _Loan(days, [])
            standing, why = self._with(standing, guest, session, loans[guest.id], random)
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
        loan: _Loan,
        random: KeyedRandom,
    ) -> tuple[Standing, list[Change]]:
        """A host with one session more; as it was, and why, if that changes anything.

        Args:
            standing: The host.
            guest: Who lends.
            session: Which of its sessions.
            loan: By how many days its sessions move; one without a day joins those placed.
            random: Draws the gaps that are tried for one without a day.
        """
        host = standing.bundle
        to = roles(guest.conversation, session, host.conversation)
        if to is None:
            return standing, [Change(host.id, "speakers", "it has speakers that the host has not")]
        own = address_people(lent(guest, session, ledger=bool(host.facts)), to)
        source = guest.session_by_id[session]
        found, what = self._places(host, source, loan)
        why = [Change(host.id, "gaps", what)]
        for after, date in random.sample(found, min(_PLACES, len(found))):
            visit = Visit(
                f"{guest.id}.{session}",
                after,
                [date],
                {old: new.id for old, new in to.items()},
                SessionArc.SIDE,
            )
            now, why = standing.with_more(merge_guest(host, _move(own, date), visit).bundle)
            if not why:
                loan.placed.append(Placed(source.index, date))
                return now, []
        return standing, why

    def _places(
        self, host: Bundle, source: Session, loan: _Loan
    ) -> tuple[list[tuple[int, str]], str]:
        """After how many sessions of the host one can be, and when; and why not, if nowhere."""
        least = self.section.gap_days
        if loan.days is not None and source.date is not None:
            if loan.days and names_day(source):
                return [], "a day is named in it, which would no longer be true"
            found = place_of(source.date, loan.days, host, least)
            what = f"no {least} days from other sessions as long after the others of its lender"
            return [found] if found is not None else [], what
        every = [
            (gap.after, date)
            for gap in gaps(host.conversation, timedelta(days=2 * least))
            if _in_order(source, date := _middle(gap), loan.placed)
        ]
        return every, f"no gap of {2 * least} days in the order of its lender"

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


def _middle(gap: Gap) -> str:
    (middle,) = interpolate(gap, 1)
    return middle


def _in_order(source: Session, date: str, placed: Sequence[Placed]) -> bool:
    """Whether a session without a day can be held then, in the order of its lender."""
    return all((one.number < source.index) == (one.date < date) for one in placed)


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
