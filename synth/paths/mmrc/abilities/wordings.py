"""Wordings of open questions around what a pack asks, ten of each ability, dealt in turn."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.queries.asked.words import run_of
from memassay.synth.paths.mmrc.abilities.forms import capital
from memassay.synth.paths.mmrc.deck import Asked

RECALLED: Final = (
    "{ask}",
    "Do you still remember? {ask}",
    "Please check what was said. {ask}",
    "Think back to the conversation. {ask}",
    "One detail from earlier: {inner}",
    "Going by what the user told you, {inner}",
    "Can you recall this? {ask}",
    "From the conversation, {inner}",
    "Please look this up in the conversation. {ask}",
    "As far as you know from the user, {inner}",
)
"""Around a detail, and around what nobody told, so that neither gives the other away."""
LISTED: Final = (
    "{ask}",
    "{ask} Name all of them.",
    "I need the whole list. {ask}",
    "Over the whole conversation, {inner}",
    "{ask} Count the pictures in, too.",
    "From texts and pictures together, {inner}",
    "Put together a list. {ask}",
    "Going through all messages, {inner}",
    "{ask} I need all of them.",
    "From the first message to the last, {inner}",
)
"""Around a list."""
JOINED: Final = (
    "{ask}",
    "Put together what was said. {ask}",
    "{ask} Work it out from the conversation.",
    "Taking several messages together, {inner}",
    "From all that the user told you, {inner}",
    "Going through what the user told you, {inner}",
    "Look at the conversation as a whole. {ask}",
    "Going by the whole conversation, {inner}",
    "Please work this out. {ask}",
    "If you put the pieces together, {inner}",
)
"""Around what several facts give together."""
LATEST: Final = (
    "In the end, {inner}",
    "By the end of the conversation, {inner}",
    "After all that was said, {inner}",
    "Going by the user's last word on it, {inner}",
    "At the end of the conversation, {inner}",
    "{ask} Go by the latest that the user said.",
    "After the last change, {inner}",
    "With every correction counted in, {inner}",
    "As of the last message, {inner}",
    "By the user's latest word, {inner}",
)
"""Around what changed."""
LATEST_CLAIMS: Final = (
    "In the end, is it true that {claim}?",
    "By the end of the conversation, is it true that {claim}?",
    "True or false? In the end, {claim}.",
    "At the end of the conversation, {claim}. True or false?",
    "After all that was said, is it true or false that {claim}?",
    "Going by the user's last word on it, is it true that {claim}?",
    "True or false: at the end of the conversation, {claim}.",
    "With every correction counted in, {claim}. True or false?",
    "Judge this statement: by the end, {claim}.",
    "When the conversation ends, {claim}. Is that true or false?",
)
"""Statements on what changed."""
DIFFERENCES: Final = (
    "What is the difference between {more} and {less}?",
    "How far apart are {more} and {less}?",
    "By how much do {more} and {less} differ?",
    "How large is the difference between {more} and {less}?",
    "How much lies between {less} and {more}?",
    "By how much is {more} higher than {less}?",
    "How much higher is {more} than {less}?",
    "Compare {more} with {less}. How large is the difference?",
    "How much lower is {less} than {more}?",
    "By how much does {more} exceed {less}?",
)
"""Of two facts, where the pack asks only which is larger."""
GAPS: Final = (
    "the difference between {more} and {less} is {value}",
    "{more} and {less} differ by {value}",
    "{more} is {value} higher than {less}",
    "{less} is {value} lower than {more}",
)
"""Claims on how far two facts are apart."""
SUMS: Final = (
    "{more} and {less} come to {value} together",
    "together, {less} and {more} come to {value}",
    "the sum of {more} and {less} is {value}",
)
"""Claims on what two facts come to."""
HIGHER: Final = (
    "{more} is higher than {less}",
    "{less} is lower than {more}",
    "{more} is more than {less}",
    "{less} is less than {more}",
)
"""Claims that one fact is larger than another."""
SETS_BY_NUMBER: Final = (
    "Counting from the start, which pictures {show} {group}? Give their numbers.",
    "Which pictures of the conversation {show} {group}? Count them from the start.",
    "Number the pictures in the order shown. Which of them {show} {group}?",
    "Among all pictures, which ones {show} {group}? Say which numbers they have in order.",
    "Look at the row of pictures. Which places have those that {show} {group}?",
    "Going through the pictures in order, which ones {show} {group}?",
    "Which numbers in the row of pictures have those that {show} {group}?",
    "If the pictures are numbered as they came, which ones {show} {group}?",
    "Of the pictures that the user sent, which ones in order {show} {group}?",
    "Give the numbers of the pictures that {show} {group}, counted from the start.",
)
SETS_BY_ID: Final = (
    "Which pictures {show} {group}?",
    "Name all pictures that {show} {group}.",
    "Which images in the conversation {show} {group}?",
    "Find all pictures that {show} {group}.",
    "Which of the images {show} {group}?",
    "Give me all images that {show} {group}.",
    "Which of the pictures that the user sent {show} {group}?",
    "Pick out the pictures that {show} {group}.",
    "The user sent several images. Which ones {show} {group}?",
    "I need the pictures that {show} {group}. Which are they?",
)
ONE_BY_NUMBER: Final = (
    "Counting from the start, which picture shows {what}? Give its number.",
    "Which picture of the conversation shows {what}? Count from the start.",
    "Number the pictures in the order shown. Which of them shows {what}?",
    "Where in the row of pictures is {what}? Give the number.",
    "Going through the pictures in order, which one shows {what}?",
    "Which place in the row of pictures does {what} have?",
    "If the pictures are numbered as they came, which number has {what}?",
    "Of the pictures that the user sent, which one in order shows {what}?",
    "Give the number of the picture with {what}, counted from the start.",
    "Among all pictures, which one shows {what}? Say its number in order.",
)
ONE_BY_ID: Final = (
    "Which picture shows {what}?",
    "Name the picture that shows {what}.",
    "Which image in the conversation shows {what}?",
    "Find the picture with {what}.",
    "Which of the images shows {what}?",
    "Give me the image of {what}.",
    "Which picture would I open to see {what}?",
    "Pick out the picture that shows {what}.",
    "The user sent several images. Which one shows {what}?",
    "I need the picture with {what}. Which is it?",
)
COUNTED: Final = (
    "How many {label} are there in the picture of {what}?",
    "In the picture of {what}, how many {label} can be seen?",
    "Count the {label} in the picture of {what}. How many are there?",
    "How many {label} does the picture of {what} show?",
    "Look at the picture of {what}. How many {label} are in it?",
)
"""Of a scene."""
READ_ROW: Final = (
    "What does {what} show for {label}?",
    "What can be read for {label} on {what}?",
    "Look at the picture of {what}. What is given for {label}?",
    "Which entry does {what} have for {label}?",
    "From the picture of {what}, what was it for {label}?",
    "Check {what}. What does it give for {label}?",
)
"""Of a row of a picture."""
READ_LINE: Final = (
    'What does {what} say under "{label}"?',
    'What is written under "{label}" on {what}?',
    'Look at the picture of {what}. What is given under "{label}"?',
    'In the picture of {what}, what is there under "{label}"?',
    'On {what}, what is there beside "{label}"?',
    'Read {what} again. What does it say beside "{label}"?',
    'From the picture of {what}, what was written beside "{label}"?',
)
"""Of a line of a paper, a label or a board."""
READ_OFF: Final = (
    "What does {what} read?",
    "What can be read off {what}?",
    "Look at the picture of {what}. What does it read?",
    "Which value does {what} show?",
    "What was the reading of {what}?",
)
"""Of a picture with one row, which its own name says."""


_ASKING: Final = frozenset(
    {"what", "which", "who", "whose", "how", "when", "where", "why", "is", "are", "was", "were"}
    | {"did", "does", "do", "has", "had", "at", "in", "on", "to", "by", "for", "with"}
    | {"please", "name", "list"}
)
"""Words with which a question begins that can follow a comma."""


_COVERAGE: Final = frozenset({"all", "whole", "list", "every", "pictures", "together"})
"""Words that a question needs once only."""
_PICTURES: Final = "pictures"


def word_ask(texts: Sequence[str], asked: Asked, ask: str, *, pictured: bool = False) -> str:
    """What a pack asks, in the wording whose turn it is; its roles are still slots.

    Args:
        texts: The wordings.
        asked: Whose turn it is.
        ask: What the pack asks.
        pictured: Whether a picture shows some of the answer; no wording says so otherwise.
    """
    inside = ask.partition(" ")[0].lower() in _ASKING
    once = set(run_of(ask)) & _COVERAGE
    fit = [
        text
        for text in texts
        if (inside or "{inner}" not in text)
        and once.isdisjoint(run_of(text))
        and (pictured or _PICTURES not in run_of(text))
    ]
    pattern = fit[asked.turn % len(fit)]
    # Slots of roles stay as they are: their names are filled in afterwards.
    inner = ask[:1].lower() + ask[1:]
    return capital(pattern.replace("{ask}", capital(ask)).replace("{inner}", inner))
