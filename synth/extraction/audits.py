"""Audits of a dialogue by a model, per chunk and across chunks, and repair of flagged rounds."""

from collections.abc import Mapping, Sequence

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.flaw import Repair
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.extraction.audit_tasks import RoundFlag, chunk_audit, cross_audit
from memassay.synth.extraction.quoting import User, quoted_turns
from memassay.synth.extraction.repair_tasks import RoundRepair, round_summary, turn_repair
from memassay.synth.extraction.repairs import ATTEMPTS, DIALOGUE_FLAGGED, model_repair

_CHUNK = 10
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
    ) -> None:
        """Take what the rounds are compared with."""
        self.user = user
        self.events = list(events)
        self.summaries = dict(summaries)
        self.context = context
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
            changed = [new for old, new in zip(current, mended, strict=True) if old != new]
            self._summarise(changed)
            still = self._flags(mended, attempt)
            self._keep(current, mended, flags, still, attempt)
            current, flags = mended, still
        self.left = flags
        return current

    def _flags(self, rounds: Sequence[Round], draw: int) -> Flags:
        """Flags by round, of both passes; one of a round that does not exist is of none."""
        chunks = [rounds[at : at + _CHUNK] for at in range(0, len(rounds), _CHUNK)]
        tasks = [chunk_audit(self.user, self.events, chunk, draw) for chunk in chunks]
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
