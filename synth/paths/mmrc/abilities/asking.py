"""The questions of a dialogue: of each ability that its card asks, a draft that is proven."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mmrc import TYPES
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.asked.words import places_of, run_of
from memassay.schemas.queries.evidence import decoy_places
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.schemas.values.text import holds
from memassay.synth.packs.files.pack_parts import NeverSpec
from memassay.synth.paths.mmrc.abilities.ar import answer_refusal, rank_refusals
from memassay.synth.paths.mmrc.abilities.cr import cross_turn
from memassay.synth.paths.mmrc.abilities.ie import information_extraction
from memassay.synth.paths.mmrc.abilities.im import image_management
from memassay.synth.paths.mmrc.abilities.iu import information_update
from memassay.synth.paths.mmrc.abilities.mr import memory_recall
from memassay.synth.paths.mmrc.abilities.told import Told
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.proving import CLOSED, proven_item
from memassay.synth.world.grammar import Randoms

_MAKERS: Final = {
    "IE": information_extraction,
    "CR": cross_turn,
    "IU": information_update,
    "IM": image_management,
}
_REFUSAL, _RECALL, _JOINS, _PICTURES = "AR", "MR", "CR", "IM"


_DENIALS: Final = frozenset({"not", "never", "no", "without"})
"""What no query of ours does is asked by no question: `Which would you not recommend?`."""


@dataclass(frozen=True)
class Questions:
    """What could be asked of a dialogue.

    Attributes:
        items: The questions, one of an ability.
        missing: Codes of the abilities that its card asks and that nothing proves.
    """

    items: list[QAItem]
    missing: list[str]


def ask_dialogue(told: Told, asked: Sequence[Asked], randoms: Randoms) -> Questions:
    """The questions that a card asks of a dialogue.

    Args:
        told: The dialogue.
        asked: The abilities and their forms.
        randoms: Draws, by purpose.
    """
    desk = _Desk(told, {one.code: one for one in asked}, randoms)
    made = {one.code: desk.ask(one) for one in asked}
    items = [item for item in made.values() if item is not None]
    return Questions(items, [code for code, item in made.items() if item is None])


class _Desk:
    """Makes the questions of one dialogue."""

    def __init__(self, told: Told, asked: dict[str, Asked], randoms: Randoms) -> None:
        self.told, self.asked, self.randoms = told, asked, randoms
        self.names = Names(told.bundle, told.ledger)
        self.made: list[QAItem] = []
        self.specs: list[NeverSpec] = []
        if _REFUSAL in asked:
            self.specs = rank_refusals(told, self._random("near"))

    def _random(self, code: str) -> KeyedRandom:
        return self.randoms("questions", code)

    def ask(self, asked: Asked) -> QAItem | None:
        """The question of an ability; None if nothing proves one."""
        item = self._refusal(asked) if asked.code == _REFUSAL else self._first(asked)
        if item is not None:
            self.made.append(item)
        return item

    def _first(self, asked: Asked) -> QAItem | None:
        items = (self._item(asked.code, draft) for draft in self._drafts(asked))
        found = (item for item in items if item is not None)
        if asked.code != _JOINS:
            return next(found, None)
        # Where a round says again what an earlier one did, a join may need that round alone.
        joins = list(found)
        across = [item for item in joins if len(item.evidence.groups) > 1]
        return next(iter(across or joins), None)

    def _drafts(self, asked: Asked) -> Iterable[Draft]:
        random = self._random(asked.code)
        if asked.code == _RECALL:
            near = [spec.near for spec in self.specs[:1]]
            return memory_recall(self.told, asked, random, near)
        return _MAKERS[asked.code](self.told, asked, random)

    def _refusal(self, asked: Asked) -> QAItem | None:
        """What nobody told, beside the question that can be answered and is nearest to it."""
        for spec, draft in answer_refusal(self.told, asked, self.specs):
            item, twin = self._item(asked.code, draft), self._twin(spec)
            if item is not None and twin is not None:
                execution = execute(parse_query(draft.query), self.told.ledger)
                places = decoy_places(execution, self.told.ledger)
                near = [round_ for fact in self._near(spec) for round_ in self._places(fact)]
                decoys = list(dict.fromkeys([*near, *places]))[: len(near) or 1]
                return item.model_copy(update={"twin_of": twin.id, "decoys": decoys})
        return None

    def _near(self, spec: NeverSpec) -> list[Fact]:
        return self.told.facts(spec.near)

    def _places(self, fact: Fact) -> list[str]:
        order = [round_.id for round_ in self.told.bundle.conversation.rounds()]
        return sorted(self.told.rounds(fact), key=order.index)[:1]

    def _twin(self, spec: NeverSpec) -> QAItem | None:
        """The question about what is near, else the one for a detail, else any."""
        near = {fact.id for fact in self._near(spec)}
        about = [item for item in self.made if near & set(item.evidence.facts)]
        recalled = [item for item in self.made if item.benchmark_type == _RECALL]
        return next(iter([*about, *recalled, *self.made]), None)

    def _item(self, code: str, draft: Draft) -> QAItem | None:
        """The item of a draft; None if its query proves nothing, or its words give it away."""
        told, name = self.told, record_id(self.told.bundle.id, code)
        modalities = list(draft.modalities) or self._modalities(draft)
        try:
            item = proven_item(draft, name, code, TYPES[code].type, modalities, told.ledger)
        except QueryError:
            return None
        shown = draft.format in CLOSED or draft.format is AnswerFormat.REFUSAL
        if not shown and any(holds(draft.text, value) for value in item.answer.values):
            return None
        if code != _PICTURES and self._names_picture(draft):
            return None
        if code != _REFUSAL and not _DENIALS.isdisjoint(run_of(draft.text)):
            return None
        wording = wording_of(item, parse_query(draft.query), self.names)
        return item.model_copy(update={"wording": wording})

    def _names_picture(self, draft: Draft) -> bool:
        """Whether a question that is about none names a picture.

        What a picture is called may be part of the property that is asked for.
        """
        line = run_of(draft.text)
        own = [run_of(attribute) for attribute in _attributes(draft.query)]
        whats = [run_of(picture.what) for picture in self.told.pictures]
        return any(
            places_of(what, line) and not any(places_of(what, run) for run in own) for what in whats
        )

    def _modalities(self, draft: Draft) -> list[Modality]:
        """Where the facts of a draft can be read: in pictures too, if a round has them only so."""
        found = {Modality.TEXT}
        for name in draft.about:
            mentions = self.told.ledger.mentions.get(name, ())
            said = {each.round for each in mentions if each.modality is Modality.TEXT}
            if any(each.round not in said for each in mentions):
                found.add(Modality.IMAGE)
        return sorted(found)


def _attributes(node: object) -> Iterator[str]:
    """Every attribute that a query names."""
    if isinstance(node, dict):
        if isinstance(node.get("attribute"), str):
            yield node["attribute"]
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _attributes(inner)
