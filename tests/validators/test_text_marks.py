"""Marks of templates are found in every text of a release, and ordinary text is left alone."""

from typing import Any

import pytest
from support.fixtures import TALK, asset, attached, fact, item, said, scene, session, utterance

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Profile, Speaker, SpeakerKind
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import AnswerFormat, AnswerOption
from memassay.validators.check import RULES, check

TEXT_RULES = [rule for rule in RULES if rule.id.startswith("text.")]
MARK = "the {pet_name} sleeps"
ANN = Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN, profile=Profile(summary=MARK))
PERSONA = Persona(
    id=f"{TALK}/persona",
    conversation=TALK,
    name="Ann",
    profession="keeper",
    summary="Ann keeps bees.",
    core_event="A hive.",
    traits=[MARK],
)
SHOWN = session(1, utterance("D1:1", "Look.", attachments=[attached("D1:IMG_001", caption=MARK)]))


def _found(*records: Any, **more: Any) -> list[tuple[Severity, str]]:
    bundles = scene(*records, **more).bundles
    return [(each.severity, each.pointer) for each in check(bundles, RuleContext(), TEXT_RULES)]


@pytest.mark.parametrize(
    ("records", "more", "place"),
    [
        pytest.param([], {"sessions": [said(MARK)]}, "/rounds/0/turns/0/text", id="turn"),
        pytest.param([], {"sessions": [SHOWN]}, "/attachments/0/caption", id="caption"),
        pytest.param([], {"speakers": [ANN]}, "/speakers/0/profile/summary", id="profile"),
        pytest.param([], {"title": MARK}, "/title", id="title"),
        pytest.param([PERSONA], {}, "/traits/0", id="persona"),
        pytest.param([item(MARK)], {}, "/question/text", id="question"),
        pytest.param([item(values=[MARK])], {}, "/answer/values/0", id="answer"),
        pytest.param(
            [
                item(
                    values=["A"],
                    format=AnswerFormat.CHOICE,
                    options=[AnswerOption(label="A", text=MARK)],
                )
            ],
            {},
            "/answer/options/0/text",
            id="option",
        ),
        pytest.param([item(traps=[MARK])], {}, "/answer/traps/0", id="trap"),
        pytest.param([fact(text=MARK)], {}, "/value/text", id="fact"),
        pytest.param([fact(statement=MARK)], {}, "/statement", id="statement"),
        pytest.param([asset(transcription=MARK)], {}, "/transcription", id="pixels"),
    ],
)
def test_a_slot_is_found_wherever_it_stands(
    records: list[Any], more: dict[str, Any], place: str
) -> None:
    """The pointer leads to the text that holds it."""
    ((severity, pointer),) = _found(*records, **more)
    assert severity is Severity.ERROR
    assert pointer.endswith(place)


@pytest.mark.parametrize(
    "text",
    [
        "{daughter} sits",
        "Hello {{ user.name }}!",
        "{0} and {}",
        "{value:number} kg",
        "costs ${price}",
        "%s weighs %(weight)s",
        "%.2f kg",
        "{% if pet %}a dog",
        "<%= name %>",
        "[Let her hold up the cards|Hire her as examiner], too",
        "<|im_end|>",
        "[INST] Say",
        "Lorem ipsum dolor",
        "FIXME the date",
        "It was\n```\ncode\n```\nand {then}",
    ],
)
def test_marks_of_templates_are_errors(text: str) -> None:
    """Slots of every usual template language, and of chat templates."""
    assert [severity for severity, _ in _found(sessions=[said(text)])] == [Severity.ERROR]


@pytest.mark.parametrize(
    "text",
    [
        "Dear [NAME],",
        "Meet <first name> at noon",
        "TODO write this",
        "[insert date here]",
        "It was at XX:XX, so.",
    ],
)
def test_marks_to_be_filled_in_are_doubtful(text: str) -> None:
    """A letter somebody drafts may hold them, so a person looks."""
    assert [severity for severity, _ in _found(sessions=[said(text)])] == [Severity.WARNING]


@pytest.mark.parametrize(
    "text",
    [
        "The class of `{}` and `{name}` is dict.",
        "```python\nprint(f'{name}')\n```",
        "Use \\frac{a}{b} and x^{n}, e_{i}.",
        "A set {1, 2, 3} or {'a': 1}",
        "100% sure, 20%discount, 5 % off, 50%.",
        "[laughs] See [1] and [removed]; <bo> is M2A's name of a concept; 3 < 4 > 2",
        "[shares a photo holding a videogame controller]",
        "Dear ___, my todo list: name, date, place.",
        "It costs $5 or $(5).",
        "What is placeholder text? Who is Nan?",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Code in back quotes, TeX, sets, prices, stage directions and cited numbers are no marks."""
    assert _found(sessions=[said(text)]) == []


def test_published_conversations_hold_none(real_data: Any) -> None:
    """Not one false alarm on Mem-Gallery and LoCoMo; one gold has a space of no width in it."""
    from support.release_builder import MemoryBlobs

    from memassay.exports.formats.registry import FORMATS

    blobs, found = MemoryBlobs(), []
    for name in ("mem-gallery", "locomo"):
        for source in FORMATS[name].sources(real_data / name):
            bundle = FORMATS[name].read(source, blobs, "CC0-1.0").bundle
            found += check([bundle] if bundle else [], RuleContext(), TEXT_RULES)
    assert [(each.rule, each.target) for each in found] == [("text.control", "conv-49/Q0020")]


@pytest.mark.parametrize(
    "text",
    [
        "{BEES came by.",
        "BEES} came by.",
        "\uff5bpet_name\uff5d came by.",
        "{pet_name\uff5d came by.",
        "It is {a}, BEES} and b.",
    ],
)
def test_half_a_slot_of_the_world_is_found(text: str) -> None:
    """One brace beside a name of its ledger, and braces of other widths."""
    known = fact()
    words = text.replace("BEES", known.subject)
    assert Severity.ERROR in {each[0] for each in _found(known, sessions=[said(words)])}


@pytest.mark.parametrize("text", ["{BEES, she said", "a } BEES", "{ BEES is a name"])
def test_a_stray_brace_is_no_slot(text: str) -> None:
    """Beside words that the world does not know, or apart from those that it does."""
    known = fact()
    words = text.replace("{BEES", "{sheep").replace("BEES", known.subject)
    assert _found(known, sessions=[said(words)]) == []


@pytest.mark.parametrize("text", ["it \x1b[31mburns", "nothing\x00 here", "`\x7f`"])
def test_a_control_character_is_an_error(text: str) -> None:
    """It breaks readers, terminals and databases; tabs and line ends are none."""
    assert [severity for severity, _ in _found(sessions=[said(text)])] == [Severity.ERROR]
    assert _found(sessions=[said("one\ttwo\r\nthree")]) == []


def test_the_mark_of_a_redacted_key_is_an_error() -> None:
    """A sentence that lost words on the way is none to release."""
    assert [severity for severity, _ in _found(sessions=[said("Use [key redacted], please.")])] == [
        Severity.ERROR
    ]


@pytest.mark.parametrize(
    ("mark", "named"), [("\u200b", "U+200B (zero width space)"), ("\x1b", "U+001B")]
)
def test_a_character_that_nobody_sees_is_named(mark: str, named: str) -> None:
    """By its code, and by its name if it has one."""
    of = scene(sessions=[said(f"It is {mark}red.")])
    (found,) = check(of.bundles, of.context, [RULES["text.control"]])
    assert found.message.endswith(f"got '{named}'")
