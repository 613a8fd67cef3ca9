"""No slot and no choice mark of a persona file reaches a record, wherever it stands."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import JsonValue

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import EventLine
from memassay.synth.flaws.facts import misstatements
from memassay.synth.flaws.lives import OtherLives
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.world.maker import World, WorldMaker, persona_of
from memassay.synth.world.persona_checks import persona_problems
from memassay.synth.world.persona_file import (
    PERSONAS,
    CardSpec,
    PersonaFile,
    known_personas,
    load_persona,
)
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.parts import parts_of
from memassay.synth.world.processes.phrases import says_day

pytestmark = pytest.mark.slow(seconds=0.3)

RAW = re.compile(r"\{[a-z0-9_.-]+\}|\[[^\]]*\|[^\]]*\]")
IMAGE = {
    "kind": "table",
    "title": "Sheet",
    "about": "the sheet",
    "rows": ["{pup}", "Ines"],
    "columns": {"who": {"one_of": ["{owner}'s", "of {owner}"]}, "kg": {"number": [1, 9, 1]}},
}
LABEL = {
    "kind": "label",
    "title": "Tag",
    "about": "the tag",
    "lines": {"Of": {"one_of": ["{owner}"]}, "Note": "[keep dry|no sun]"},
}


def _card(name: str, **more: Any) -> dict[str, Any]:
    rounds = [{"user": "Hello.", "assistant": "Good."}, {"user": "Yes.", "assistant": "Fine."}]
    return {
        "id": name,
        "what": "a visit",
        "query": "Who came?",
        "keyword": "dog",
        "rounds": rounds,
        **more,
    }


def _persona(**more: Any) -> PersonaFile:
    """A persona whose values name people wherever a value can stand."""
    voice = {"openers": ["Hi."] * 8, "thanks": ["Thanks."] * 8, "asides": ["Hm."] * 12}
    toast = {"about": "pup", "attribute": "toast", "ask": ["Which toast?"]}
    habit = {"about": "pup", "attribute": "habit", "value": {"text": "{owner} walks {pup}"}}
    steps = [{"full": f"call {{owner}} {n}", "key": "{owner}"} for n in ("once", "twice", "again")]
    said = "{toast}. {habit}. " + ". ".join(step["full"] for step in steps) + "."
    first = _card(
        "first",
        facts={"toast": {**toast, "value": {"one_of": ["to {owner}"]}}, "habit": habit},
        images={"sheet": IMAGE, "tag": LABEL},
        steps={"about": "pup", "attribute": "plan", "ask": ["Which plan?"], "list": steps},
        rounds=[
            {"user": "{toast}!", "assistant": said, "shows": ["sheet", "tag"]},
            {"user": "So {habit}.", "assistant": "Fine."},
        ],
    )
    implied = {
        "about": "pup",
        "attribute": "keeper",
        "value": "{owner}'s [dog|pet]",
        "competitors": ["{pup}'s", "a stray", "nobody's"],
        "ask": ["Whose is {pup}?"],
        "entailed_by": ["first.toast", "first.habit"],
    }
    return PersonaFile.model_validate(
        {
            "id": "ana-vet",
            "name": "Ana",
            "profession": "vet",
            "summary": "A vet.",
            "traits": ["calm"],
            "style": "short",
            "core_event": "A dog gets well.",
            "domains": ["medicine"],
            "voice": voice,
            "entities": {
                "owner": {"kind": "person", "names": ["Omar"]},
                "pup": {"kind": "pet", "names": ["Rex"]},
            },
            "implied": {"keeper": implied},
            "cards": [first, _card("second")],
            **more,
        }
    )


def _randoms(*purpose: str) -> Random:
    return Random("/".join(purpose))


def _world(persona: PersonaFile, seed: int = 7) -> World:
    """A world in which every card of a persona happens, so far apart that stages keep gaps."""
    cards = [part for card in (*persona.cards, *persona.side) for part in parts_of(card, {})]
    days = [date(2024, 1, 1) + timedelta(weeks=5 * n) for n in range(len(cards))]
    cast = [
        CastCard(card, EventLine.CORE, n, day, day, {})
        for n, (card, day) in enumerate(zip(cards, days, strict=True), start=1)
    ]
    return WorldMaker(persona, lambda *purpose: _randoms(str(seed), *purpose)).make(cast)


def _raw(document: JsonValue) -> Iterator[str]:
    """Every text in a document that holds a slot or a choice; a kept template may."""
    if isinstance(document, str):
        yield from [document] if RAW.search(document) else []
    elif isinstance(document, list):
        for one in document:
            yield from _raw(one)
    elif isinstance(document, dict):
        texts = [each for name, each in document.items() if name != "template"]
        yield from _raw([*document, *texts])


def _raw_in(world: World) -> list[str]:
    return [
        text for one in (*world.events, *world.facts) for text in _raw(one.model_dump(mode="json"))
    ]


@pytest.mark.parametrize("name", known_personas())
def test_worlds_of_personas_that_ship_hold_no_slots(name: str) -> None:
    """Whatever card is told and whatever is drawn, every value is said in full."""
    persona = load_persona(PERSONAS / f"{name}.yaml")
    assert _raw_in(_world(persona)) == []


def test_values_are_expanded_wherever_they_stand() -> None:
    """Names in values of facts, cells, lines, steps and unstated facts are filled in."""
    world = _world(_persona())
    assert _raw_in(world) == []
    said = {fact.attribute: fact.value.text for fact in world.facts}
    assert said["toast"] == "to Omar"
    assert said["habit"] == "Omar walks Rex"
    assert said["keeper"] in {"Omar's dog", "Omar's pet"}
    assert said["Rex/who"] in {"Omar's", "of Omar"}
    assert said["Note"] in {"keep dry", "no sun"}


def test_telling_and_questions_hold_no_slots(tmp_path: Path) -> None:
    """What is said, shown, asked and answered is expanded too: keys of steps, competitors."""
    persona, world = _persona(), _world(_persona())
    personas = Personas([], tmp_path)
    personas.by_id[persona.id] = persona
    records: list[Any] = [persona_of(persona), *world.events, *world.facts]
    wanted = {"ss": 2, "th": 1, "ii": 1, "mr": 2, "fm": 1}
    for stage in (DialogueStage("m3exam", personas), QuestionStage(KINDS, personas, wanted)):
        context = UnitContext(7, stage.name, persona.id, BlobFolder(tmp_path))
        records += [*stage.run(records, context)]
    bundle = Bundle.from_records(records)
    assert {item.benchmark_type for item in bundle.questions} >= {"ss", "th"}
    assert [text for one in records for text in _raw(one.model_dump(mode="json"))] == []


def test_flaws_are_planted_without_slots() -> None:
    """A wrong value, and what is borrowed from another life, names people too."""
    persona = _persona()
    toasts = {"one_of": ["to {owner}", "to {pup}", "to all"]}
    first = persona.cards[0]
    toast = first.facts["toast"].model_copy(
        update={"value": first.facts["toast"].value.model_validate(toasts)}
    )
    card = first.model_copy(update={"facts": {**first.facts, "toast": toast}})
    persona = persona.model_copy(update={"cards": [card, *persona.cards[1:]]})
    world = _world(persona)
    facts = {fact.id: fact for fact in world.facts}
    wrong = [
        one.wrong
        for seed in range(9)
        for one in misstatements(persona, world.events, facts, Random(seed))
    ]
    lives = OtherLives(persona, [persona], set())
    day = date.fromisoformat(world.events[0].day)
    borrowed = [text for seed in range(9) for text in lives.exchange(Random(seed), day)]
    assert wrong
    assert [text for text in (*wrong, *borrowed) if RAW.search(text)] == []


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("summary", {"summary": "A vet and {owner}."}),
        ("cards.0.keyword", {"cards": [_card("first", keyword="{pup}")]}),
        (
            "cards.0.images.tag.columns",
            {
                "cards": [
                    _card(
                        "first",
                        images={"tag": {**IMAGE, "columns": {"{pup}": {"number": [1, 9, 1]}}}},
                    )
                ]
            },
        ),
    ],
)
def test_texts_that_are_never_expanded_take_no_slots(field: str, more: dict[str, Any]) -> None:
    """A slot where nothing fills it is refused when the file is read."""
    with pytest.raises(ValueError, match="expected a text without slots") as caught:
        _persona(**more)
    assert field in str(caught.value)


def test_a_value_takes_names_only() -> None:
    """A fact inside a value would be seen where no mention notes it: the checker says so."""
    assert persona_problems(_persona()) == []
    fact = {"about": "pup", "attribute": "cry", "value": {"text": "so {toast}"}}
    persona = _persona()
    first = persona.cards[0]
    facts = {**first.facts, "habit": first.facts["habit"].model_validate(fact)}
    cards = [first.model_copy(update={"facts": facts}), *persona.cards[1:]]
    bad = persona.model_copy(update={"cards": cards})
    assert persona_problems(bad) == [
        "first.facts.habit: expected names only in a value, got {toast}"
    ]
    with pytest.raises(UsageError, match=r"expected a value for \{toast\}"):
        _world(bad)


@pytest.mark.parametrize(
    ("text", "certain"),
    [("It went up {when}.", True), ("{date}, at last.", True), ("[It went up {when}.|]", False)],
)
def test_a_card_says_its_day_for_certain_or_not(text: str, certain: bool) -> None:
    """Whichever choices are made, the day is said, or else the user adds it."""
    rounds = [{"user": text, "assistant": "Good."}, {"user": "Yes.", "assistant": "Fine."}]
    assert says_day(CardSpec.model_validate(_card("lamp", rounds=rounds))) is certain


def test_a_day_is_said_as_people_do_and_noted(tmp_path: Path) -> None:
    """A card that happens on the day of its session says `today`, which is its date."""
    rounds = [{"user": "It went up {when}.", "assistant": "Good."}, _card("x")["rounds"][1]]
    cards = [_card("lamp", rounds=rounds), _card("second")]
    persona = _persona(cards=cards, implied={})
    world, personas = _world(persona), Personas([], tmp_path)
    personas.by_id[persona.id] = persona
    context = UnitContext(7, "dialogue", persona.id, BlobFolder(tmp_path))
    records = [persona_of(persona), *world.events, *world.facts]
    bundle = Bundle.from_records(
        [*records, *DialogueStage("m3exam", personas).run(records, context)]
    )
    first = bundle.conversation.sessions[0].rounds[0].turns[0]
    dates = [one for one in bundle.mentions if one.turn == first.id]
    assert [first.text[slice(*(one.span or []))] for one in dates] == ["today"]
