"""Forms of questions beside the open one: a choice of four, and a statement that is true or not."""

from collections.abc import Sequence
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import FactValue
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.mmrc.deck import LETTERS, Asked
from memassay.synth.questions.drafts import Draft, Option, Query

TRUTH: Final = (("True", "true"), ("False", "false"))
"""Label of a statement's truth, and what the query says for it."""
CHOICES: Final = (
    "{ask}",
    "{ask} Choose one.",
    "{ask} Which option is right?",
    "{ask} Pick one of the options.",
    "Choose the right option. {ask}",
    "Pick the answer that fits. {ask}",
    "{ask} Select the right answer.",
    "Which option is correct? {ask}",
    "{ask} One option is correct.",
    "Give the letter of the right option. {ask}",
)
"""Wordings of a choice around what is asked."""
AS_ASKED: Final = ("{ask}",)
"""Of a choice whose question has words around it already."""
STATEMENTS: Final = (
    "Is it true that {claim}?",
    "True or false? {Claim}.",
    "{claim}. True or false?",
    "True or false: {claim}.",
    "Is this true or false? {Claim}.",
    "By what the user said, is it true that {claim}?",
    "According to the conversation, is it true or false that {claim}?",
    "Judge this statement: {claim}.",
    "Going by the conversation, {claim}. Is that true or false?",
    "Decide whether this is true or false: {claim}.",
)
"""Wordings of a statement."""


def option_of(value: FactValue) -> Option:
    """A value as an option: as it is said, and as the query reads it."""
    return spoken_value(value), value.text


def choice(
    ask: str,
    of: Query,
    options: tuple[Option, Sequence[Option]],
    asked: Asked,
    about: tuple[str, ...],
    random: Random,
    wordings: Sequence[str] = CHOICES,
) -> Draft:
    """A choice of four.

    Args:
        ask: What is asked.
        of: What gives the value that the right option says.
        options: The right one, and three wrong ones.
        asked: Says which letter is right.
        about: Ids of the facts it is about.
        random: Shuffles the wrong options.
        wordings: Ways to put it.
    """
    right, wrong = options
    order = random.sample(list(wrong), len(wrong))
    order.insert(asked.place, right)
    placed = list(zip(LETTERS, order, strict=True))
    return Draft(
        _say(wordings, asked, ask=ask),
        {"op": "choose", "of": of, "options": {letter: value for letter, (_, value) in placed}},
        AnswerFormat.CHOICE,
        about,
        options=tuple((letter, shown) for letter, (shown, _) in placed),
    )


def statement(
    claim: str,
    of: Query,
    asked: Asked,
    about: tuple[str, ...],
    wordings: Sequence[str] = STATEMENTS,
) -> Draft:
    """A statement that is true or false.

    Args:
        claim: What it says, without its mark: `the warm dish is at 24 °C`.
        of: What gives its truth.
        asked: Whose turn it is.
        about: Ids of the facts it is about.
        wordings: Ways to put it.
    """
    return Draft(
        _say(wordings, asked, claim=claim, Claim=capital(claim)),
        {"op": "choose", "of": of, "options": dict(TRUTH)},
        AnswerFormat.CHOICE,
        about,
        options=tuple((label, label) for label, _ in TRUTH),
    )


def _say(wordings: Sequence[str], asked: Asked, **slots: str) -> str:
    return capital(wordings[asked.turn % len(wordings)].format(**slots))


def capital(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def is_or_are(phrase: str) -> str:
    """The verb of a noun phrase, by its head."""
    head = phrase.split(" for ")[0].split(" of ")[0].split()[-1]
    return "are" if head.endswith("s") and not head.endswith(("ss", "us", "is")) else "is"
