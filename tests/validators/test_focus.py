"""What a question asks for of what it is about."""

import pytest

from memassay.validators.items.ended.focus import Focus, focus_of


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("Which working title did the paper have?", Focus("", "title")),
        ("Which kind of boat does Ann own?", Focus("", "boat")),
        ("Which bus leads to the mill?", Focus("", "bus")),
        ("What is the weight of the captain's jacket?", Focus("", "weight")),
        ("What is Juno's espresso dose?", Focus("", "dose")),
        ("What is the largest load the crane's sign allows?", Focus("", "load")),
        ("What is Ann's budgie called?", Focus("", "budgie")),
        ("How is the ferry named?", Focus("", "ferry")),
        ("What is the name of Ann's budgie?", Focus("", "budgie")),
        ("What does Ann's budgie eat?", Focus("", "eat")),
        ("What did Ann pay for the pass?", Focus("", "pay")),
        ("Who conducts the choir?", Focus("person", "conducts")),
        ("Who is Ann dating?", Focus("person", "dating")),
        ("Who is teaching the class?", Focus("person", "teaching")),
        ("Where does Bo work on Sundays?", Focus("place", "work")),
        ("How large was the image at first?", Focus("number", "size")),
        ("For how many weeks was it let?", Focus("number", "weeks")),
        ("How much did the kayak cost?", Focus("number")),
        ("On which day is the fair?", Focus("date")),
        ("What was the first date of the repair?", Focus("date")),
        ("Until when is the card valid?", Focus("date")),
        ("Why was the fair called off?", Focus("reason")),
        ("Does Ann still keep bees?", Focus("truth")),
        ("The rent was revised once.", Focus("")),
    ],
)
def test_the_focus_of_a_question(question: str, focus: Focus) -> None:
    """The noun after "which" or a form of "be", the verb, the property of an adjective."""
    assert focus_of(question) == focus
