"""The independent reader on single dialogues, and on types that it does not read."""

import io
from dataclasses import replace

import pytest
from independent_reader import not_read, passes
from PIL import Image
from reader_dialogues import pictured, read_dialogue
from reader_release import Item, ReadRound, Shown
from reader_shown import Gallery


def _png() -> bytes:
    encoded = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(encoded, "PNG")
    return encoded.getvalue()


def _round(number: int, said: str, reply: str = "Good.", *captions: str) -> ReadRound:
    shown = tuple(Shown(f"D1:IMG_{number:03}", one, None, _png()) for one in captions)
    return ReadRound(f"D1:{number}", None, (said, reply), shown)


DIALOGUE = [
    _round(1, "The start is at 09:25. I paid 22 EUR as the entry fee.", "Fine.", "the race ticket"),
    _round(2, "My colleague lent me a head torch, it needs a good wipe.", "Clean the head torch."),
    _round(3, "The start was moved from 09:25 to 10:35.", "Noted.", "the receipt from the shop"),
    _round(4, "Somebody lent me a whistle. Lunch was 14 EUR.", "Nice.", "the receipt for lunch"),
    _round(5, "They now want us at 08:30 instead of 10:35.", "Set an alarm."),
]
LETTERS = (("A", "10:35"), ("B", "08:30"), ("C", "09:25"), ("D", "07:00"))
TRUTH = (("True", "True"), ("False", "False"))


def _item(code: str, question: str, options: tuple[tuple[str, str], ...] = ()) -> Item:
    form = "choice" if options else "free"
    return Item("x/1", "x", code, question, (), (), form, options)


@pytest.mark.parametrize(
    ("question", "options", "answer"),
    [
        ("In the end, what is the time of the start?", (), "08:30"),
        ("At what time is the start by the end? Choose one.", LETTERS, "B"),
        ("In the end, the time of the start is 10:35. True or false?", TRUTH, "False"),
        ("Decide whether this is true or false: the time of the start is 08:30.", TRUTH, "True"),
    ],
)
def test_the_latest_state_is_the_end_of_its_changes(
    question: str, options: tuple[tuple[str, str], ...], answer: str
) -> None:
    """Each change names what was so before, also where it does not say what it is about."""
    assert read_dialogue(_item("IU", question, options), DIALOGUE, Gallery()) == (answer,)


@pytest.mark.parametrize(
    ("question", "options", "answer"),
    [
        ("How much did the user pay as the entry fee?", (), "22 EUR"),
        ("What was the price of the lunch? Which option is right?", (("A", "14 EUR"),), "A"),
        ("The price of the lunch is 15.50 EUR. True or false?", TRUTH, "False"),
    ],
)
def test_a_detail_is_the_value_beside_its_words(
    question: str, options: tuple[tuple[str, str], ...], answer: str
) -> None:
    """The unit asked for says which values count, the words around them which one is meant."""
    assert read_dialogue(_item("MR", question, options), DIALOGUE, Gallery()) == (answer,)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many bees are in the hive?", "900 bees"),
        ("How heavy is the hive?", "31 kg"),
        ("How much did the hive cost?", "140 CHF"),
        ("How long did the hive take?", "50 minutes"),
        ("How far away is the hive?", "6 m"),
    ],
)
def test_a_number_is_of_the_unit_that_a_question_names_or_means(question: str, answer: str) -> None:
    """Among numbers beside the same words, its unit says which one is asked for."""
    said = "My hive has 900 bees, 31 kg in all, took 50 minutes, was 140 CHF and is 6 m away."
    item = replace(_item("MR", question), form="number")
    assert read_dialogue(item, [_round(1, said)], Gallery()) == (answer,)


@pytest.mark.parametrize(
    ("question", "form", "answer"),
    [
        ("Which pictures show receipts?", "image_id", ("D1:IMG_003", "D1:IMG_004")),
        ("Which ones in order show receipts?", "number", ("2", "3")),
        ("Where in the row of pictures is the race ticket?", "number", ("1",)),
        ("Which pictures show timers?", "image_id", ()),
    ],
)
def test_pictures_are_named_by_id_or_place(
    question: str, form: str, answer: tuple[str, ...]
) -> None:
    """Which pictures show something is seen from captions, their places counted from one."""
    assert pictured(question, form, DIALOGUE, Gallery()) == answer


def test_types_that_are_not_read_are_counted() -> None:
    """They are listed by type, and no bar counts them."""
    items = [_item(code, "Which?") for code in ("CR", "MR", "KR", "CR")]
    assert not_read(items) == {"CR": 2, "KR": 1}


def test_each_type_that_is_there_has_its_bar() -> None:
    """Abilities of single dialogues have a lower one; one below it fails."""
    assert passes({"MR": _row(86), "ss": _row(96)})
    assert not passes({"MR": _row(86), "ss": _row(90)})
    assert not passes({"MR": _row(86)}, 0.9)


def test_types_of_few_questions_are_held_to_their_bars_together() -> None:
    """Two misses of eight are no failure beside twelve right ones of another small type."""
    assert passes({"fj": _row(6, of=8), "ms": _row(12, of=12)}, 0.8)
    assert not passes({"fj": _row(5, of=8), "ms": _row(9, of=12)}, 0.8)


def _row(right: int, of: int = 100) -> dict[str, float]:
    return {"n": of, "right": right, "share": right / of}


def test_an_opinion_changes_to_the_name_that_is_new_to_it() -> None:
    """Of two names in a sentence that was replaced which was the favourite, whatever came first."""
    rounds = [
        _round(1, "I ran on the canal path today."),
        _round(2, "I keep coming back to the reservoir round, it's my favourite route."),
        _round(3, "After a second visit the canal path is dearer to me than the reservoir round."),
    ]
    asked = _item("IU", "Which is the favourite route of the user? Take the latest state.")
    assert read_dialogue(asked, rounds, Gallery()) == ("the canal path",)


@pytest.mark.parametrize(
    ("what", "answer"), [("labels of disks", ("1", "2")), ("charts", ("3",)), ("clocks", ())]
)
def test_pictures_of_a_kind_are_those_whose_captions_say_all_its_words(
    what: str, answer: tuple[str, ...]
) -> None:
    """The words of the kind, without endings, are in the caption."""
    captions = ("the label on the new disk", "the label on the old disk", "the chart of the files")
    rounds = [_round(1, "Look.", "Yes.", *captions)]
    assert pictured(f"Which of them show {what}?", "number", rounds, Gallery()) == answer
