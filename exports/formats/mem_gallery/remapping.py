"""What cites the rounds of a conversation, once some of them are several rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memassay.exports.foreign.strict import named_images, needs_pixels
from memassay.schemas.base import Modality
from memassay.schemas.ids import natural_key, parse_place, round_id, turn_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.ledger import Mention, MentionForm
from memassay.schemas.records.question import Evidence, QAItem


@dataclass(frozen=True)
class Moves:
    """Where the places of a conversation went.

    Attributes:
        rounds: By old id of a round that was split, the new ones.
        turns: By old id of a turn of those, the new id of what has its words.
        images: By id of an attachment of those, the new id of the turn that shows it.
    """

    rounds: Mapping[str, Sequence[str]]
    turns: Mapping[str, str]
    images: Mapping[str, str]

    def of_round(self, name: str) -> list[str]:
        """New ids of a round; what is not there goes on leading nowhere."""
        if name in self.rounds:
            return list(self.rounds[name])
        session, _, number = name.partition(":")
        more = sum(
            len(parts) - 1
            for split, parts in self.rounds.items()
            if split.partition(":")[0] == session and natural_key(split) < natural_key(name)
        )
        return [round_id(session, int(number) + more)]

    def of_turn(self, name: str) -> str:
        """The new id of a turn; one that is not there goes on leading nowhere."""
        whole, _, local = name.rpartition(".")
        if whole not in self.rounds:
            return f"{self.of_round(whole)[0]}.{local}"
        # No part has as many turns as all rounds that were split.
        beyond = turn_id(self.rounds[whole][-1], int(local) + len(self.turns))
        return self.turns.get(name, beyond)


def move_evidence(bundle: Bundle, moves: Moves) -> Bundle:
    """The bundle with mentions and evidence at their new places; its conversation stays."""
    mentions: dict[str, list[Mention]] = {}
    for mention in bundle.mentions:
        mentions.setdefault(mention.fact, []).append(mention)
    questions = [
        item.model_copy(update={"evidence": _Citing(bundle, item, moves, mentions).evidence()})
        for item in bundle.questions
    ]
    moved = [_move_mention(each, moves) for each in bundle.mentions]
    return bundle.model_copy(update={"mentions": moved, "questions": questions})


def _move_mention(mention: Mention, moves: Moves) -> Mention:
    turn = _turn_of(mention, moves)
    if turn is None:
        return mention.model_copy(update={"round": moves.of_round(mention.round)[0]})
    update = {"round": _part_of(turn)}
    return mention.model_copy(update=update | ({"turn": turn} if mention.turn else {}))


def _turn_of(mention: Mention, moves: Moves) -> str | None:
    """The new id of the turn in which a fact can be seen, as far as the mention says so."""
    if mention.attachment is not None and mention.attachment in moves.images:
        return moves.images[mention.attachment]
    return moves.of_turn(mention.turn) if mention.turn else None


@dataclass(frozen=True)
class _Citing:
    """Evidence of one question: of a round that was split, the parts that prove its answer."""

    bundle: Bundle
    item: QAItem
    moves: Moves
    mentions: Mapping[str, Sequence[Mention]]

    def evidence(self) -> Evidence:
        """The evidence at its new places."""
        groups: list[list[str]] = []
        canonical: list[str] = []
        for group in self.item.evidence.groups:
            now = [new for old in group for new in self._places(old)]
            # Alternatives stay alternatives, though one of them may be several rounds now.
            groups += [[one] for one in now] if len(group) == 1 else [now]
        for place in self.item.evidence.canonical:
            canonical += [new for new in self._places(place) if new not in canonical]
        return self.item.evidence.model_copy(update={"groups": groups, "canonical": canonical})

    def _places(self, old: str) -> list[str]:
        place = parse_place(old)
        if place is None or place.round_id is None:
            return [old]
        there = place.turn is None or old in self.bundle.turn_by_id
        if place.round_id in self.moves.rounds and there:
            shown = self._parts_with_answer(place.round_id, old if place.turn else None)
            parts = self.moves.of_round(place.round_id)
            return [part for part in parts if part in shown] or parts
        return [self.moves.of_turn(old)] if place.turn else self.moves.of_round(old)

    def _parts_with_answer(self, whole: str, turn: str | None) -> set[str]:
        """Parts of a round, or of a turn of it, that show the answer between them."""
        turns = [each for each in self.bundle.round_by_id[whole].turns if turn in (None, each.id)]
        found = {_part_of(name) for name in self._turns_of_named_images(turns)}
        facts = [self._parts_with_fact(fact, whole, turn) for fact in self.item.evidence.facts]
        for parts in sorted(filter(None, facts), key=len):
            if found.isdisjoint(parts):
                found.add(parts[0])
        if not found and not needs_pixels(self.item):
            found = {_part_of(self.moves.of_turn(each.id)) for each in turns if each.text}
        return found

    def _parts_with_fact(self, fact: str, whole: str, turn: str | None) -> list[str]:
        """Parts that show a fact in full: pictures alone, where it needs these and they do."""
        here = [
            each
            for each in self.mentions.get(fact, ())
            if each.round == whole and turn in (None, each.turn)
        ]
        here = [each for each in here if each.form is MentionForm.FULL] or here
        drawn = [each for each in here if each.modality is not Modality.TEXT]
        said = [each for each in here if each.modality is Modality.TEXT]
        chosen = drawn if drawn and (needs_pixels(self.item) or not said) else said
        seen = {name for each in chosen if (name := _turn_of(each, self.moves))}
        return sorted({_part_of(name) for name in seen}, key=natural_key)

    def _turns_of_named_images(self, turns: Sequence[Turn]) -> Iterator[str]:
        """Turns that show images which the question or its answer names."""
        here = {image.id for turn in turns for image in turn.attachments}
        texts = [self.item.question.text, *self.item.answer.values]
        yield from (self.moves.images[name] for name in named_images(*texts) if name in here)


def _part_of(turn: str) -> str:
    return turn.rpartition(".")[0]
