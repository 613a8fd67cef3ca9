"""Rules on repetition: questions and texts that come twice."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Final

from memassay.schemas.contracts.rules import Mended, Problem, RuleContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import jaccard, shingles, tokens
from memassay.validators.places import turns
from memassay.validators.registry import ASKED, RULES, problem
from memassay.validators.wording import words

NEAR_SHARE: Final = 0.85
"""Questions that share so much of their runs of three tokens are near-duplicates."""
LEAST_TOKENS: Final = 5
"""Shorter utterances ("Thank you!") may be said twice."""

_Key = tuple[object, ...]
_FEW: Final = 2


def _circumstances(bundle: Bundle, item: QAItem) -> _Key:
    """What besides its words makes a question: its images and when it is asked."""
    shown = tuple(_image_key(bundle, each.asset) for each in item.question.attachments)
    return (shown, item.asked_at.checkpoint, item.asked_at.session)


def _image_key(bundle: Bundle, name: str) -> str:
    """What tells images apart: pixels, else the place in the source, else the record."""
    asset = bundle.asset_by_id.get(name)
    return (asset and (asset.pixel_sha256 or asset.uri)) or name


def _same_questions(bundle: Bundle) -> list[list[QAItem]]:
    """Groups of two or more items that ask the same, in the order of the items."""
    groups: dict[_Key, list[QAItem]] = defaultdict(list)
    for item in bundle.questions:
        text = tuple(tokens(item.question.text))
        groups[(text, *_circumstances(bundle, item))].append(item)
    return [group for group in groups.values() if len(group) >= _FEW]


@RULES.conversation(
    "duplicates.question", Severity.ERROR, "Mem-Gallery and LoCoMo data, questions asked twice"
)
def question(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No item repeats the words, images and asking time of an earlier item."""
    for first, *later in _same_questions(bundle):
        for item in later:
            yield problem(
                item.id,
                ("question", "text"),
                "a question of its own",
                f"the question of {first.id}",
                "drop the repetition",
            )


@RULES.mends("duplicates.question")
def _drop_repetition(bundle: Bundle, finding: Finding) -> Mended | None:
    """A repetition goes if it has the gold of the first; else somebody must choose."""
    for first, *later in _same_questions(bundle):
        for item in later:
            if item.id == finding.target and item.answer == first.answer:
                return Mended("", None, ())
    return None


@RULES.conversation(
    "duplicates.conflict", Severity.ERROR, "LoCoMo data, one question answered and refused"
)
def conflict(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Items that ask the same do not contradict each other; both are marked."""
    for group in _same_questions(bundle):
        for left, right in combinations(group, 2):
            if _contradict(left, right):
                for item, other in ((left, right), (right, left)):
                    yield problem(
                        item.id,
                        ("answer",),
                        f"the same answer as {other.id} ({', '.join(other.answer.values)})",
                        item.answer.values,
                        "find out which answer is right; drop the other item",
                    )


def _contradict(left: QAItem, right: QAItem) -> bool:
    """Whether two answers cannot both be right; free texts that differ may be worded so."""
    if left.answerable != right.answerable:
        return True
    closed = {AnswerFormat.YES_NO, AnswerFormat.IMAGE_ID, AnswerFormat.CHOICE, AnswerFormat.NUMBER}
    return (
        left.answer.format is right.answer.format
        and left.answer.format in closed
        and {words(value) for value in left.answer.values}
        != {words(value) for value in right.answer.values}
    )


@RULES.conversation(
    "duplicates.near_question",
    Severity.WARNING,
    "Mem-Gallery data, reworded questions",
    threshold=NEAR_SHARE,
)
def near_question(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No item almost repeats the words of an earlier item with the same images."""
    share = context.threshold
    groups: dict[_Key, list[tuple[QAItem, set[tuple[str, ...]]]]] = defaultdict(list)
    for item in bundle.questions:
        groups[_circumstances(bundle, item)].append((item, shingles(item.question.text)))
    for group in groups.values():
        for (first, left), (item, right) in combinations(group, 2):
            # A refusal is made from an answerable question by a word or two.
            if first.answerable != item.answerable:
                continue
            # Sets so different in size cannot share enough; most pairs end here.
            if min(len(left), len(right)) < share * max(len(left), len(right)):
                continue
            alike = jaccard(left, right)
            if alike >= share and tokens(first.question.text) != tokens(item.question.text):
                yield problem(
                    item.id,
                    ("question", "text"),
                    "a question of its own",
                    f"{alike:.2f} of {first.id}",
                    "reword or drop one of the two",
                )


def _word_hashes(bundle: Bundle) -> list[list[str]]:
    """Id, conversation and a hash of the words of each question without an image."""
    return [
        [item.id, item.conversation, content_hash(list(tokens(item.question.text)))]
        for item in bundle.questions
        if not item.question.attachments
    ]


@RULES.collection(
    "duplicates.across",
    Severity.INFO,
    "Mem-Gallery data, questions in common",
    digest=_word_hashes,
    digests=ASKED,
)
def across(asked: Iterable[list[list[str]]], _context: RuleContext) -> Iterator[Problem]:
    """The same question is not asked in several conversations."""
    seen: dict[str, tuple[str, str]] = {}
    for name, conversation, said in chain.from_iterable(asked):
        first, where = seen.setdefault(said, (name, conversation))
        if where != conversation:
            yield problem(
                name,
                ("question", "text"),
                "a question of its own",
                f"the question of {first}",
                "expected for fixed wordings; else reword one",
            )


@RULES.conversation("duplicates.turn", Severity.WARNING, "our choice: the same filler twice")
def turn(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No longer utterance is said twice in a conversation."""
    seen: dict[tuple[str, ...], str] = {}
    for parts, each in turns(bundle):
        said = tuple(tokens(each.text))
        if len(said) < LEAST_TOKENS:
            continue
        first = seen.setdefault(said, each.id)
        if first != each.id:
            yield problem(
                bundle.id,
                (*parts, "text"),
                "words of its own",
                f"the words of {first}",
                "drop or reword the repetition",
            )
