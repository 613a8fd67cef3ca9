"""Guests whose sessions a language model writes: what it is given, and what comes of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from memassay.schemas.changes.interpolation import Gap
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.ids import record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, Speaker
from memassay.schemas.values.civil_time import start, weekday
from memassay.synth.findings import unproven
from memassay.synth.paths.m2a.findings import left_out, wrong_question, wrong_sessions
from memassay.synth.paths.m2a.guests.author import GuestQuestions, Guests, shares
from memassay.synth.paths.m2a.guests.brief import Brief
from memassay.synth.paths.m2a.guests.model_author import Drafts, draft_guests, list_problems
from memassay.synth.paths.m2a.guests.records import Scribe, Shown, album, questions_of
from memassay.synth.paths.m2a.guests.session_checks import TURNS
from memassay.synth.paths.m2a.talks.bank import Written
from memassay.synth.paths.m2a.tasks import GuestRequest

_AROUND: Final = 6
"""Turns of the host before and behind the gap that a model is shown (our choice)."""


@dataclass(frozen=True)
class Visiting:
    """Guests on their way into a host.

    Attributes:
        guests: Who visits.
        host: Whom.
        gap: Where they come in.
        name: Their name in the host.
    """

    guests: Guests
    host: Bundle
    gap: Gap
    name: str


def write_by_model(
    visiting: Visiting, asks: GuestQuestions, repairs: int, context: StageContext
) -> Written | None:
    """Guest sessions with so many questions; None where they are wrong beyond use.

    What is wrong with them, and that no query proves the model's questions, is emitted.

    Args:
        visiting: Who comes where.
        asks: How much is asked.
        repairs: How often the model is asked again for sessions, and then for questions.
        context: Writes, draws and takes findings.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    guests, host, name = visiting.guests, visiting.host.id, visiting.name
    images = album(guests, context.blobs)
    brief = brief_of(guests, asks.told, images)
    drafts = draft_guests(brief, request_of(visiting, images), context.write, repairs)
    for finding in wrong_sessions(host, name, list_problems(drafts.problems), lost=drafts.is_lost):
        context.emit(finding)
    if drafts.is_lost:
        return None
    scribe = Scribe(guests, brief, images, asks.visual)
    written = scribe.write_history(drafts, context.blobs, partial(context.random, name))
    used = questions_of(drafts)
    items = written.bundle.questions[len(written.bundle.questions) - len(used) :]
    for item, (_, problems) in zip(items, used, strict=True):
        # The id that it has in the host.
        merged = record_id(host, f"{name}-{item.id.partition('/')[2]}")
        context.emit(unproven(merged))
        if problems:
            context.emit(wrong_question(merged, [one.said for one in problems]))
    for said in _left_out(brief, drafts):
        context.emit(left_out(host, name, said))
    return written


def brief_of(guests: Guests, questions: int, images: Sequence[Shown]) -> Brief:
    """What a model's sessions are held against."""
    return Brief(
        concepts=_labels(images),
        speakers=(guests.owner.name, guests.friend.name),
        dates=guests.dates,
        wanted=shares(questions),
    )


def _labels(images: Sequence[Shown]) -> dict[str, list[str]]:
    """Labels of the pictures of each concept, by its name."""
    labels: dict[str, list[str]] = {}
    for one in images:
        labels.setdefault(one.subject.name, []).append(one.label)
    return labels


def request_of(visiting: Visiting, images: Sequence[Shown]) -> GuestRequest:
    """What a model is given."""
    guests, labels = visiting.guests, _labels(images)
    return GuestRequest(
        concepts=[
            {
                "name": one.concept.name,
                **({"category": one.concept.category} if one.concept.category else {}),
                "images": labels[one.concept.name],
            }
            for one in guests.group
        ],
        speakers=[
            {**_about(guests.owner), "role": "introduces the concepts"},
            {**_about(guests.friend), "role": "listens, asks, answers"},
        ],
        host=_around(visiting.host, visiting.gap),
        sessions=[
            {"session": at, "date": when, "weekday": weekday(start(when).date())}
            for at, when in enumerate(guests.dates, start=1)
        ],
        turns=TURNS,
        images=tuple(ShownImage(label=one.label, sha256=one.sha256) for one in images),
        record=guests.conversation,
    )


def _about(speaker: Speaker) -> dict[str, Any]:
    summary = speaker.profile.summary if speaker.profile else ""
    return {"name": speaker.name, **({"about": summary} if summary else {})}


def _around(host: Bundle, gap: Gap) -> list[str]:
    """What is said in the host before the gap and behind it."""
    names = {one.id: one.name for one in host.conversation.speakers}
    sessions = host.conversation.sessions
    before = _lines_of(sessions[gap.after - 1], names)[-_AROUND:]
    behind = _lines_of(sessions[gap.after], names)[:_AROUND]
    return [*before, "(the guest sessions come in here)", *behind]


def _lines_of(session: Session, names: dict[str, str]) -> list[str]:
    turns = (turn for round_ in session.rounds for turn in round_.turns)
    return [f"{names.get(turn.speaker, turn.speaker)}: {turn.text}" for turn in turns]


def _left_out(brief: Brief, drafts: Drafts) -> Iterator[str]:
    """What is wrong with the questions of the last reply of which no record is made."""
    made = [id(one) for one, _ in questions_of(drafts)]
    wrong = [
        problem
        for at, problems in drafts.sorted.wrong.items()
        for problem in problems
        if id(drafts.questions[at]) not in made
    ]
    yield from list_problems(wrong)
    more = Counter(str(drafts.questions[at].category) for at in drafts.sorted.surplus)
    for code, number in sorted(more.items()):
        yield f"expected {brief.wanted[code]} questions of category {code}, got {number} more"
