"""Texts that no person would have written there are found, and what people write is left alone."""

import pytest
from support.fixtures import fact, item, said, scene
from support.hygiene_cases import USUAL, among_usual

from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.conversation import Speaker, SpeakerKind
from memassay.validators.check import RULES, check
from memassay.validators.hygiene.written import LEAST_TEXTS

HYGIENE = [rule for rule in RULES if rule.id.startswith("hygiene.")]
PLAIN = [
    *USUAL,
    "Nothing, nothing, nothing, and then a green leaf.",
    "Take care!",
    "She said 'the end' and left. An A at 440 Hz is what I tune to.",
    "Wow, thanks! That means a lot. The glaze came out blue this time.",
]


def _found(text: str, *records: Record) -> list[str]:
    """The rules that a text breaks as the last utterance of an ordinary conversation."""
    bundles = among_usual(text, *records).bundles
    return sorted({each.rule for each in check(bundles, RuleContext(), HYGIENE)})


@pytest.mark.parametrize("text", PLAIN)
def test_what_people_write_is_left_alone(text: str) -> None:
    """No rule speaks of an ordinary utterance."""
    assert _found(text) == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("markup", "I went to the <b>market</b> with my sister."),
        ("markup", "Salt &amp; vinegar, as always."),
        ("markup", "It costs [b]40[/b] a night."),
        ("markdown", "I bought **three** of them."),
        ("markdown", "See [the page](https://example.org) for it."),
        ("model_itself", "My training data has no such recipe."),
        ("model_itself", "As an AI language model, I have no sister."),
        ("model_itself", "I’m just an AI, so I can’t taste it."),
        ("encoding", "I went to the m\u0430rk\u0435t with my sister."),
        ("voice_label", "User: I went home early."),
        ("voice_label", "I went home. Ann: And I stayed."),
        ("encoding", "It was a cafÃ© that Iâ€™d never seen."),
        ("encoding", "A caf\ufffd by the sea."),
        ("nothing", "..."),
        ("nothing", "null"),
        ("repeats_itself", "I went home early. I went home early."),
        ("repeats_itself", "I went home home home home early."),
        ("markdown", "I went home. *smiles and nods*"),
        ("voice_label", "I went home. [Assistant]: And then?"),
        ("repeats_itself", "I love sci-fi films, sci-fi films, sci-fi films, sci-fi films, too."),
        ("encoding", "It was so\u00adft, and I went home."),
        ("repeats_itself", "Yeah, Ann, yeah, Ann, yeah, Ann, yeah, Ann, small things count."),
        ("repeats_itself", "Ah, they're Ah, they're Ah, they're Ah, they're lovely."),
        ("language", "I was glad of it. Я пока не знаю, но завтра ещё раз спрошу."),
        ("language", "Gestern sind wir zusammen an den See gefahren und dort geblieben."),
        ("language", "昨天我们一起去了湖边，然后住了一晚。"),
    ],
)
def test_what_nobody_writes_is_found(rule: str, text: str) -> None:
    """Each kind of dirt is named by its rule."""
    assert f"hygiene.{rule}" in _found(text)


def test_names_in_angle_brackets_are_no_markup() -> None:
    """A concept of the conversation may be called as a tag is."""
    assert _found("We met <b> by the sea.", fact(subject="<b>", attribute="kind")) == []


def test_a_title_may_have_small_words_with_capitals() -> None:
    """The name of a project comes as often as people say it."""
    assert _found("The planning of Fix Your Flat led to the evening of Fix Your Flat.") == []


def test_a_quotation_may_be_in_another_language() -> None:
    """What somebody read on a sign keeps its language."""
    assert _found('The sign reads "Bitte den Rasen heute nicht betreten, danke schön".') == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**Yes, it is warm. Always check** the plug.", True),
        ("It is a **red plum**. The other one is a **white plum**.", False),
    ],
)
def test_bold_stresses_words_and_not_sentences(text: str, found: bool) -> None:
    """A chat window makes bold of words here and there."""
    helper = Speaker(id="help", name="Helper", kind=SpeakerKind.ASSISTANT)
    usual = [f"{USUAL[0]} Day {at} of it." for at in range(LEAST_TEXTS)]
    talk = said(*usual, text, speaker="help")
    bundles = scene(sessions=[talk], speakers=[helper]).bundles
    rules = [each.rule for each in check(bundles, RuleContext(), HYGIENE)]
    assert ("hygiene.markdown" in rules) is found


def test_questions_are_read_too() -> None:
    """A question is held to the same."""
    bundles = scene(item("What did <br> Ann buy?")).bundles
    assert [each.rule for each in check(bundles, RuleContext(), HYGIENE)] == ["hygiene.markup"]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("markdown", "**What does Ann keep?**"),
        ("language", "Responde brevemente a la siguiente pregunta: What does Ann keep?"),
        ("language", "Bitte auf Deutsch: What does Ann keep?"),
    ],
)
def test_a_question_asks_and_nothing_else(rule: str, text: str) -> None:
    """No label, no mark, no order in another language stands around it."""
    assert f"hygiene.{rule}" in _found("I went home.", item(text))


@pytest.mark.parametrize(
    ("rule", "gold"),
    [
        ("markdown", "**bees**"),
        ("markup", "<b>bees</b>"),
    ],
)
def test_a_gold_is_the_answer_and_nothing_else(rule: str, gold: str) -> None:
    """No label, no mark, no remark of who wrote it stands around it."""
    assert _found("I went home.", item(values=[gold])) == [f"hygiene.{rule}"]


@pytest.mark.parametrize("gold", ["bees (two hives)", "A. Milne", "At 5: the tram", "bees"])
def test_what_a_gold_says_is_left_alone(gold: str) -> None:
    """A bracket or a colon is no remark."""
    assert _found("I went home.", item(values=[gold])) == []


def test_an_address_is_no_lost_character() -> None:
    """The question mark of a link stands between letters."""
    assert _found("I saw it on https://example.org/watch?v=abc yesterday.") == []


def test_few_texts_have_nothing_usual() -> None:
    """A short conversation without full stops is how its people write."""
    bundles = scene(sessions=[said("no stops here", "none at all")]).bundles
    assert list(check(bundles, RuleContext(), HYGIENE)) == []
