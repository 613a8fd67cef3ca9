"""A simulated history made again by its recipe: what it did not make is named, nothing else."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.plans import setting_of
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Record
from memassay.schemas.hashing import canonical_json
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import QAItem
from memassay.synth.paths.m3exam.ledger.dialogue import DialogueStage
from memassay.synth.paths.m3exam.ledger.questions import QuestionStage
from memassay.synth.paths.m3exam.ledger.timeline import TimelineStage
from memassay.synth.paths.m3exam.path import PATH
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.world.grammar import wordings
from memassay.synth.world.sizes import Sizes

NAME = "lily-cooking-newbie"
WANTED = {"ss": 4, "ms": 3, "tr": 2, "fj": 3}
SIZES: dict[str, Any] = {"sessions": 6, "rounds": 9, "images": 2, "documents": 0}
_RECIPE = PATH.recipe.model_validate(
    {
        "path": "m3exam",
        "seed": 7,
        "personas": [NAME],
        "sizes": SIZES,
        "questions": WANTED,
        "release": {"name": "again", "licence": "CC-BY-4.0"},
    }
)


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history of six sessions, with its questions."""
    folder = tmp_path_factory.mktemp("again")
    personas = Personas([NAME], folder)
    stages = [TimelineStage(personas, Sizes(**SIZES)), DialogueStage(personas)]
    records: list[Record] = []
    for stage in [*stages, QuestionStage(personas, WANTED)]:
        context = UnitContext(7, stage.name, NAME, BlobFolder(folder / "blobs"))
        records += [_as_stored(record) for record in stage.run(records, context)]
    return Bundle.from_records(records)


def _as_stored(record: Record) -> Record:
    """A record as the next stage reads it: the store writes fields in the order of their names."""
    document = json.loads(canonical_json(record.model_dump(mode="json")))
    return type(record).model_validate(document)


def _found(bundle: Bundle) -> list[Finding]:
    blobs = BlobFolder(Path("/nonexistent"))
    again = PATH.again
    assert again is not None

    def open_context(stage: str, shard: str) -> UnitContext:
        return UnitContext(7, stage, shard, blobs)

    nowhere = setting_of(Path("/nonexistent"), Path("/nonexistent"))
    return list(again(_RECIPE, nowhere, open_context, [bundle]))


def test_what_the_recipe_made_is_as_the_recipe_makes_it(history: Bundle) -> None:
    """Nothing is said of a history as it was made."""
    assert _found(history) == []


def _with_text(bundle: Bundle, change: Callable[[str], str], at: int = 0) -> Bundle:
    """The history with the text of a turn of its second round changed."""
    document = bundle.conversation.model_dump(mode="json")
    turn = document["sessions"][0]["rounds"][1]["turns"][at]
    turn["text"] = change(turn["text"])
    return bundle.model_copy(update={"conversation": Conversation.model_validate(document)})


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"{text} The order tally was 19, by the way.",
        lambda text: f"As far as I know. {text}",
        lambda text: text.replace(". ", ". Not really. ", 1),
        lambda text: re.sub(r"\w+[.?!]$", "instead.", text),
        lambda text: text[: len(text) // 2],
    ],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_sentence_that_no_card_tells_is_named(
    history: Bundle, change: Callable[[str], str], at: int
) -> None:
    """Whatever is put in, taken out or exchanged in a turn points to that turn."""
    (found,) = _found(_with_text(history, change, at))
    assert found.rule == "again.told"
    assert found.pointer == f"/sessions/0/rounds/1/turns/{at}/text"


def test_a_fact_that_the_world_does_not_have_is_named(history: Bundle) -> None:
    """A value changed in ledger and history is not the one that the recipe draws."""
    fact = next(one for one in history.facts if one.value.type == "number")
    value = fact.value.model_copy(update={"text": f"9{fact.value.text}"})
    other = fact.model_copy(update={"value": value})
    facts = [other if one is fact else one for one in history.facts]
    found = _found(history.model_copy(update={"facts": facts}))
    assert [(one.rule, one.target, one.pointer) for one in found] == [
        ("again.world", fact.id, "/value")
    ]


@pytest.mark.parametrize(("all_of_them", "rules"), [(False, ["again.world"]), (True, [])])
def test_cards_of_another_program_tell_another_history(
    history: Bundle, all_of_them: bool, rules: list[str]
) -> None:
    """One event of an unknown card is named; where all are, nothing can be told again."""
    first, *rest = (one.model_copy(update={"source_sha256": "0" * 64}) for one in history.events)
    events = [first, *(rest if all_of_them else history.events[1:])]
    found = _found(history.model_copy(update={"events": events}))
    assert [one.rule for one in found] == rules


def _with_item(bundle: Bundle, item: QAItem) -> Bundle:
    others = [item if one.id == item.id else one for one in bundle.questions]
    return bundle.model_copy(update={"questions": others})


@pytest.mark.parametrize(
    ("code", "pointer"), [("ss", "/question/text"), ("tr", "/question/text"), ("ms", "/query")]
)
def test_a_question_that_no_draft_asks_is_named(history: Bundle, code: str, pointer: str) -> None:
    """A clause added to a text is in no draft; a text over another query is in no draft either."""
    own = [one for one in history.questions if one.benchmark_type == code]
    item, other = own[0], own[1]
    if pointer == "/query":
        changed = item.model_copy(update={"query": other.query, "wording": other.wording})
    else:
        text = item.question.model_copy(update={"text": f"{item.question.text} And why?"})
        changed = item.model_copy(update={"question": text})
    found = _found(_with_item(history, changed))
    assert {(one.rule, one.target) for one in found} == {("again.asked", item.id)}
    assert pointer in [one.pointer for one in found]


def test_an_option_that_no_draft_offers_is_named(history: Bundle) -> None:
    """An option changed in the list and in the text is none that the bank places."""
    item = next(one for one in history.questions if one.answer.options)
    first, *rest = item.answer.options
    other = first.model_copy(update={"text": f"{first.text} or so"})
    text = item.question.text.replace(
        f"{first.label}. {first.text}", f"{other.label}. {other.text}"
    )
    changed = item.model_copy(
        update={
            "answer": item.answer.model_copy(update={"options": [other, *rest]}),
            "question": item.question.model_copy(update={"text": text}),
        }
    )
    found = _found(_with_item(history, changed))
    assert (item.id, "/answer/options") in [(one.target, one.pointer) for one in found]


def test_a_question_left_out_is_named(history: Bundle) -> None:
    """What the bank makes and a release does not hold is missing."""
    left = history.questions[1:]
    (found,) = _found(history.model_copy(update={"questions": left}))
    assert found.target == history.questions[0].id


def test_a_turn_changed_does_not_accuse_other_questions(history: Bundle) -> None:
    """Where a forged turn changes what the bank keeps, later numbers do not differ."""
    item = next(one for one in history.questions if one.benchmark_type == "ss")
    value = item.answer.values[0]
    changed = _with_text(history, lambda text: f"{text} It was {value}.")
    asked = {one.target for one in _found(changed) if one.rule == "again.asked"}
    assert len(asked) <= 1


def test_wordings_are_every_choice() -> None:
    """Choices nest, an empty one leaves no gap."""
    assert wordings("[So |]it [works|[may|can] work], {name}.") == [
        "So it works, {name}.",
        "So it may work, {name}.",
        "So it can work, {name}.",
        "it works, {name}.",
        "it may work, {name}.",
        "it can work, {name}.",
    ]


def test_an_image_drawn_from_another_figure_is_found(history: Bundle) -> None:
    """Also what no fact states: the measure of an axis, a label beside the facts."""
    chart = next(one for one in history.assets if one.drawn and one.drawn.figure)
    assert chart.drawn is not None
    assert chart.drawn.figure is not None
    figure = chart.drawn.figure.model_copy(update={"measure": "height of the water"})
    drawn = chart.drawn.model_copy(update={"figure": figure})
    forged = chart.model_copy(update={"drawn": drawn})
    assets = [forged if one.id == chart.id else one for one in history.assets]
    (found,) = _found(history.model_copy(update={"assets": assets}))
    assert (found.rule, found.target) == ("again.drawn", chart.id)
