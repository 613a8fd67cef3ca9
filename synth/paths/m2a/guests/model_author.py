"""Guest sessions by a language model: one call, checks, and calls for what is wrong (M2A C).

What is right is kept: a session or a question that passes is not asked for again, whatever becomes
of the others. What is wrong after the last call is not dropped and nothing is made up in its
place: it goes to people.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.synth.paths.m2a.guests.brief import Brief, Problem
from memassay.synth.paths.m2a.guests.question_checks import Place, Sorted, places_of, sort_questions
from memassay.synth.paths.m2a.guests.session_checks import LONGEST, TURNS, session_problems
from memassay.synth.paths.m2a.tasks import (
    ConceptQuestion,
    GuestRequest,
    GuestSession,
    concept_session,
    guest_questions,
    guest_sessions_repair,
)

_LISTED: Final = 40
"""Problems that a request or a finding lists at most (our choice)."""
_QUOTED_SESSIONS: Final = 3
"""Sessions beyond the last that a request quotes at most (our choice)."""
_QUOTED_TURNS: Final = 3 * TURNS[1]
"""Turns of a session that a request quotes at most (our choice)."""


@dataclass
class Drafts:
    """What a model wrote, as it is after the last call.

    Attributes:
        sessions: The sessions.
        problems: What is still wrong with them.
        questions: The questions of the last reply, those that were kept before it first.
        sorted: Which of them are right; nothing while sessions are wrong beyond use.
        failed: Questions that are wrong, each with what is wrong with it, the newest first.
    """

    sessions: list[GuestSession]
    problems: list[Problem] = field(default_factory=list)
    questions: list[ConceptQuestion] = field(default_factory=list)
    sorted: Sorted = field(default_factory=Sorted)
    failed: list[tuple[ConceptQuestion, list[Problem]]] = field(default_factory=list)

    def sort(self, brief: Brief, places: Mapping[str, Place]) -> None:
        """Look at the questions of the last reply."""
        self.sorted = sort_questions(brief, places, self.questions)
        wrong = [(self.questions[at], found) for at, found in self.sorted.wrong.items()]
        self.failed = [*wrong, *self.failed]

    @property
    def is_lost(self) -> bool:
        """Whether no records can be made of the sessions."""
        return any(one.is_lost for one in self.problems)


def draft_guests(
    brief: Brief, request: GuestRequest, write: Callable[[Task[Any]], Any], repairs: int
) -> Drafts:
    """Let a model write guest sessions and their questions.

    Args:
        brief: What they are held against.
        request: What the model is given.
        write: Fulfils a task.
        repairs: How often wrong sessions are asked for again, and then wrong questions.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    reply = write(concept_session(request, brief.wanted))
    drafts = Drafts(list(reply.sessions), questions=list(reply.questions))
    drafts.problems = session_problems(brief, drafts.sessions)
    for draw in range(1, repairs + 1):
        if not drafts.problems:
            break
        _write_sessions_again(brief, request, drafts, write, draw)
    if not drafts.is_lost:
        _write_questions(brief, request, drafts, write, repairs)
    return drafts


def _write_sessions_again(
    brief: Brief,
    request: GuestRequest,
    drafts: Drafts,
    write: Callable[[Task[Any]], Any],
    draw: int,
) -> None:
    flagged = {one.part for one in drafts.problems}
    last = len(brief.dates)
    quoted = list(enumerate(_quote(request, drafts.sessions), start=1))
    missing = [{"session": at, "turns": []} for at in sorted(flagged) if at > len(quoted)]
    task = guest_sessions_repair(
        request,
        [one for at, one in quoted if at not in flagged and at <= last],
        # Sessions beyond the last are quoted with it: what they tell has its place there.
        [one for at, one in quoted if at in flagged or at > last] + missing,
        list_problems(drafts.problems),
        draw,
    )
    again = {one.session: one for one in write(task).sessions if one.session in flagged}
    sessions = drafts.sessions[: last if last in again else None]
    for number in sorted(again):
        whole = GuestSession.model_validate(again[number].model_dump(exclude={"session"}))
        if number <= len(sessions):
            sessions[number - 1] = whole
        elif number == len(sessions) + 1:
            sessions.append(whole)
    drafts.sessions = sessions
    drafts.problems = session_problems(brief, sessions)


def _write_questions(
    brief: Brief,
    request: GuestRequest,
    drafts: Drafts,
    write: Callable[[Task[Any]], Any],
    repairs: int,
) -> None:
    places = places_of(brief, drafts.sessions)
    drafts.sort(brief, places)
    for draw in range(1, repairs + 1):
        if not drafts.sorted.lacking:
            break
        kept = drafts.sorted.right
        task = guest_questions(
            request,
            _quote(request, drafts.sessions, with_ids=True),
            [one.model_dump(mode="json") for one in kept],
            list_problems([one for found in drafts.sorted.wrong.values() for one in found]),
            drafts.sorted.lacking,
            draw,
        )
        surplus = [drafts.questions[at] for at in drafts.sorted.surplus]
        drafts.questions = [*kept, *write(task).questions, *surplus]
        drafts.sort(brief, places)


def list_problems(problems: Sequence[Problem]) -> list[str]:
    """Problems in words, as many as anybody reads."""
    more = len(problems) - _LISTED
    said = [one.said for one in problems[:_LISTED]]
    return [*said, f"and {more} more"] if more > 0 else said


def _quote(
    request: GuestRequest, sessions: Sequence[GuestSession], *, with_ids: bool = False
) -> list[dict[str, Any]]:
    """Sessions as a request quotes them, cut where they are endless."""
    return [
        {
            **(request.sessions[at - 1] if at <= len(request.sessions) else {"session": at}),
            "turns": [
                {
                    **({"id": f"D{at}:{number}"} if with_ids else {}),
                    "speaker": turn.speaker[:LONGEST],
                    "text": turn.text[:LONGEST],
                    "images": [image[:LONGEST] for image in turn.images[:_LISTED]],
                }
                for number, turn in enumerate(session.turns[:_QUOTED_TURNS], start=1)
            ],
        }
        for at, session in enumerate(sessions[: _QUOTED_SESSIONS + len(request.sessions)], start=1)
    ]
