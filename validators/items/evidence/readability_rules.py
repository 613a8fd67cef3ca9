"""Rules on readability: the gold can be read where its evidence points."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.items.evidence.evidence_rules import has_evidence
from memassay.validators.places import evidence_places, evidence_rounds
from memassay.validators.registry import problem, question_rule
from memassay.validators.texts.gold_dates import gold_date
from memassay.validators.wording import CONCLUDED, agrees, key_words, yes_or_no

_IMAGE_ID: Final = re.compile(ATTACHMENT_PATTERN)
_MEASURE: Final = re.compile(r"\W*[0-9][0-9.,:]*(?: ?[^\W\d]+)?\W*|\w+ (?:day|week|month|year)s?")
_COUNTING: Final = key_words("once twice thrice times")
_SESSION_SHARE: Final = 0.5
"""Share of the gold's words that a round of a cited session must hold to be named."""
_OTHER_SHARE: Final = 0.8
_BEFORE: Final = 2


def _recalls(item: QAItem) -> bool:
    """Whether the words of the gold are to be found in the evidence, rather than concluded."""
    return (
        item.answerable
        and has_evidence(item)
        and item.answer.format is AnswerFormat.FREE
        and item.type not in CONCLUDED | {QuestionType.TEMPORAL}
        # With a ledger the query says where the answer stands.
        and not item.evidence.facts
        and item.query is None
        # An image of the question can be named from general knowledge.
        and not item.question.attachments
        and (not item.modalities or Modality.TEXT in item.modalities)
    )


def _sought(item: QAItem) -> frozenset[str]:
    """Content words of the gold; none for measures, dates, image ids, yes and no."""
    values = [
        value
        for value in item.answer.values
        if yes_or_no(value) is None
        and gold_date(value) is None
        and not _MEASURE.fullmatch(value.strip())
        and not _IMAGE_ID.search(value)
    ]
    found = key_words(" . ".join(values)) - _COUNTING
    return frozenset(word for word in found if len(word) > 1 and not word[0].isdigit())


def _seen(bundle: Bundle, round_: Round) -> frozenset[str]:
    """Content words of a round: who speaks, what they say, captions."""
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    captions = [each.caption or "" for turn in round_.turns for each in turn.attachments]
    said = [f"{names.get(turn.speaker, turn.speaker)}: {turn.text}" for turn in round_.turns]
    return key_words(" . ".join([*said, *captions]))


@question_rule(
    "readability.gold",
    Severity.WARNING,
    "our choice: gold readable in its evidence",
    applies=_recalls,
)
def gold(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Where a round says a gold, the evidence says some word of it, in its text or a caption.

    A gold in words that nobody uses says the same in others, which no rule can tell.
    """
    cited, sought = evidence_rounds(bundle, item), _sought(item)
    if not sought or not cited or any(sought & _seen(bundle, round_) for round_ in cited):
        return
    told = _told(bundle, cited, sought)
    if told is not None and not _agreed(bundle, cited, told):
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"rounds that say {', '.join(item.answer.values)}",
            evidence_places(item),
            f"look at {told}, which says it",
        )


def _agreed(bundle: Bundle, cited: list[Round], told: str) -> bool:
    """Whether the evidence agrees to what one of the two rounds before it says."""
    order = [each.id for each in bundle.conversation.rounds()]
    return any(
        agrees(each.turns[0].text) and told in order[max(0, at - _BEFORE) : at]
        for each in cited
        for at in [order.index(each.id)]
    )


def _told(bundle: Bundle, cited: list[Round], sought: frozenset[str]) -> str | None:
    """Id of the round that holds most of a gold: half of it in a cited session, or nearly all."""
    sessions = {each.id.partition(":")[0] for each in cited}
    held = [
        (
            len(sought & _seen(bundle, each)) / len(sought),
            each.id.partition(":")[0] in sessions,
            each,
        )
        for each in bundle.conversation.rounds()
    ]
    enough = [
        (same, share, each.id)
        for share, same, each in held
        if share >= (_SESSION_SHARE if same else _OTHER_SHARE)
    ]
    return max(enough, key=lambda one: one[:2])[2] if enough else None
