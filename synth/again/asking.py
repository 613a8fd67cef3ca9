"""Whether questions are drafts of their history: text, query, form, options and what must lose."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.world.grammar import Randoms


class Unasked(NamedTuple):
    """Something of an item that no draft has.

    Attributes:
        item: Id of the item.
        pointer: JSON Pointer to it in the item.
        expected: What the draft has there.
        got: What stands there.
    """

    item: str
    pointer: str
    expected: str
    got: str


def unasked(
    bundle: Bundle, history: History, randoms: Randoms, kinds: Mapping[str, QuestionKind]
) -> Iterator[Unasked]:
    """What the items of a bank ask otherwise than the drafts that their history gives.

    Where most items of a type are no drafts, the drafts are those of another history, as when
    its mentions were changed: then nothing can be said of any of them.
    """
    for code, kind in kinds.items():
        items = [
            item
            for item in bundle.questions
            if item.benchmark_type == code and item.origin is ItemOrigin.MACHINE
        ]
        if not items:
            continue
        drafts: dict[str, list[Draft]] = {}
        for draft in kind.maker(history, randoms("questions", code)):
            drafts.setdefault(draft.text, []).append(draft)
        found = [_difference(item, drafts) for item in items]
        if sum(one is None for one in found) * 2 >= len(items):
            yield from (one for one in found if one is not None)


def _difference(item: QAItem, drafts: Mapping[str, Sequence[Draft]]) -> Unasked | None:
    """How an item differs from the draft that is most like it; None if it is one."""
    text = item.question.text
    listed = "".join(f" {one.label}. {one.text}" for one in item.answer.options)
    asked = text.removesuffix(listed)
    if asked not in drafts:
        return Unasked(item.id, "/question/text", "a question of its bank", text)
    differences = [_unlike(item, draft) for draft in drafts[asked]]
    return None if None in differences else differences[-1]


def _unlike(item: QAItem, draft: Draft) -> Unasked | None:
    query: object = item.query
    if draft.format is AnswerFormat.CHOICE:
        query = (item.query or {}).get("of")
        odd = [one.text for one in item.answer.options if one.text not in _offered(draft)]
        if odd:
            return Unasked(item.id, "/answer/options", "options of its draft", ", ".join(odd))
    if query != draft.query:
        return Unasked(item.id, "/query", f"{draft.query}", f"{item.query}")
    if item.answer.format != draft.format:
        return Unasked(item.id, "/answer/format", str(draft.format), str(item.answer.format))
    if draft.competitors != tuple(item.answer.competitors):
        expected, got = ", ".join(draft.competitors), ", ".join(item.answer.competitors)
        return Unasked(item.id, "/answer/competitors", expected or "none", got or "none")
    if draft.coarser and draft.coarser != tuple(item.answer.coarser):
        expected, got = ", ".join(draft.coarser), ", ".join(item.answer.coarser)
        return Unasked(item.id, "/answer/coarser", expected, got or "none")
    return None


def _offered(draft: Draft) -> set[str]:
    """Every option that a draft may offer."""
    ladder = draft.ladder
    sides = (*ladder.below, *ladder.above) if ladder else ()
    return {said for said, _ in (*draft.options, *sides)}
