"""The records can say what the five papers say: three items of every question type, by hand."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.hashing import canonical_json
from memassay.schemas.ids import natural_key
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, MentionForm
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import holds

Document = dict[str, Any]
OPERATORS = frozenset(
    (
        *("select", "as_of", "pick", "get", "follow", "union", "minus", "count", "fold", "diff"),
        *("compare", "sequence", "conflict", "absent", "choose", "group"),
        *("gaps", "shift", "apply", "exists", "ended"),
    )
)


@pytest.fixture(scope="module")
def bundles(paper_bundles: list[Document]) -> list[Bundle]:
    """Every bundle of the paper fixtures, as records."""
    return [Bundle.model_validate(each) for each in paper_bundles]


def _is_part(part: Any, whole: Any) -> bool:
    """Whether everything that one JSON value says is said by another, defaults aside."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and _is_part(value, whole[key]) for key, value in part.items()
        )
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(_is_part, part, whole))
    return bool(part == whole and type(part) is type(whole))


def _expressions(query: Any) -> Iterator[Document]:
    if isinstance(query, dict):
        if "op" in query:
            yield query
        for value in query.values():
            yield from _expressions(value)
    if isinstance(query, list):
        for value in query:
            yield from _expressions(value)


def test_every_record_round_trips(paper_records: list[tuple[str, Document]]) -> None:
    """A record read from JSON says all its document said, and writes the same bytes for ever."""
    for kind, document in paper_records:
        record = parse_record(kind, document)
        text = canonical_json(record)
        assert _is_part(document, json.loads(text)), document["id"]
        assert canonical_json(parse_record(kind, json.loads(text))) == text, document["id"]


def test_every_type_of_every_paper_has_three_items(bundles: list[Bundle]) -> None:
    """Each code of the crosswalk is encoded at least three times, LoCoMo's at least once."""
    found = Counter(
        (bundle.conversation.collection, item.benchmark_type)
        for bundle in bundles
        for item in bundle.questions
    )
    needed = {
        (collection, code): 1 if collection == "locomo" else 3
        for collection, codes in CROSSWALK.items()
        if collection != "longmemeval"
        for code in codes
    }
    assert {key: found[key] for key, least in needed.items() if found[key] < least} == {}


def test_types_agree_with_the_crosswalk(bundles: list[Bundle]) -> None:
    """An item's type is what the crosswalk says of its paper's code."""
    for bundle in bundles:
        for item in bundle.questions:
            assert item.type == CROSSWALK[bundle.conversation.collection][item.benchmark_type]


def test_lists_are_ordered_by_id(bundles: list[Bundle]) -> None:
    """Assets, facts, mentions and questions stand in the natural order of their ids."""
    for bundle in bundles:
        for records in (bundle.assets, bundle.facts, bundle.mentions, bundle.questions):
            ids = [record.id for record in records]
            assert ids == sorted(ids, key=natural_key)
            assert len(ids) == len(set(ids))


def test_every_reference_leads_somewhere(bundles: list[Bundle]) -> None:
    """Evidence, decoys, mentions, facts, assets, twins and checkpoints exist."""
    for bundle in bundles:
        facts = {fact.id for fact in bundle.facts}
        items = {item.id for item in bundle.questions}
        points = {point.id for point in bundle.conversation.checkpoints}
        shown = [each.asset for _, each in bundle.conversation.attachments()]
        for item in bundle.questions:
            groups = item.evidence.groups
            places = [place for group in groups for place in group] + item.decoys
            assert all(bundle.rounds_of(place) for place in places), item.id
            assert len(groups) == len(item.evidence.canonical)
            pairs = zip(item.evidence.canonical, groups, strict=True)
            assert all(one in group for one, group in pairs), item.id
            assert facts.issuperset(item.evidence.facts), item.id
            assert item.twin_of is None or item.twin_of in items, item.id
            assert item.asked_at.checkpoint is None or item.asked_at.checkpoint in points, item.id
            shown += [each.asset for each in item.question.attachments]
        for fact in bundle.facts:
            assert facts.issuperset([*fact.supersedes, *fact.entailed_by]), fact.id
        assert facts.issuperset(mention.fact for mention in bundle.mentions)
        assert all(bundle.rounds_of(mention.round) for mention in bundle.mentions)
        parents = [asset.parent for asset in bundle.assets if asset.parent]
        assert bundle.asset_by_id.keys() >= {*shown, *parents}


def test_full_text_mentions_hold_their_value(bundles: list[Bundle]) -> None:
    """A span names the value; a text mention that is not partial holds it or is a date."""
    for bundle in bundles:
        by_id = {fact.id: fact for fact in bundle.facts}
        for mention in bundle.mentions:
            if mention.turn is None or mention.modality != "text":
                continue
            value, text = by_id[mention.fact].value, bundle.turn_by_id[mention.turn].text
            if mention.span:
                said = text[mention.span[0] : mention.span[1]]
                assert said.casefold() == value.text.casefold(), mention.id
            elif mention.form is MentionForm.FULL and value.type != "date":
                assert holds(text, value.text), mention.id


def test_queries_stay_inside_the_language(bundles: list[Bundle]) -> None:
    """A query uses the operators only, and all are used somewhere."""
    used = {
        each["op"]
        for bundle in bundles
        for item in bundle.questions
        for each in _expressions(item.query)
    }
    assert used == OPERATORS


def _fits(fact: Fact, where: Document) -> bool:
    said = {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value.text}
    wanted = {key: value if isinstance(value, list) else [value] for key, value in where.items()}
    return all(said[key] in wanted.get(key, [said[key]]) for key in said)


def _selects(item: QAItem) -> list[Document]:
    return [each["where"] for each in _expressions(item.query) if each["op"] == "select"]


def test_selections_find_facts_unless_the_item_is_a_refusal(bundles: list[Bundle]) -> None:
    """Each `select` of an answerable item finds a fact; that of a refusal finds none."""
    for bundle in bundles:
        for item in bundle.questions:
            for where in _selects(item):
                told = (fact for fact in bundle.facts if fact.status != "interference")
                found = any(_fits(fact, where) for fact in told)
                assert found == item.answerable, (item.id, where)


def test_refusals_have_decoys_and_no_evidence(bundles: list[Bundle]) -> None:
    """A made refusal rests on nothing and names near misses."""
    refusals = [
        item
        for bundle in bundles
        for item in bundle.questions
        if item.answer.format is AnswerFormat.REFUSAL and item.origin != "imported"
    ]
    assert len(refusals) >= 9
    for item in refusals:
        assert not item.answerable
        assert item.decoys
        assert item.evidence.groups == []


def test_image_answers_are_attachments_of_the_history(bundles: list[Bundle]) -> None:
    """Values and competitors of format `image_id` exist, values in ascending order."""
    for bundle in bundles:
        for item in bundle.questions:
            if item.answer.format is AnswerFormat.IMAGE_ID:
                named = [*item.answer.values, *item.answer.competitors]
                assert bundle.attachment_by_id.keys() >= set(named)
                assert item.answer.values == sorted(item.answer.values, key=natural_key)


def test_the_named_shapes_are_encoded(bundles: list[Bundle]) -> None:
    """Steps with screenshots, set-up, update, interference, undated and document rounds occur."""
    conversations = [bundle.conversation for bundle in bundles]
    rounds = [each for conversation in conversations for each in conversation.rounds()]
    assert {each.kind.value for each in rounds} == {"exchange", "utterance", "step", "document"}
    steps = [each for each in rounds if each.kind == "step"]
    kinds = ["observation", "reasoning", "action", "feedback"]
    assert [[turn.kind.value for turn in each.turns] for each in steps] == [kinds] * len(steps)
    assert all(each.turns[0].attachments for each in steps)
    arcs = {session.arc for conversation in conversations for session in conversation.sessions}
    assert {"setup", "main", "side", "guest", None} <= arcs
    facts = [fact for bundle in bundles for fact in bundle.facts]
    assert {fact.status.value for fact in facts} == {
        "asserted",
        "retracted",
        "interference",
        "implied",
    }
    assert any(fact.supersedes and fact.operation == "revise" for fact in facts)
    assert any(conversation.checkpoints for conversation in conversations)
    assert any(all(s.date is None for s in c.sessions) for c in conversations if c.path == "mmrc")
    pages = [asset for bundle in bundles for asset in bundle.assets if asset.parent]
    assert [page.page for page in pages] == [7, 8]
