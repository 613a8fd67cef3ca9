"""Questions worded by a model: query, evidence, answer and options stay as the bank proved them.

A model gives drafts; the first that keeps every phrase of the query and gives nothing away is
taken. The rules of questions then judge it like any other, and where they find something, the
plain wording of the bank comes back.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.asked.words import Run, run_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.schemas.values.stems import stem
from memassay.schemas.values.text import holds
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.tasks.wording import WordedQuestions, question_wording
from memassay.synth.questions.leanings import Leanings
from memassay.synth.questions.proving import CLOSED

_BATCH: Final = 6
"""Questions of a type that one request words (our choice)."""
_STYLES: Final = (
    "Directly: short, as somebody asks who was there.",
    "Indirectly: in a sentence that asks without beginning with a question word.",
    "In passing: as somebody asks who wants to check what they half remember.",
)

_ASKING: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
"""With every one more, one thing more is asked, or a time or reason is added."""
_OPEN: Final = frozenset({"what", "which"})
"""Those of which one can stand for the other, or for none: `tell me the price`."""

_JOINING: Final = frozenset({"and", "or", "but", "if"})
"""With every one more, something may be asked that the plain wording does not ask."""

_REQUESTS: Final = frozenset(
    {"tell", "know", "remember", "remind", "recall", "say", "wonder", "like", "want", "need"}
    | {"find", "show", "see", "seen", "please", "could", "would", "may", "might", "us"}
)
"""Words by which one asks, whatever it is that one asks."""

_BOUNDING: Final = frozenset(
    {"above", "after", "again", "all", "any", "before", "below", "between", "both", "during"}
    | {"each", "few", "further", "more", "most", "no", "nor", "not", "now", "only", "once"}
    | {"other", "over", "same", "some", "such", "than", "then", "too", "until"}
)
"""Stop words that bound, order, compare or deny what is asked."""


_NAMING: Final = ("attribute", "unit")
"""Parts of a query that say what is asked for, and not of which thing."""


class WordedQuestionStage(QuestionStage):
    """The question bank in the words of a model, plain where its words are refused."""

    def __init__(
        self,
        personas: Personas,
        wanted: Mapping[str, int],
        with_documents: Mapping[str, int],
        leanings: Leanings,
        drafts: int,
        models: Mapping[str, Any],
    ) -> None:
        """Say what is asked, how many drafts of each question there are, and who writes them."""
        super().__init__(KINDS, personas, wanted, with_documents, leanings)
        self.drafts = drafts
        self.config |= {"question_wording": {"drafts": drafts, "models": dict(models)}}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """Items and tallies of one persona; items in the first draft that keeps their query."""
        made = list(super().run(records, context))
        items = [record for record in made if isinstance(record, QAItem)]
        words = Words(Bundle.from_records(records))
        requests = list(batches(items))
        replies = context.write_each(self.tasks(requests, context.shard))
        taken: dict[str, QAItem] = {}
        for batch, reply in zip(requests, replies, strict=True):
            # Where no valid reply could be had, the bank's own words are as good a question.
            if isinstance(reply, WordedQuestions):
                taken |= {item.id: item for item in words.take(batch, reply)}
        yield from (taken.get(record.id, record) for record in made)

    def tasks(
        self, requests: Sequence[Sequence[QAItem]], shard: str
    ) -> Iterator[Task[WordedQuestions]]:
        """What the model is asked about batches of the items of a bank, in their order."""
        user = self.personas.by_id[shard].name
        for position, batch in enumerate(requests):
            style = _STYLES[position % len(_STYLES)]
            items = [_plainly(item, number) for number, item in enumerate(batch, start=1)]
            yield question_wording(user, items, style, self.drafts, batch[0].id)

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash by id: every item and tally is a part of its own."""
        return {record.id: content_hash(record) for record in made}

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The item that a finding is about."""
        items = {record.id for record in made if isinstance(record, QAItem)}
        return finding.target if finding.target in items else None

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        _attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The questions, flagged ones in the plain wording of the bank."""
        plain = {record.id: record for record in self.bank(given, context)}
        return [plain[one.id] if one.id in flagged else one for one in made]


class Words:
    """What the questions of a history may be asked by, and what its subjects are called."""

    def __init__(self, bundle: Bundle) -> None:
        """Take the history."""
        self._names = Names(bundle, Ledger(bundle))

    def take(self, batch: Sequence[QAItem], reply: WordedQuestions) -> Iterator[QAItem]:
        """The items of a batch of which a draft can be taken, in the words of the first."""
        drafts = {one.number: one.drafts for one in reply.items}
        for number, item in enumerate(batch, start=1):
            for text in drafts.get(number, []):
                if keeps_query(item, text):
                    yield self._reword(item, text)
                    break

    def _reword(self, item: QAItem, text: str) -> QAItem:
        listed = item.question.text.removeprefix(plain_text(item))
        question = item.question.model_copy(update={"text": f"{text.strip()}{listed}"})
        worded = item.model_copy(update={"question": question})
        wording = wording_of(worded, parse_query(item.query), self._names)
        return worded.model_copy(update={"wording": wording})


def batches(items: Sequence[QAItem]) -> Iterator[tuple[QAItem, ...]]:
    """The items that a request words together: some of one type, in their order."""
    worded = (item for item in items if item.wording is not None)
    for _, of_type in groupby(worded, key=lambda item: item.benchmark_type):
        each = list(of_type)
        yield from (tuple(each[at : at + _BATCH]) for at in range(0, len(each), _BATCH))


def _plainly(item: QAItem, number: int) -> dict[str, Any]:
    """An item as a request quotes it."""
    return {
        "number": str(number),
        "question": plain_text(item),
        "answer": str(item.answer.format),
        "keep": _phrases(item),
    }


def keeps_query(item: QAItem, text: str) -> bool:
    """Whether a draft says what the plain wording does, asks one thing and gives no gold away.

    Phrases of the query stay, and so do all words that carry content, in any form. None may be
    brought in, as nothing could prove that it is no condition.

    Args:
        item: A question in its plain wording.
        text: Other words for it.
    """
    if any(phrase not in text and _capitalise(phrase) not in text for phrase in _phrases(item)):
        return False
    shown = item.answer.format in CLOSED or item.answer.relation is AnswerRelation.ORDERED
    if not shown and any(holds(text, value) for value in item.answer.values):
        return False
    if any(re.search(rf"\b{re.escape(one.label)}\b", text) for one in item.answer.options):
        return False
    if _order(item, text) != _order(item, plain_text(item)):
        return False
    plain, frame = _frame(item, plain_text(item)), _frame(item, text)
    had, given = Counter(_content(plain)), Counter(_content(frame))
    return _asks_alike(plain, frame) and set(had) <= set(given) and given <= had


def _asks_alike(plain: Run, frame: Run) -> bool:
    """Whether a draft asks for one thing, of the kind that the plain wording asks for."""
    more = _count(frame, _ASKING) > max(1, _count(plain, _ASKING))
    more = more or _count(frame, _JOINING) > _count(plain, _JOINING)
    kinds = [set(each) & (_ASKING - _OPEN) for each in (plain, frame)]
    return not more and kinds[0] == kinds[1] and not {*_ASKING, *_REQUESTS}.isdisjoint(frame)


def _count(frame: Run, words: frozenset[str]) -> int:
    return sum(word in words for word in frame)


def _order(item: QAItem, text: str) -> list[str]:
    """What is asked for, and the things that it is asked of, each as a text orders them."""
    slots = item.wording.slots if item.wording is not None else {}
    folded = text.casefold()
    return [
        said
        for _, said in sorted(
            slots.items(),
            key=lambda slot: (slot[0].startswith(_NAMING), folded.find(slot[1].casefold())),
        )
    ]


def _frame(item: QAItem, text: str) -> Run:
    """The words of a question beside the phrases of its query; the longest go first."""
    for phrase in sorted(_phrases(item), key=len, reverse=True):
        text = text.replace(phrase, ", ").replace(_capitalise(phrase), ", ")
    return run_of(text)


def _content(frame: Run) -> list[str]:
    """Stems of the words that carry content, or bound what is asked."""
    return [root for word in frame if (root := stem(word)) not in _plain_stems()]


@cache
def _plain_stems() -> frozenset[str]:
    """Stems of words that carry no content of their own, and of those by which one asks."""
    # The library takes a quarter of a second to import, and only models' words ask for it.
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    kept = {word for word in STOPWORDS_EN_PLUS if not word.endswith("n't")} - _BOUNDING
    return frozenset(map(stem, {*kept, "i'd", "i'll", "i'm", *_REQUESTS, *_JOINING}))


def plain_text(item: QAItem) -> str:
    """A question without the options that are listed behind it."""
    listed = " ".join(f"{one.label}. {one.text}" for one in item.answer.options)
    return item.question.text.removesuffix(listed).rstrip() if listed else item.question.text


def _phrases(item: QAItem) -> list[str]:
    """What of a question means a part of its query, or describes a thing, in the order said."""
    text = plain_text(item)
    slots = item.wording.slots.values() if item.wording is not None else ()
    phrases = [*slots, *(reference.phrase for reference in item.references)]
    return [one for one in dict.fromkeys(phrases) if one in text or _capitalise(one) in text]


def _capitalise(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]
