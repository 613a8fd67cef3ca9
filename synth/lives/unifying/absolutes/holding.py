"""What somebody denies without exception, held against all that the dialogues tell of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.synth.lives.unifying.absolutes.denied import UNKNOWN, Absolute, absolutes_of
from memassay.synth.lives.unifying.absolutes.shown import shows
from memassay.synth.lives.unifying.denying.affirming import PAST
from memassay.synth.lives.unifying.denying.denials import EVER
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import Claim, Told
from memassay.synth.lives.unifying.reading.stems import stems
from memassay.synth.lives.unifying.reading.wording import LONG

_LIFELONG: Final = re.compile(
    r"\bnever had\b|\b(?:in|all) my (?:whole )?life\b|\bsince I was\b|\bever\b"
)
_ACQUIRED: Final = re.compile(
    r"\b(?:learn(?:ing|ed|t)?|lessons?|class(?:es)?|took up|taking up|quit|gave up|giving up|"
    r"stopped|no longer|"
    r"bought|buying|getting|adopt\w*|new|finally|switched|sold|broke down|decided to|signed up|"
    r"moved|just got|got (?:a|my|our) (?:first|new))\b"
)
"""What tells that somebody got or began a thing."""
_NOTHING: Final[frozenset[str]] = frozenset()


def absolute_claims(
    told: Sequence[Sequence[Told]], around: Sequence[Mapping[str, frozenset[str]]]
) -> Iterator[tuple[int, Claim]]:
    """Claims that a thing was never so, each with those that show it; by member.

    Args:
        told: The sentences of each member.
        around: Per member, stems of what stands beside a turn of the user, by the turn's id.
    """
    denials = [
        (at, one)
        for at, own in enumerate(told)
        for n, each in enumerate(own)
        for one in absolutes_of(each, " ".join(other.text for other in own[max(0, n - 2) : n]))
    ]
    for number, (at, absolute) in enumerate(denials):
        found = list(_showing(absolute, at, told, around))
        if found and all(other != at for other, _ in found) and not _became(absolute, told):
            words = sorted(min(one) for one in absolute.things)
            topic = f"ever {absolute.verb} {' '.join(words)} {number}"
            yield at, Claim(topic, frozenset({"no"}), absolute.told, "deeds")
            for other, one in found:
                yield other, Claim(topic, frozenset({"yes"}), one, "deeds")


def _showing(
    absolute: Absolute,
    at: int,
    told: Sequence[Sequence[Told]],
    around: Sequence[Mapping[str, frozenset[str]]],
) -> Iterator[tuple[int, Told]]:
    for other, own in enumerate(told):
        for n, one in enumerate(own):
            if one.person != absolute.told.person or one is absolute.told:
                continue
            if other == at and one.turn == absolute.told.turn:
                continue
            before = own[n - 1].text if n and own[n - 1].turn == one.turn else ""
            if shows(one, absolute, around[other].get(one.turn, _NOTHING), before):
                yield other, one


def _became(absolute: Absolute, told: Sequence[Sequence[Told]]) -> bool:
    """Whether the life tells that what is denied became so, or ended."""
    if absolute.when in (EVER, UNKNOWN) or _LIFELONG.search(absolute.told.text):
        return False
    return any(
        one.person == absolute.told.person
        and not absolute.things[-1].isdisjoint(stems(one.text))
        and "?" not in one.text
        and bool(_ACQUIRED.search(own_part(one)))
        and not LONG.search(one.text)
        and not PAST.search(one.text)
        and not any(True for _ in absolutes_of(one))
        for own in told
        for one in own
    )


def around_of(member: Bundle) -> dict[str, frozenset[str]]:
    """Stems of captions of a turn and of what is answered, by the id of a person's turn."""
    people = {one.id for one in member.conversation.speakers if one.kind is SpeakerKind.HUMAN}
    found = {}
    for session in member.conversation.sessions:
        for round_ in session.rounds:
            words = frozenset(
                root
                for turn in round_.turns
                for text in ([] if turn.speaker in people else [turn.text])
                for root in stems(text)
            )
            for turn in round_.turns:
                if turn.speaker in people:
                    found[turn.id] = words
    return found
