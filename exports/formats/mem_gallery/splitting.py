"""Rounds of several images as rounds of one image each: upstream shows a round's first alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final

from memassay.exports.formats.mem_gallery.remapping import Moves, move_evidence
from memassay.exports.formats.mem_gallery.writing import NAME, is_document, user_of
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import natural_key, round_id, turn_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Round, Turn

FURTHER: Final = ("And this one.", "Here's the next one.", "This one, too.", "And here's another.")
"""What is said with each image of a round after its first (our choice)."""
REPLIES: Final = ("Got it.", "I see it.", "OK, go on.", "All right.")
"""What the other side says to an image that is not the last of its round (our choice)."""


@dataclass(frozen=True)
class _Piece:
    """A turn with one image at most.

    Attributes:
        turn: What is said and shown, under the id of the turn that it was cut from.
        whole: Whether it has the words of that turn.
    """

    turn: Turn
    whole: bool = False


_Parts = Sequence[Sequence[_Piece]]


def with_one_image_a_round(bundle: Bundle) -> tuple[Bundle, list[Unfit]]:
    """The bundle with one image a round at most, and an entry for each round that was split.

    The first part has the words up to the second image, the last one the reply. Images keep their
    ids; later rounds of the session count on. Evidence and mentions follow; queries and decoys,
    which the layout has no place for, stay as they are.
    """
    talk = bundle.conversation
    cutter = _Cutter(user_of(talk).id)
    parts = {each.id: cutter.parts(each) for each in talk.rounds()}
    split = {name: found for name, found in parts.items() if len(found) > 1}
    if not split:
        return bundle, []
    moves = _moves(split)
    told = _renumber(talk, parts, moves)
    why = f"{NAME} shows one image a round; it is split, and later rounds of its session count on"
    unfit = [Unfit(bundle.id, f"several images of round {name}", why) for name in split]
    return move_evidence(bundle, moves).model_copy(update={"conversation": told}), unfit


class _Cutter:
    """Cuts rounds before each image but their first; what it says repeats as late as it can."""

    def __init__(self, user: str) -> None:
        self.user = user
        self._further, self._replies = cycle(FURTHER), cycle(REPLIES)

    def parts(self, whole: Round) -> _Parts:
        """What each part of a round says and shows; one part if there is nothing to cut."""
        parts: list[list[_Piece]] = [[]]
        for piece in (piece for turn in whole.turns for piece in self._pieces(turn)):
            if _images(piece.turn) and any(_images(one.turn) for one in parts[-1]):
                parts[-1] += self._reply(whole, parts[-1])
                parts.append([])
            parts[-1].append(piece)
        return parts

    def _pieces(self, turn: Turn) -> Iterator[_Piece]:
        """A turn with its first image, then one for each further image."""
        further = _images(turn)[1:]
        kept = [each for each in turn.attachments if each not in further]
        yield _Piece(turn.model_copy(update={"attachments": kept}), whole=True)
        for image in further:
            text = next(self._further)
            yield _Piece(Turn(id=turn.id, speaker=turn.speaker, text=text, attachments=[image]))

    def _reply(self, whole: Round, part: Sequence[_Piece]) -> Iterator[_Piece]:
        """What is said to an image of the user, where only they spoke and somebody answers."""
        other = next((turn for turn in whole.turns if turn.speaker != self.user), None)
        if other is not None and all(piece.turn.speaker == self.user for piece in part):
            yield _Piece(Turn(id=other.id, speaker=other.speaker, text=next(self._replies)))


def _images(turn: Turn) -> list[Attachment]:
    return [each for each in turn.attachments if not is_document(each)]


def _moves(split: Mapping[str, _Parts]) -> Moves:
    rounds: dict[str, list[str]] = {}
    turns: dict[str, str] = {}
    images: dict[str, str] = {}
    for name in sorted(split, key=natural_key):
        (first,) = Moves(rounds, turns, images).of_round(name)
        session, _, number = first.partition(":")
        rounds[name] = [round_id(session, int(number) + at) for at in range(len(split[name]))]
        for place, part in zip(rounds[name], split[name], strict=True):
            for at, piece in enumerate(part, start=1):
                images |= {each.id: turn_id(place, at) for each in piece.turn.attachments}
                turns |= {piece.turn.id: turn_id(place, at)} if piece.whole else {}
    return Moves(rounds, turns, images)


def _renumber(talk: Conversation, parts: Mapping[str, _Parts], moves: Moves) -> Conversation:
    sessions = [
        each.model_copy(
            update={
                "rounds": [new for old in each.rounds for new in _rounds(old, parts[old.id], moves)]
            }
        )
        for each in talk.sessions
    ]
    return talk.model_copy(update={"sessions": sessions})


def _rounds(old: Round, parts: _Parts, moves: Moves) -> Iterator[Round]:
    """A round under its new id, or the rounds that it is now."""
    if len(parts) == 1:
        turns = [each.model_copy(update={"id": moves.of_turn(each.id)}) for each in old.turns]
        yield old.model_copy(update={"id": moves.of_round(old.id)[0], "turns": turns})
        return
    for place, part in zip(moves.of_round(old.id), parts, strict=True):
        turns = [
            piece.turn.model_copy(update={"id": turn_id(place, at)})
            for at, piece in enumerate(part, start=1)
        ]
        extras = old.extras if part is parts[0] else {}
        yield old.model_copy(update={"id": place, "turns": turns, "extras": extras})
