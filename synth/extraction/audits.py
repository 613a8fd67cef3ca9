"""Audits of a dialogue by a model, per chunk and across chunks, and repair of flagged rounds."""

from collections.abc import Iterator, Mapping, Sequence

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Repair
from memassay.schemas.records.conversation import Conversation, Round, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.extraction.audit_tasks import RoundFlag, chunk_audit, cross_audit
from memassay.synth.extraction.quoting import User, quoted_turns
from memassay.synth.extraction.repair_tasks import RoundRepair, round_summary, turn_repair
from memassay.synth.extraction.repairs import ATTEMPTS, DIALOGUE_FLAGGED, model_repair

CHUNK = 10
"""Rounds audited together (our choice)."""

Flags = dict[str, list[RoundFlag]]


class DialogueAuditor:
    """Audits the rounds of one history and has flagged turns mended.

    Attributes:
        repairs: What was mended, attempt by attempt.
        left: What is still flagged after the last attempt, by round.
    """

    def __init__(
        self,
        user: User,
        events: Sequence[TimelineEvent],
        summaries: Mapping[str, str],
        context: StageContext,
        chunk: int = CHUNK,
    ) -> None:
        """Take what the rounds are compared with.

        Args:
            user: The user.
            events: What the rounds tell.
            summaries: By round, its line of the running memory; where there are none, the model
                is not asked to compare distant rounds.
            context: Writes.
            chunk: Rounds audited together.
        """
        self.user = user
        self.events = list(events)
        self.summaries = dict(summaries)
        self.context = context
        self.chunk = chunk
        self.repairs: list[Repair] = []
        self.left: Flags = {}

    def audit(self, rounds: Sequence[Round]) -> list[Round]:
        """The rounds; the model mended those that it flagged, as far as it could.

        Raises:
            AuthorError: The model gave no usable reply.
        """
        current, flags = list(rounds), self._flags(rounds, 0)
        for attempt in range(1, ATTEMPTS + 1):
            if not flags:
                break
            mended = mend_rounds(self.user, current, _by_turn(flags), attempt, self.context)
            if self.summaries:
                changed = [new for old, new in zip(current, mended, strict=True) if old != new]
                self._summarise(changed)
            still = self._flags(mended, attempt)
            self._keep(current, mended, flags, still, attempt)
            current, flags = mended, still
        self.left = flags
        return current

    def _flags(self, rounds: Sequence[Round], draw: int) -> Flags:
        """Flags by round, of both passes; one of a round that does not exist is of none."""
        chunks = [rounds[at : at + self.chunk] for at in range(0, len(rounds), self.chunk)]
        tasks = [chunk_audit(self.user, self.events, chunk, draw) for chunk in chunks]
        if self.summaries:
            overview = [self.summaries[one.id] for one in rounds]
            tasks.append(cross_audit(self.user, overview, draw))
        known = {one.id for one in rounds}
        flags: Flags = {}
        for reply in self.context.write_all(tasks):
            for flag in reply.flags:
                if flag.round in known:
                    flags.setdefault(flag.round, []).append(flag)
        return flags

    def _summarise(self, changed: Sequence[Round]) -> None:
        """Condense mended rounds again: the pass across chunks must not see what is gone."""
        days = {event.id: event.day for event in self.events}
        tasks = [
            round_summary(
                self.user.name,
                record_id(self.user.id, one.id),
                one.turns[0].text,
                one.turns[1].text,
                one.turns[0].attachments,
            )
            for one in changed
        ]
        for one, reply in zip(changed, self.context.write_all(tasks), strict=True):
            self.summaries[one.id] = f"{one.id} ({days[one.event or '']}): {reply.summary}"

    def _keep(
        self,
        before: Sequence[Round],
        after: Sequence[Round],
        flags: Flags,
        still: Flags,
        attempt: int,
    ) -> None:
        for old, new in zip(before, after, strict=True):
            if old != new:
                self.repairs.append(
                    model_repair(
                        DIALOGUE_FLAGGED,
                        "dialogue",
                        record_id(self.user.id, old.id),
                        attempt,
                        [(flag.kind, flag.reason) for flag in flags[old.id]],
                        (_hash(old), _hash(new)),
                        settled=old.id not in still,
                    )
                )


def flags_left(talk: Conversation, left: Mapping[str, Sequence[RoundFlag]]) -> Iterator[Finding]:
    """Findings of what is still flagged in a conversation, by round."""
    for s, session in enumerate(talk.sessions):
        for r, round_ in enumerate(session.rounds):
            for flag in left.get(round_.id, ()):
                turn = 0 if flag.speaker == "user" else 1
                yield DIALOGUE_FLAGGED.finding(
                    talk.id,
                    f"/sessions/{s}/rounds/{r}/turns/{turn}/text",
                    f"{talk.id}: {round_.id}: expected no {flag.kind}, got {flag.reason!r}",
                    "Let a person decide, or choose another model for the role.",
                )


def problems_by_turn(
    talk: Conversation, flagged: Mapping[str, Sequence[Finding]]
) -> dict[tuple[str, str], list[str]]:
    """What findings say is wrong with turns, by round and speaker.

    Args:
        talk: The conversation.
        flagged: Findings by round, named as a record.
    """
    return {
        (round_.id, turn.speaker): [f"{one.message} {one.fix}".strip() for one in found]
        for round_ in talk.rounds()
        for at, turn in enumerate(round_.turns)
        if (found := _about(flagged.get(record_id(talk.id, round_.id), ()), at))
    }


def _about(findings: Sequence[Finding], turn: int) -> list[Finding]:
    """Those of a round's findings that point at one of its turns, or at none."""
    return [
        one
        for one in findings
        if f"/turns/{turn}" in one.pointer or (turn == 0 and "/turns/" not in one.pointer)
    ]


def mend_rounds(
    user: User,
    rounds: Sequence[Round],
    problems: Mapping[tuple[str, str], Sequence[str]],
    draw: int,
    context: StageContext,
) -> list[Round]:
    """The rounds with some turns mended, conditioned on their neighbours (M3Exam A.4).

    Args:
        user: The user.
        rounds: All rounds, in time order.
        problems: What is wrong, by round and speaker.
        draw: Which try it is.
        context: Writes.
    """
    at = {one.id: place for place, one in enumerate(rounds)}
    places = list(problems)
    tasks = []
    for round_, speaker in places:
        beside = rounds[max(at[round_] - 1, 0) : at[round_] + 2]
        where = RoundRepair(
            user_name=user.name,
            record=record_id(user.id, round_),
            recent=[quoted_turns(one) for one in beside],
            draw=draw,
        )
        text = next(one.text for one in rounds[at[round_]].turns if one.speaker == speaker)
        tasks.append(turn_repair(where, speaker, text, problems[round_, speaker]))
    written = zip(places, context.write_all(tasks), strict=True)
    texts = {place: reply.text for place, reply in written}
    return [
        one.model_copy(
            update={"turns": [_with(turn, texts.get((one.id, turn.speaker))) for turn in one.turns]}
        )
        for one in rounds
    ]


def _with(turn: Turn, text: str | None) -> Turn:
    return turn if text is None else turn.model_copy(update={"text": text})


def _by_turn(flags: Flags) -> dict[tuple[str, str], list[str]]:
    by_turn: dict[tuple[str, str], list[str]] = {}
    for round_, found in flags.items():
        for flag in found:
            by_turn.setdefault((round_, flag.speaker), []).append(f"{flag.kind}: {flag.reason}")
    return by_turn


def _hash(round_: Round) -> str:
    return content_hash(round_.model_dump(mode="json"))
