"""The independent reader's parts: values, sentences, layout, colours, answers in words."""

import io

import pytest
from PIL import Image, ImageDraw
from reader_choices import chosen, split_options
from reader_compare import same
from reader_layout import beside, cell, keyed, lying_pairs, phrases, plan_pairs, upright_pairs
from reader_ocr import Word
from reader_pixels import Box, components, merged
from reader_release import ReadRound
from reader_said import detail, moment
from reader_scenes import objects_of
from reader_several import before_and_after, changed_by, followed, labels_of
from reader_text import Weights, echoes
from reader_values import amount, clocks_in, days_in, kind_of, numbers_in


def _round(name: str, *turns: str, date: str = "2024-05-02") -> ReadRound:
    return ReadRound(name, date, turns, ())


def _words(*placed: tuple[str, int, int]) -> list[Word]:
    """Words of ten pixels a letter and fifteen in height, by their left end and top."""
    return [
        Word(text, Box(left, top, left + 10 * len(text), top + 15)) for text, left, top in placed
    ]


@pytest.mark.parametrize("said", ["14 March 2025", "March 14, 2025", "14 Mar 2025", "2025-03-14"])
def test_a_day_is_read_in_every_usual_form(said: str) -> None:
    """A calendar day is found whatever way it is written."""
    assert [one.value for one in days_in(f"It was {said}, a Friday.")] == ["2025-03-14"]


def test_a_day_that_does_not_exist_is_no_day() -> None:
    """The thirtieth of February is not read as a date."""
    assert days_in("on 30 February 2025") == []


def test_numbers_of_dates_and_times_are_no_amounts() -> None:
    """Only what is neither part of a day nor of a time counts as a number."""
    text = "On 14 March 2025 at 08:30 he weighed 4.20 kg."
    assert [one.value for one in numbers_in(text)] == ["4.2"]
    assert [one.value for one in clocks_in(text)] == ["08:30"]


def test_a_unit_is_not_the_beginning_of_a_word() -> None:
    """`5 g` is not found in `5 guests`."""
    assert numbers_in("5 guests ate 7 g", "g")[0].value == "7"


@pytest.mark.parametrize(
    ("value", "kind"),
    [("2024-01-31", "day"), ("09:05", "clock"), ("22.0 cm", "number"), ("a lamp", "phrase")],
)
def test_the_kind_of_a_gold_is_seen_from_its_form(value: str, kind: str) -> None:
    """Days, times, numbers and phrases are told apart."""
    assert kind_of(value) == kind


def test_two_numbers_are_no_amount() -> None:
    """An amount is one number and its unit."""
    assert amount("22.0 cm") == ("22", "cm")
    assert amount("201 1") is None


@pytest.mark.parametrize(
    ("gold", "read", "alike"),
    [
        ("2025-04-18", "18 April 2025", True),
        ("22.0 cm", "22", True),
        ("22.0 cm", "22 kg", False),
        ("QC04", "QCO4", True),
        ("folding chairs", "folding chalrs", True),
        ("folding chairs", "candles", False),
    ],
)
def test_answers_are_compared_by_what_they_say(gold: str, read: str, alike: bool) -> None:
    """Values count by value, words by letters that look alike."""
    assert same(gold, read) is alike


def test_an_echo_is_the_longest_run_said_twice() -> None:
    """What the assistant takes up of the user's words is found as a whole."""
    turns = ("I bought a felt python, really.", "Keep a felt python away from cats.")
    assert "a felt python" in echoes(turns)
    assert "felt python" not in echoes(turns)


def test_a_detail_is_taken_from_the_sentence_that_fits() -> None:
    """Of two numbers of one unit, the question's words decide."""
    rounds = [_round("D1:1", "The cut was 22 cm long. The bandage reached 80 cm.", "Good.")]
    weights = Weights(rounds)
    assert detail("How long was the cut?", "number", "22 cm", rounds, weights) == "22"


def test_a_phrase_is_what_both_say() -> None:
    """A phrase of the answer that the question does not hold is singled out."""
    rounds = [_round("D1:1", "Out came a baby's dummy.", "Measure a baby's dummy first.")]
    weights = Weights([*rounds, *(_round(f"D2:{at}", "Nothing new.") for at in range(1, 9))])
    assert detail("What came out?", "phrase", "", rounds, weights) == "a baby's dummy"


def test_a_change_is_read_in_the_order_of_time() -> None:
    """The first cited round holds the old value, the last one the new."""
    rounds = [
        _round("D1:1", "The rent is 510 CNY.", "Noted."),
        _round("D4:1", "The rent rose from 510 CNY to 560 CNY.", "Noted."),
    ]
    question = "What was Wei's rent to begin with, and what did it change to?"
    golds = ("510 CNY", "560 CNY")
    assert before_and_after(question, golds, "number", rounds, Weights(rounds)) == ["510", "560"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many days were there between the visit and the move?", "14 days"),
        ("How many weeks passed from the visit to the move?", "2 weeks"),
        ("Of the visit and the move: on what date was the one that came last?", "2024-05-16"),
    ],
)
def test_dates_are_compared_by_calendar(question: str, answer: str) -> None:
    """Distances and extremes are worked out from the days that the rounds give."""
    rounds = [
        _round("D1:1", "The visit was on 2 May 2024.", "Noted."),
        _round("D2:1", "The move fell on 16 May 2024.", "Noted.", date="2024-05-16"),
    ]
    assert moment(question, rounds, Weights(rounds)) == answer


def test_a_slipped_plan_is_read_from_the_day_ahead() -> None:
    """What the first round names for later is held against the day on which it came."""
    rounds = [
        _round("D1:1", "We mean to move on 16 May 2024.", "Noted.", date="2024-05-02"),
        _round("D2:1", "The move fell on 19 May 2024.", "Noted.", date="2024-05-20"),
    ]
    assert moment("How many days behind plan was the move?", rounds, Weights(rounds)) == "3 days"


@pytest.mark.parametrize(("which", "letter"), [("first", "B"), ("last", "A")])
def test_a_moment_is_chosen_by_the_days_of_events(which: str, letter: str) -> None:
    """Each option is dated by the round that tells it."""
    days = {"the old move": 16, "the long visit": 2, "the chess match": 7, "the broken lamp": 9}
    rounds = [
        _round(f"D{at}:1", f"Here comes {title}: {day} May 2024.", "Noted.", date="2024-06-01")
        for at, (title, day) in enumerate(days.items(), start=1)
    ]
    listed = " ".join(f"{one}. {title}" for one, title in zip("ABCD", days, strict=True))
    assert chosen(f"Which of these came {which}? {listed}", rounds, Weights(rounds)) == letter
    asked = f"Of these, which was the {which} to happen? {listed}"
    assert chosen(asked, rounds, Weights(rounds)) == letter


def test_a_choice_is_the_option_its_round_holds() -> None:
    """The letter is that of the value read in the cited round."""
    rounds = [_round("D1:1", "He weighed 324 g at last.", "Noted.")]
    question = "What did he weigh? A. 44 g B. 324 g C. 31 g D. 880 g"
    assert chosen(question, rounds, Weights(rounds)) == "B"
    assert split_options(question)[1]["D"] == "880 g"


def test_lying_bars_give_labels_and_numbers_but_no_ticks() -> None:
    """Numbers level with a label are its value; the row at the bottom is the axis."""
    words = _words(
        ("Dogs", 20, 100), ("76", 200, 100), ("Cats", 20, 150), ("134", 300, 150),
        ("0", 100, 200), ("50", 200, 200), ("100", 300, 200),
    )  # fmt: skip
    pairs = lying_pairs(phrases(words))
    assert {label: int(number) for label, number in pairs.items()} == {"Dogs": 76, "Cats": 134}


def test_upright_bars_give_labels_and_numbers_but_no_ticks() -> None:
    """Numbers above a label are its value; those left of the first slot are the axis."""
    words = _words(
        ("40", 30, 100), ("20", 30, 200), ("Mon", 100, 300), ("Tue", 200, 300),
        ("Wed", 300, 300), ("31", 105, 120), ("22", 205, 180), ("18", 305, 190),
    )  # fmt: skip
    pairs = upright_pairs(phrases(words))
    assert {label: int(one) for label, one in pairs.items()} == {"Mon": 31, "Tue": 22, "Wed": 18}


def test_a_plan_gives_the_area_below_each_name() -> None:
    """A number belongs to the name above it."""
    words = _words(("Stage", 100, 100), ("43", 100, 125), ("m2", 132, 125), ("Buffet", 300, 100))
    assert {k: int(v) for k, v in plan_pairs(phrases(words)).items()} == {"Stage": 43}


def test_a_cell_stands_where_row_and_column_meet() -> None:
    """A table is read by its heading and its first column."""
    words = _words(
        ("Owner", 200, 20), ("Clinic", 350, 20), ("Pain", 20, 60), ("10", 215, 60),
        ("9", 370, 60), ("Walking", 20, 100), ("6", 220, 100), ("8", 370, 100),
    )  # fmt: skip
    assert cell(phrases(words), "Walking", "Clinic") == "8"


def test_a_receipt_gives_the_amount_at_the_right() -> None:
    """The amount of an item stands at the end of its line."""
    words = _words(("Nuts", 20, 20), ("9.20", 200, 20), ("EUR", 250, 20), ("Tea", 20, 50))
    assert beside(phrases(words), "Nuts") == "9.20 EUR"


def test_a_key_gives_its_value_beside_or_below() -> None:
    """A colon sets the value in the line, no colon sets it below."""
    words = _words(
        ("Hall:", 20, 20), ("Curlew", 150, 20), ("Seat", 20, 60), ("Coach", 200, 60),
        ("87", 20, 82), ("11", 200, 82),
    )  # fmt: skip
    found = phrases(words)
    assert (keyed(found, "hall"), keyed(found, "coach")) == ("Curlew", "11")


def test_regions_touch_across_corners() -> None:
    """Pixels that meet at a corner are one region; others are not."""
    mask = bytes([0, 0, 0, 1, 1, 0, 0, 0])
    assert [pixels for _, pixels in components(mask, 4)] == [1, 1]
    assert [pixels for _, pixels in components(bytes([1, 0, 0, 1]), 2)] == [2]


def test_overlapping_boxes_are_united() -> None:
    """A ring and what lies in it are one object."""
    boxes = [Box(0, 0, 20, 20), Box(5, 5, 15, 15), Box(40, 0, 50, 10)]
    assert merged(boxes) == [Box(0, 0, 20, 20), Box(40, 0, 50, 10)]


def test_objects_are_counted_by_colour() -> None:
    """Balls of one colour are counted, ringed ones once, other colours not."""
    picture = Image.new("RGB", (300, 100), "#efe3cd")
    canvas = ImageDraw.Draw(picture)
    for x in (10, 60, 110):
        canvas.ellipse((x, 30, x + 40, 70), fill="#2f6fd0", outline="#1b4488", width=2)
    canvas.ellipse((120, 40, 140, 60), outline="#ffffff", width=4)
    canvas.ellipse((200, 30, 240, 70), fill="#cf2e2e")
    encoded = io.BytesIO()
    picture.save(encoded, "PNG")
    assert len(objects_of(encoded.getvalue(), "blue")) == 3
    assert len(objects_of(encoded.getvalue(), "red")) == 1


@pytest.mark.parametrize(
    "question",
    [
        "What was Mia's weight at first sight, and what was it in May?",
        "Remind me, what was Mia's weight at first sight, and what in May?",
        "What was Mia's weight at first sight and in May?",
    ],
)
def test_two_occasions_are_asked_for_in_several_forms(question: str) -> None:
    """Every form gives the labels of both; a question about one of them gives none."""
    assert labels_of(question, 2) == ("Mia's weight at first sight", "Mia's weight in May")
    assert labels_of("What was Mia's weight in May?", 1) == ()


def test_a_list_is_asked_for_member_by_member() -> None:
    """As many members as there are values; with another number it is no list."""
    question = "What did Mia, Bo and the old cat eat? Name one for each."
    assert labels_of(question, 3) == ("What did Mia", "Bo", "the old cat eat")
    assert labels_of(question, 2) == ()


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("By how much did the dose go up when it was revised?", "3.6 g", "3.6 g"),
        ("By how many days was the visit put off?", "5 days", "5 days"),
    ],
)
def test_a_change_has_a_size(question: str, gold: str, answer: str) -> None:
    """How far a value went is taken between the first and the last round, the right way round."""
    rounds = [
        _round("D1:1", "The dose is 16.3 g for a yield of 41.5 g. The visit is on 3 May 2024."),
        _round("D2:1", "The dose is 19.9 g now, the visit on 8 May 2024; the yield stays 41.5 g."),
    ]
    assert changed_by(question, gold, rounds, Weights(rounds)) == answer


def test_a_detail_leads_by_its_name_to_another() -> None:
    """Who has the known detail is found by the name that both rounds say."""
    rounds = (_round("D1:1", "We gave Mia clam juice."), _round("D2:1", "Today Mia got a post."))
    question = "I only remember that its first food was clam juice. What is that animal's post?"
    assert followed(question, rounds) == ("What is Mia's post?", rounds[1:])
