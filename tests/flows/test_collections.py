"""Tests of what a stage is given of a whole collection: in order, and read when it is asked for."""

from pathlib import Path

import pytest
from support.release_builder import bundle

from memassay.flows.engine.streams.collection import RecordCollection, StoredCollection, in_order
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.errors import CodeError, RecordError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity


@pytest.fixture(params=["stored", "held"])
def collection(request: pytest.FixtureRequest, tmp_path: Path) -> Collection:
    """Three conversations, the tenth stored first, and a finding about a file."""
    workspace = Workspace(tmp_path)
    records: list[Record] = [Finding.make("import.x", Severity.INFO, "b.json", "", "bad", "")]
    for name in ("talk10", "talk9", "alex"):
        records += bundle(name, "Luna", "red", workspace.blobs).records()
    if request.param == "held":
        return RecordCollection(records)
    store = workspace.store
    return StoredCollection(store, in_order(store.headers(store.put_all(records))))


def test_conversations_come_in_natural_order(collection: Collection) -> None:
    """Bundles come by the numbers in their ids, each with its questions, as often as asked."""
    for _ in range(2):
        assert [one.id for one in collection.bundles()] == ["alex", "talk9", "talk10"]
    assert all(one.questions for one in collection.bundles())


def test_records_of_a_kind_come_in_natural_order(collection: Collection) -> None:
    """Headers and records of a kind have one order, and no other kind is among them."""
    headers = list(collection.headers("question"))
    assert headers
    assert {one.kind for one in headers} == {"question"}
    assert [one.id for one in collection.of("question")] == [one.id for one in headers]
    assert [content_hash(one) for one in collection.of("question")] == [
        one.sha256 for one in headers
    ]


def test_what_is_no_data_is_in_no_conversation(collection: Collection) -> None:
    """A finding about a file is among the records, and makes no conversation."""
    (found,) = collection.of("finding")
    assert isinstance(found, Finding)
    assert len(list(collection.headers())) == len(list(collection.of()))
    assert len(list(collection.bundles())) == 3


def test_one_conversation_is_read_by_its_id(collection: Collection) -> None:
    """A conversation can be asked for; one that is not there is an error that names it."""
    assert collection.bundle("talk9").id == "talk9"
    with pytest.raises(RecordError, match="talk8: expected in the collection"):
        collection.bundle("talk8")


def test_a_kind_that_a_stage_does_not_read_is_refused(tmp_path: Path) -> None:
    """It would be none at all, and the stage would count nothing without a word."""
    workspace = Workspace(tmp_path)
    store = workspace.store
    records = bundle("alex", "Luna", "red", workspace.blobs).records()
    headers = in_order(store.headers(store.put_all(records)))
    collection = StoredCollection(store, headers, frozenset({"conversation"}))
    assert [one.questions for one in collection.bundles()] == [[]]
    with pytest.raises(CodeError, match="got 'question'; add it to the stage's `reads`"):
        list(collection.bundles("question"))
    blind = StoredCollection(store, headers, frozenset({"question"}))
    with pytest.raises(CodeError, match="got 'conversation'"):
        list(blind.bundles())
    workspace.close()
