"""Checks of guest sessions that a model wrote, before anything is made of them (M2A C, step 2)."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from memassay.schemas.values.text import is_blank, tokens
from memassay.synth.paths.m2a.guests.brief import Brief, Problem, quote_start, without
from memassay.synth.paths.m2a.tasks import GuestSession, GuestTurn

TURNS: Final = (5, 15)
"""Fewest and most turns of a session (M2A C, step 2)."""
REPEATED: Final = 5
"""Words from which on a turn is not said a second time, as `duplicates.turn` has it."""
LONGEST: Final = 1000
"""Characters of a turn at most (our choice)."""

_NAMED: Final = re.compile(r"<([^<>\n]{1,80})>")
_OTHER_BRACKETS: Final = re.compile(
    r"(?:[⟨〈‹＜〈«《]|&lt;)([^⟩〉›＞〉»》&\n]{1,80})(?:[⟩〉›＞〉»》]|&gt;)"
)
_PICTURE: Final = r"(?:images?|photos?|photographs?|pictures?|pics?|snaps?|snapshots?)"
_DESCRIBED: Final = (
    re.compile(rf"[\[(*_]\s*(?:an?\s+|the\s+)?{_PICTURE}\b[^\])*_]*[\])*_]", re.IGNORECASE),
    re.compile(r"[\[(*_]\s*(?:sends?|shows?|shares?|sharing|attach\w*)\b[^\])*_]*[\])*_]", re.I),
    re.compile(r"!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>|https?://\S+", re.IGNORECASE),
    re.compile(
        rf"\b(?:the|this|that|my|our)\s+{_PICTURE}\s+(?:shows?|depicts?|captures?|features?)\b[^.!?]*",
        re.IGNORECASE,
    ),
    re.compile(rf"\bin\s+(?:the|this|that|my)\s+{_PICTURE}\b[^.!?]*", re.IGNORECASE),
    re.compile(r"\b(?:shown|seen|pictured) (?:here|above|below|in it)\b[^.!?]*", re.IGNORECASE),
)
_ANNOUNCED: Final = re.compile(
    r"\b(?:here(?:'s| is| are)|look at|check out|i'm sending|sending you)\b"
    rf"[^.!?]{{0,40}}\b{_PICTURE}\b",
    re.IGNORECASE,
)
_LOOKS: Final = re.compile(
    r"\b(?:black|white|gr[ae]y|brown|red|orange|yellow|green|blue|purple|pink|golden|beige|tan|"
    r"striped|stripes|spotted|dotted|fluffy|furry|shaggy|colou?r(?:ed|ful)?)\b"
)


def session_problems(brief: Brief, sessions: Sequence[GuestSession]) -> list[Problem]:
    """What is wrong with sessions, by the number of the session that has to be written again."""
    found = [
        Problem(number, f"session {number}: expected it, got none", is_lost=True)
        for number in range(len(sessions) + 1, len(brief.dates) + 1)
    ]
    kept = sessions[: len(brief.dates)]
    for number, session in enumerate(kept, start=1):
        found += [
            Problem(number, f"session {number}{said}", is_lost)
            for said, is_lost in _of_session(brief, session)
        ]
    found += _repetitions(kept)
    if len(sessions) > len(brief.dates):
        last = len(brief.dates)
        said = (
            f"session {last}: expected {last} sessions, got {len(sessions)}; "
            f"end with this one, and tell in it what matters of those behind it"
        )
        found.append(Problem(last, said, is_lost=True))
    if kept:
        found += [Problem(1, f"session 1, turn 1: {said}") for said in _first_message(brief, kept)]
        found += _never_shown(brief, kept, {one.part for one in found})
    return sorted(found, key=lambda one: one.part)


def _repetitions(sessions: Sequence[GuestSession]) -> Iterator[Problem]:
    """Longer turns in the words of an earlier one."""
    seen: dict[tuple[str, ...], str] = {}
    for number, session in enumerate(sessions, start=1):
        for at, turn in enumerate(session.turns[: 2 * TURNS[1]], start=1):
            said, here = tuple(tokens(turn.text[:LONGEST])), f"session {number}, turn {at}"
            first = seen.setdefault(said, here) if len(said) >= REPEATED else here
            if first != here:
                words = "text: expected words of its own, got those of"
                yield Problem(number, f"{here}: {words} {first}")


def _of_session(brief: Brief, session: GuestSession) -> Iterator[tuple[str, bool]]:
    """What is wrong inside a session, and whether no record can be made of it."""
    least, most = TURNS
    turns = session.turns
    extra = without(session, "turns")
    if extra:
        yield f": {extra}; its date is given", False
    if not least <= len(turns) <= most:
        yield f": expected {least} to {most} turns, got {len(turns)}", not turns
    # A reply of a million turns is one mistake, not a million.
    for number, turn in enumerate(turns[: 2 * most], start=1):
        for said, is_lost in _of_turn(brief, turn):
            yield f", turn {number}: {said}", is_lost
    for number, (before, turn) in enumerate(pairwise(turns[: 2 * most]), start=2):
        if before.speaker == turn.speaker:
            said = f"speaker: expected the other speaker, got {quote_start(turn.speaker)} again"
            yield f", turn {number}: {said}", False
        if before.images and not turn.images:
            yield from ((f", turn {number}: {said}", False) for said in _looks(turn.text))


def _of_turn(brief: Brief, turn: GuestTurn) -> Iterator[tuple[str, bool]]:
    extra = without(turn, "speaker, text and images")
    if extra:
        yield extra, False
    if turn.speaker not in brief.speakers:
        both = " or ".join(brief.speakers)
        yield f"speaker: expected {both}, got {quote_start(turn.speaker)}", True
    if is_blank(turn.text):
        yield f"text: expected words, got {quote_start(turn.text)}", True
        return
    if len(turn.text) > LONGEST:
        yield f"text: expected at most {LONGEST:,} characters, got {len(turn.text):,}", False
        return
    if any(unicodedata.category(one) == "Cc" and one not in "\n\t" for one in turn.text):
        yield "text: expected no control characters", True
    yield from ((said, False) for said in _names(brief, turn))
    yield from _images(brief, turn)
    yield from ((said, False) for said in _descriptions(brief, turn))


def _names(brief: Brief, turn: GuestTurn) -> Iterator[str]:
    known = ", ".join(f"<{name}>" for name in brief.concepts)
    for found in _OTHER_BRACKETS.finditer(turn.text):
        if found[1].strip().casefold() in {name.casefold() for name in brief.concepts}:
            yield f"text: expected <{found[1].strip()}>, got {quote_start(found[0])}"
    for name in dict.fromkeys(_NAMED.findall(turn.text)):
        if name not in brief.concepts and not name.lower().startswith("img "):
            yield f"text: expected one of {known}, got {quote_start(f'<{name}>')}"


def _images(brief: Brief, turn: GuestTurn) -> Iterator[tuple[str, bool]]:
    shows, named = brief.shows, [one for one in _NAMED.findall(turn.text) if one in brief.concepts]
    for image in dict.fromkeys(turn.images):
        if image not in shows:
            yield f"images: expected one of {', '.join(shows)}, got {quote_start(image)}", True
        elif named and shows[image] not in named:
            said = " and ".join(f"<{name}>" for name in dict.fromkeys(named))
            yield (
                f"images: expected those of its concept, got {image} of <{shows[image]}> in a "
                f"turn about {said}",
                False,
            )
    if len(set(turn.images)) < len(turn.images):
        yield "images: expected each once in a turn, got one twice", False


def _descriptions(brief: Brief, turn: GuestTurn) -> Iterator[str]:
    """Words that say what an image shows, or replace it."""
    for pattern in _DESCRIBED:
        found = pattern.search(turn.text)
        if found:
            yield f"text: expected no word of what an image shows, got {quote_start(found[0])}"
            return
    for image in ids_in(turn.text, brief):
        yield f"text: expected no id of an image in words, got {image!r}"
    announced = _ANNOUNCED.search(turn.text)
    if announced and not turn.images:
        got = quote_start(announced[0])
        yield f"text: expected a picture only where `images` shows it, got {got}"
    if turn.images:
        yield from _looks(turn.text)


def ids_in(text: str, brief: Brief) -> list[str]:
    """Ids of images in a text."""
    return [one for one in brief.shows if re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", text)]


def _looks(text: str) -> Iterator[str]:
    """Colours and coats in a turn that shows an image, or answers one that does."""
    found = _LOOKS.search(_NAMED.sub("", text))
    if found:
        yield f"text: expected no word of what an image shows, got {found[0]!r}"


def _first_message(brief: Brief, sessions: Sequence[GuestSession]) -> Iterator[str]:
    text = sessions[0].turns[0].text[:LONGEST] if sessions[0].turns else ""
    missing = [name for name in brief.concepts if f"<{name}>" not in text]
    if missing:
        names = ", ".join(f"<{name}>" for name in missing)
        yield f"text: expected a first message that names {names}, got {quote_start(text)}"


def _never_shown(
    brief: Brief, sessions: Sequence[GuestSession], flagged: set[int]
) -> Iterator[Problem]:
    """Images that no turn shows: they come into a session that is written again anyway."""
    shown = {image for one in sessions for turn in one.turns for image in turn.images}
    room = [at for at, one in enumerate(sessions, start=1) if len(one.turns) < TURNS[1]]
    part = max(flagged, default=max(room, default=len(sessions)))
    for image, name in brief.shows.items():
        if image not in shown:
            said = f"session {part}: expected that {image} of <{name}> is shown, got it in no turn"
            yield Problem(part, said)
