"""The question bank: windows, reasons for what it drops, and what a larger target changes."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.told import WANTED, usual

from memassay.flows.engine.context import Memory, UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.benchmarks.constraints import SaidAndShown, breaches
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.questions.bank import QuestionBank
from memassay.synth.questions.drafts import Draft, Ladder, get, select
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.questions.windows import window
from memassay.synth.world.persona_file import PERSONAS, load_persona

pytestmark = pytest.mark.slow(seconds=0.3)

NAME = "lily-cooking-newbie"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the blobs of told histories go."""
    return tmp_path_factory.mktemp("bank")


@pytest.fixture(scope="session")
def history(folder: Path) -> Bundle:
    """A history of eight sessions, with its questions."""
    return usual(folder)


def _run(
    bundle: Bundle, wanted: dict[str, int], folder: Path, memory: Memory | None = None
) -> tuple[dict[str, QAItem], dict[str, BankTally]]:
    """Items by id and tallies by code of the question stage."""
    stage = QuestionStage(KINDS, Personas([NAME], folder), wanted)
    told = [record for record in bundle.records() if not isinstance(record, QAItem)]
    context = UnitContext(7, stage.name, NAME, BlobFolder(folder / "blobs"), memory=memory)
    made: list[Record] = [*stage.run(told, context)]
    items = {record.id: record for record in made if isinstance(record, QAItem)}
    return items, {record.code: record for record in made if isinstance(record, BankTally)}


@given(data=st.data())
def test_a_window_has_the_shape_of_its_type(data: st.DataObject, history: Bundle) -> None:
    """Sessions and rounds within the bounds, contiguous, around what it is drawn for."""
    code = data.draw(st.sampled_from(sorted(KINDS)))
    rounds = [round_.id for round_ in history.conversation.rounds()]
    anchor = data.draw(st.sampled_from(rounds))
    seed = data.draw(st.integers(0, 99))
    shape = KINDS[code].window
    shown = window(shape, history.conversation, [anchor], Random(seed))
    assert anchor in shown
    sessions = {place.partition(":")[0] for place in shown}
    assert shape.sessions[0] <= len(sessions) <= shape.sessions[1]
    for session in sessions:
        at = sorted(int(p.partition(":")[2]) for p in shown if p.startswith(f"{session}:"))
        assert at == list(range(at[0], at[0] + len(at)))
        assert shape.rounds is None or len(at) <= shape.rounds[1]


def test_every_item_keeps_to_its_type(history: Bundle) -> None:
    """No item breaks the constraint that defines its type."""
    seen = SaidAndShown(history)
    for item in history.questions:
        assert list(breaches(KINDS[item.benchmark_type].constraints, seen, item)) == []


def test_a_larger_target_only_adds(history: Bundle, folder: Path) -> None:
    """Items of a smaller bank stand in the larger one with id and content unchanged."""
    more = {code: number + 3 for code, number in WANTED.items()}
    small, _ = _run(history, WANTED, folder)
    large, _ = _run(history, more, folder)
    assert len(large) > len(small)
    assert {name: large[name] for name in small} == small


def test_a_type_alone_is_as_in_the_whole_bank(history: Bundle, folder: Path) -> None:
    """What a type's items are does not depend on which other types are made."""
    whole, _ = _run(history, WANTED, folder)
    alone, _ = _run(history, {"fj": WANTED["fj"]}, folder)
    assert alone == {name: item for name, item in whole.items() if item.benchmark_type == "fj"}


def test_finished_types_outlive_a_kill(
    history: Bundle, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that dies between types makes only the others when it is run again."""
    workspace = Workspace(tmp_path / "work")
    memory = Memory(workspace.store, "2", workspace.is_whole)
    made: list[str] = []
    whole = QuestionBank.of_type

    def noted(bank: QuestionBank, code: str, target: int) -> tuple[list[QAItem], BankTally]:
        if code == "mr" and "mr" not in made:
            made.append("mr")
            raise KeyboardInterrupt
        made.append(code)
        return whole(bank, code, target)

    monkeypatch.setattr(QuestionBank, "of_type", noted)
    with pytest.raises(KeyboardInterrupt):
        _run(history, WANTED, folder, memory)
    before = made.copy()
    items, _ = _run(history, WANTED, folder, memory)
    assert before == ["ss", "ms", "tr", "mr"]
    assert made[len(before) :] == ["mr", "fm", "th", "fj", "ii"]
    assert items == _run(history, WANTED, folder)[0]
    workspace.close()


def test_what_is_dropped_has_a_reason(history: Bundle, folder: Path) -> None:
    """A tally counts drafts by reason, with examples, and what it says it kept is there."""
    items, tallies = _run(history, WANTED, folder)
    assert set(tallies) == set(WANTED)
    for code, tally in tallies.items():
        assert tally.kept == sum(item.benchmark_type == code for item in items.values())
        assert all(each.drafts >= len(each.examples) > 0 for each in tally.dropped)
    assert "type.mr_pixels_only" in {each.reason for each in tallies["mr"].dropped}


@pytest.fixture(scope="module")
def bank(history: Bundle, folder: Path) -> QuestionBank:
    """A bank over the history, to be given drafts by hand."""
    persona = load_persona(PERSONAS / f"{NAME}.yaml")
    random = UnitContext(7, "questions", NAME, BlobFolder(folder / "blobs")).random
    return QuestionBank(History(history, persona), random, KINDS)


def _reasons(bank: QuestionBank, *drafts: Draft) -> dict[str, int]:
    bank.kinds = {"ss": replace(KINDS["ss"], maker=lambda _history, _random: iter(drafts))}
    _, tally = bank.of_type("ss", 9)
    return {each.reason: each.drafts for each in tally.dropped}


def _single(bank: QuestionBank) -> tuple[Fact, QAItem]:
    """A single-session item and the fact it is about."""
    item = next(one for one in bank.bundle.questions if one.benchmark_type == "ss")
    return bank.history.facts[item.evidence.facts[0]], item


def test_a_draft_that_is_no_query_is_malformed(bank: QuestionBank) -> None:
    """A query that does not parse is named so."""
    draft = Draft("What?", {"op": "guess"}, AnswerFormat.FREE, ())
    assert _reasons(bank, draft) == {"malformed": 1}


def test_a_draft_that_proves_nothing_is_unproven(bank: QuestionBank) -> None:
    """A query about what nobody ever said gives no gold."""
    query = get({"op": "select", "where": {"subject": "nobody", "attribute": "age"}})
    draft = Draft("How old is nobody?", query, AnswerFormat.FREE, ())
    assert _reasons(bank, draft) == {"unproven": 1}


def test_evidence_outside_the_window_is_dropped(bank: QuestionBank) -> None:
    """A draft made from other rounds than those that prove it does not keep to its window."""
    fact, item = _single(bank)
    session = item.evidence.canonical[0].partition(":")[0]
    far = next(one for one in bank.history.facts.values() if _elsewhere(bank, one, session))
    draft = Draft("What was it?", get(select(fact)), item.answer.format, (far.id,))
    assert _reasons(bank, draft) == {"outside_window": 1}


def _elsewhere(bank: QuestionBank, fact: Fact, session: str) -> bool:
    places = bank.history.anchors(fact.id)
    return bool(places) and places[0].partition(":")[0] != session


def test_a_question_is_asked_once(bank: QuestionBank) -> None:
    """A second draft of the same wording is a repetition."""
    fact, item = _single(bank)
    draft = Draft("What was it?", get(select(fact)), item.answer.format, (fact.id,))
    again = Draft("What was it?", draft.query, item.answer.format, ())
    assert _reasons(bank, draft, again) == {"repeated": 1}


def _ranked(quota: str, right: int, below: int, above: int) -> Draft:
    """A choice whose gold is a number, with so many rivals on either side."""
    smaller, greater = (
        tuple((f"{one} min", str(one)) for one in numbers)
        for numbers in (range(right - below, right), range(right + 1, right + 1 + above))
    )
    options = ((f"{right} min", str(right)),)
    ladder = Ladder(quota, smaller, greater)
    return Draft(
        f"{right}?", {}, AnswerFormat.CHOICE, (f"F{right}",), options=options, ladder=ladder
    )


def _kept(bank: QuestionBank, *drafts: Draft) -> tuple[list[QAItem], BankTally]:
    """What a bank makes of choices, all of which are proven."""

    def proven(kind: QuestionKind, draft: Draft, number: int) -> QAItem:
        right = draft.text.partition("?")[0]
        shown = [AnswerOption(label=label, text=said) for label, said in draft.options]
        gold = [one.label for one in shown if one.text == f"{right} min"]
        return QAItem(
            id=f"x/fj-{number}",
            conversation="x",
            question=QuestionText(text=draft.text),
            answer=Answer(format=draft.format, values=gold, options=shown),
            evidence=Evidence(),
            type=kind.type,
            benchmark_type=kind.code,
            origin=ItemOrigin.MACHINE,
        )

    bank.kinds = {"fj": replace(KINDS["fj"], maker=lambda _history, _random: iter(drafts))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bank, "_item", proven)
        return bank.of_type("fj", 99)


def _rank(item: QAItem) -> int:
    sizes = {one.label: int(one.text.split()[0]) for one in item.answer.options}
    return sorted(sizes.values()).index(sizes[item.answer.values[0]])


@given(sides=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=24))
def test_each_rank_comes_once_in_every_four(
    bank: QuestionBank, sides: list[tuple[int, int]]
) -> None:
    """Whatever rivals there are, the gold is the smallest as often as any other."""
    drafts = [_ranked("values", 100 * (at + 1), *side) for at, side in enumerate(sides)]
    items, _ = _kept(bank, *drafts)
    for at in range(0, len(items), 4):
        ranks = [_rank(item) for item in items[at : at + 4]]
        letters = [item.answer.values[0] for item in items[at : at + 4]]
        assert len({*ranks}) == len(ranks)
        assert len({*letters}) == len(letters)


def test_a_choice_waits_for_a_rank_that_it_can_have(bank: QuestionBank) -> None:
    """Drafts that can only be the smallest or the greatest fill those ranks, in any order."""
    drafts = [_ranked("values", 100, 0, 3), _ranked("values", 200, 3, 0)]
    drafts += [_ranked("values", 300, 2, 2), _ranked("values", 400, 2, 2)]
    items, tally = _kept(bank, *drafts)
    assert sorted(map(_rank, items)) == [0, 1, 2, 3]
    assert tally.dropped == []


def test_choices_that_cannot_hold_all_ranks_are_dropped(bank: QuestionBank) -> None:
    """If none could be the smallest, the gold would be known not to be."""
    drafts = [_ranked("ours", 100, 3, 2), _ranked("ours", 200, 3, 1), _ranked("all", 300, 3, 3)]
    items, tally = _kept(bank, *drafts)
    assert [item.question.text[:4] for item in items] == ["300?"]
    assert [(each.reason, each.drafts) for each in tally.dropped] == [("one_sided", 2)]


def _number(attribute: str, unit: str | None = "min", subject: str = "user") -> Fact:
    value = FactValue(type=ValueType.NUMBER, text="4", unit=unit)
    return Fact(id="x/F1", subject=subject, attribute=attribute, value=value)


def test_personas_with_documents_get_their_own_numbers(history: Bundle, folder: Path) -> None:
    """Where pages are shown, `document_questions` stand in for `questions`."""
    stage = QuestionStage(KINDS, Personas([NAME], folder), {"mr": 1, "fm": 1}, {"mr": 4})
    told = [record for record in history.records() if not isinstance(record, QAItem)]
    shown = {image.asset for _, image in history.conversation.attachments()}
    has_pages = any(asset.parent for asset in history.assets if asset.id in shown)
    context = UnitContext(7, stage.name, NAME, BlobFolder(folder / "blobs"))
    made = [one for one in stage.run(told, context) if isinstance(one, QAItem)]
    assert [one.benchmark_type for one in made].count("mr") == (4 if has_pages else 1)
