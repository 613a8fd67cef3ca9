"""The desk: which questions are asked at which checkpoint, and the items they become."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.worldmemarena import TYPES
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.evidence import decoy_places
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AskedAt, QAItem
from memassay.schemas.values.text import holds
from memassay.synth.paths.worldmemarena.lifelong.asking import claims, joins, values
from memassay.synth.paths.worldmemarena.lifelong.asking.drafts import Asked, Maker
from memassay.synth.paths.worldmemarena.lifelong.asking.view import View
from memassay.synth.paths.worldmemarena.lifelong.telling.sentences import Wordsmith
from memassay.synth.paths.worldmemarena.lifelong.world.points import World
from memassay.synth.questions.proving import proven_item

_BOUNDARY: Final = "MB"
ALWAYS: Final = (_BOUNDARY, "FR", "DU")
"""What every checkpoint asks, the boundary question with its twin."""
TURNS: Final = (
    ("MC", "TR", "KR", "VFR", "VS", "CMR", "still"),
    ("MC", "TTL", "KR", "VFR", "VU", "ended"),
    ("MC", "TR", "TTL", "VFR", "VU", "CMR", "still"),
    ("MC", "VS", "KR", "VFR", "VU", "ended"),
    ("MC", "TR", "TTL", "VFR", "VU", "VS", "CMR"),
)
"""What checkpoints ask beside it, in turn: about 10.5 questions each (§4.3), all eleven types."""
_MAKERS: Final[dict[str, tuple[tuple[Maker, ...], ...]]] = {
    "FR": ((values.ask_before_change, values.ask_value),),
    "DU": ((values.ask_changed,),),
    "MB": ((claims.ask_boundary,),),
    "MC": (
        (claims.ask_conflict_by_authority, claims.ask_conflict_by_context),
        (claims.ask_conflict_by_context, claims.ask_conflict_by_authority),
    ),
    "TR": ((joins.ask_days_apart,), (joins.ask_order, joins.ask_days_apart)),
    "KR": ((joins.ask_knowledge,),),
    "TTL": ((joins.ask_rule,),),
    "VFR": ((values.ask_picture_before_change, values.ask_picture),),
    "VU": ((values.ask_changed_picture,),),
    "VS": ((values.ask_search,),),
    "CMR": ((joins.ask_sum_of_two,), (joins.ask_total, joins.ask_sum_of_two)),
    "still": ((values.ask_still,),),
    "ended": ((values.ask_ended, values.ask_changed),),
}
"""By what is asked, who makes drafts, in the order tried; lists are taken in turn."""
_INSTEAD: Final = ("FR", "VFR", "KR", "TR")
"""What is asked in place of what nothing proves, by checkpoint in turn."""
_WEIGHT: Final = 0.5
"""How much a draft counts that is as far back as the recipe asks, beside chance."""
_ASKED: Final = 0.4
"""What a draft loses for each question that its points were asked in before."""


@dataclass(frozen=True)
class Questions:
    """The questions of a sample.

    Attributes:
        items: In the order asked.
        used: By key of a point, how many questions rest on it or pass it by.
        missing: By checkpoint, what nothing proved.
    """

    items: list[QAItem]
    used: Counter[str]
    missing: list[tuple[str, str]]


class Desk:
    """Asks the questions of one world."""

    def __init__(self, world: World, smith: Wordsmith, history: Bundle, distance: float) -> None:
        """Take a world, its words, its telling, and how far back questions look."""
        self.world, self.smith, self.history, self.distance = world, smith, history, distance
        self.ledger = Ledger(history)
        self.names = Names(history, self.ledger)
        self.items: list[QAItem] = []
        self.used: Counter[str] = Counter()
        self.texts: set[tuple[str, str]] = set()
        self.open_pairs: dict[str, str] = {}
        self.missing: list[tuple[str, str]] = []

    def ask(self) -> Questions:
        """The questions of all checkpoints."""
        points = self.history.conversation.checkpoints
        ends = [len(point.covered_sessions) for point in points]
        for nth, (point, end) in enumerate(zip(points, ends, strict=True)):
            before = ends[nth - 1] if nth else 1
            after = ends[nth + 1] if nth + 1 < len(ends) else end
            view = View(self.world, self.smith, end, before, after)
            self._ask_at(view, nth, AskedAt(checkpoint=point.id))
        return Questions(self.items, self.used, self.missing)

    def _ask_at(self, view: View, nth: int, asked_at: AskedAt) -> None:
        due = dict(self.open_pairs)
        self.open_pairs = {}
        for what in (*ALWAYS, *TURNS[nth % len(TURNS)]):
            found = self._make(what, view, nth, asked_at, due)
            if found is None:
                self.missing.append((asked_at.checkpoint or "", what))
                self._make(_INSTEAD[nth % len(_INSTEAD)], view, nth, asked_at, {})
            elif what == _BOUNDARY:
                self._add_twin(*found, view, asked_at)

    def _add_twin(self, item: QAItem, asked: Asked, view: View, asked_at: AskedAt) -> None:
        """The question beside a boundary question that has an answer."""
        found = self._first(values.ask_twin(view, asked.near), view, asked_at, {})
        if found is not None:
            self.items = [
                one.model_copy(update={"twin_of": found[0].id}) if one.id == item.id else one
                for one in self.items
            ]

    def _make(
        self, what: str, view: View, nth: int, asked_at: AskedAt, due: dict[str, str]
    ) -> tuple[QAItem, Asked] | None:
        ways = _MAKERS[what]
        for maker in ways[(nth // 2) % len(ways)]:
            found = self._first(maker(view), view, asked_at, due)
            if found is not None:
                return found
        return None

    def _first(
        self,
        found: Iterable[Asked],
        view: View,
        asked_at: AskedAt,
        due: dict[str, str],
    ) -> tuple[QAItem, Asked] | None:
        """The item of the best draft that is proven."""
        for asked in self._rank(found, view, due):
            item = self._prove(asked, asked_at)
            if item is None:
                continue
            partner = due.pop(asked.pairs, "") if asked.pairs else ""
            if partner:
                item = item.model_copy(update={"twin_of": partner})
            if asked.pairs:
                self.open_pairs[asked.pairs] = item.id
            self.items.append(item)
            self.texts.add((item.question.text, asked_at.checkpoint or ""))
            for key in asked.points:
                self.used[key] += 1
            return item, asked
        return None

    def _rank(self, found: Iterable[Asked], view: View, due: dict[str, str]) -> Sequence[Asked]:
        """Drafts in the order tried: the second of a pair first, then by distance and chance."""
        by_key = {point.key: point for point in view.points}

        def score(asked: Asked) -> float:
            ages = [1 - by_key[key].session / max(view.seen - 1, 1) for key in asked.points]
            away = abs(sum(ages) / len(ages) - self.distance)
            chance = self.world.draws.random("asked", view.seen, asked.draft.text).random()
            used = sum(self.used[key] for key in asked.points)
            return _WEIGHT * away + (1 - _WEIGHT) * chance + _ASKED * used

        return sorted(found, key=lambda asked: (asked.pairs not in due, score(asked)))

    def _prove(self, asked: Asked, asked_at: AskedAt) -> QAItem | None:
        if (asked.draft.text, asked_at.checkpoint or "") in self.texts:
            return None
        name = record_id(self.history.id, f"Q{len(self.items) + 1:03d}")
        try:
            item = proven_item(
                asked.draft,
                name,
                asked.code,
                TYPES[asked.code].type,
                asked.draft.modalities or self._modalities(asked),
                self.ledger,
                asked_at=asked_at,
            )
        except QueryError:
            return None
        if item.modalities == [Modality.IMAGE] and self._is_said(item):
            return None
        query = parse_query(item.query)
        update: dict[str, object] = {"wording": wording_of(item, query, self.names)}
        if asked.trap:
            execution = execute(query, self.ledger, asked_at)
            update["decoys"] = decoy_places(execution, self.ledger, asked_at)[:1]
            update["answer"] = item.answer.model_copy(update={"traps": [asked.trap]})
        return item.model_copy(update=update)

    def _is_said(self, item: QAItem) -> bool:
        """Whether the text beside a picture has the very words that only the picture should say."""
        texts = [
            turn.text
            for place in item.evidence.canonical
            for round_ in self.history.rounds_of(place)
            for turn in round_.turns
        ]
        golds = [*item.answer.values, *item.answer.equivalents]
        return any(holds(text, gold) for text in texts for gold in golds)

    def _modalities(self, asked: Asked) -> list[Modality]:
        """Where the points of a draft can be read."""
        shown = {point.key for point in self.world.points if point.pictured}
        found = {Modality.IMAGE if key in shown else Modality.TEXT for key in asked.points}
        return sorted(found | {Modality.TEXT})
