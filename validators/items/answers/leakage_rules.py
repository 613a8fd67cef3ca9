"""Rules on leakage: an answer is where it is claimed to be, and nowhere easier."""

from collections.abc import Iterator

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.ids import parse_place
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.places import evidence_rounds, evidence_turns
from memassay.validators.registry import problem, question_rule
from memassay.validators.wording import CONCLUDED, key_words, says, words, yes_or_no

_HIDDEN_KEYS = frozenset({"query"})
"""Fields of foreign files that no reader sees (LoCoMo's image search query)."""


def _is_visual(item: QAItem) -> bool:
    """Whether an item claims that only pixels of the history answer it.

    The name of what an image of the question shows may well be in the text.
    """
    if item.question.attachments:
        return False
    open_answer = item.answer.format not in (AnswerFormat.IMAGE_ID, AnswerFormat.CHOICE)
    return bool(item.modalities) and Modality.TEXT not in item.modalities and open_answer


def _open_values(item: QAItem) -> list[tuple[int, str]]:
    """Gold values with their positions; yes, no and lone digits, which are anywhere, left out."""
    return [
        (at, value)
        for at, value in enumerate(item.answer.values)
        if yes_or_no(value) is None and len("".join(words(value))) > 1
    ]


@question_rule(
    "leakage.visual_gold",
    Severity.WARNING,
    "M3Exam A.3, mr, and Mem-Gallery, VR: the answer is in the image and not in the text",
    applies=lambda item: item.answerable and _is_visual(item),
)
def visual_gold(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The gold of a visual question is not in the text of its own evidence."""
    cited = [turn for round_ in evidence_rounds(bundle, item) for turn in round_.turns]
    for at, value in _open_values(item):
        said = [turn.id for turn in cited if says(turn.text, value)]
        if said:
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that only the image shows",
                f"{value} in the text of {', '.join(said)}",
                "reword the turn, or say that the text answers the question",
            )


@question_rule(
    "leakage.caption",
    Severity.INFO,
    "our choice: captions: what they give away is tagged",
    applies=lambda item: item.answerable and _is_visual(item),
)
def caption(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The gold of a visual question is not in a caption of its own evidence."""
    shown = [each for turn in evidence_turns(bundle, item) for each in turn.attachments]
    for at, value in _open_values(item):
        told = [each.id for each in shown if each.caption and says(each.caption, value)]
        if told:
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that only the image shows",
                f"{value} in the caption of {', '.join(told)}",
                "the caption answers the question; hide it from text-only readers",
            )


@question_rule(
    "leakage.image_id",
    Severity.WARNING,
    "M3Exam 2.2, find-match: images are named by their files",
    applies=lambda item: item.answerable and item.answer.format is AnswerFormat.IMAGE_ID,
)
def image_id(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No utterance names an image of the answer by its id."""
    for at, value in enumerate(item.answer.values):
        named = parse_place(value) is not None
        said = [turn.id for turn in bundle.conversation.turns() if named and value in turn.text]
        if said:
            yield problem(
                item.id,
                ("answer", "values", at),
                "an id that nobody says",
                f"{value} in {', '.join(said)}",
                "take the id out of the text",
            )


def hidden_text(bundle: Bundle, turn: Turn) -> str:
    """What a turn carries that no reader sees: search queries, what a missing image says."""
    assets = [bundle.asset_by_id.get(shown.asset) for shown in turn.attachments]
    private = [
        asset.transcription
        for asset in assets
        if asset and asset.transcription and asset.availability is not Availability.PRESENT
    ]
    extras = [turn.extras, *(asset.extras for asset in assets if asset)]
    extras += [shown.extras for shown in turn.attachments]
    return " . ".join([*_values_of(extras), *private])


def _values_of(node: object) -> Iterator[str]:
    """Texts under a hidden key, however deep."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in _HIDDEN_KEYS and isinstance(value, str):
                yield value
            else:
                yield from _values_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from _values_of(value)


def _public_text(round_: Round) -> str:
    """Texts and captions of a round, which every reader sees."""
    shown = [each.caption or "" for turn in round_.turns for each in turn.attachments]
    return " . ".join([*(turn.text for turn in round_.turns), *shown])


def _public_texts(bundle: Bundle) -> Iterator[str]:
    """What a reader of the history sees, by round, and the dates of sessions and rounds."""
    for session in bundle.conversation.sessions:
        yield session.date or ""
        for round_ in session.rounds:
            yield round_.date or ""
            yield _public_text(round_)


def _hidden_words(bundle: Bundle, item: QAItem, value: str) -> frozenset[str]:
    """Words of a gold that the hidden parts of its evidence hold and nothing public does."""
    gold = key_words(value)
    hidden = key_words(" . ".join(hidden_text(bundle, t) for t in evidence_turns(bundle, item)))
    only = (gold & hidden) - key_words(item.question.text)
    for text in _public_texts(bundle) if only else ():
        only -= key_words(text)
    return only


def _spelling(value: str, some: frozenset[str]) -> str:
    """The words of a text that are among some key words, as they are written there."""
    return " ".join(word.strip("\"'") for word in value.split() if key_words(word) & some)


@question_rule(
    "leakage.hidden_words",
    Severity.WARNING,
    "LoCoMo data, golds that only the image search query holds",
    applies=lambda item: item.answerable,
)
def hidden_words(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Fewer than half of the words of a gold are only in hidden metadata of its evidence."""
    for at, value in _open_values(item):
        only = _hidden_words(bundle, item, value)
        # A word of several may say in other words what the history says.
        most = 2 * len(only) >= len(key_words(value) - key_words(item.question.text))
        told = item.type not in CONCLUDED
        if told and only and most:
            yield problem(
                item.id,
                ("answer", "values", at),
                "words that the history says or shows",
                f"{_spelling(value, only)} only in what readers do not see, such as a search query",
                "check that the history gives the answer",
            )
