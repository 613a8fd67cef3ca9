"""Rules on gold answers: there, of the form they claim, and not given away."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from memassay.schemas.contracts.rules import Applies, Mended, Problem, RuleContext
from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.civil_time import MONTHS, is_when
from memassay.schemas.values.text import same
from memassay.validators.places import evidence_rounds
from memassay.validators.registry import ASKED, RULES, problem, question_rule
from memassay.validators.texts.history import is_unbacked
from memassay.validators.wording import refuses, says, yes_or_no

CLOSED: Final = frozenset(
    {AnswerFormat.CHOICE, AnswerFormat.IMAGE_ID, AnswerFormat.YES_NO, AnswerFormat.REFUSAL}
)
"""Formats whose gold may be in the question or in the instruction that goes with it."""

_IMAGE_ID: Final = re.compile(ATTACHMENT_PATTERN)
_ASKS_FOR_IMAGE: Final = re.compile(r"\b(?:image|picture|photo)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")
_ALTERNATIVES: Final = re.compile(r"\b(?:or|either|both|between|which of)\b", re.IGNORECASE)
_EXAMPLE: Final = re.compile(r"\([^()]*\be\.g\.[^()]*\)")
"""An instruction on the form of the answer, with an example that is not the gold."""
FEWEST_ITEMS: Final = 10
"""Of a type of fewer items no usual kind of answer is known."""
_EMPTY_VALUES: Final = frozenset({"null", "nan", "undefined", "nonetype", "n/a"})


def has_format(*formats: AnswerFormat) -> Applies:
    """A test whether an item's answer has one of some formats."""
    return lambda item: item.answer.format in formats


@question_rule(
    "answers.present",
    Severity.ERROR,
    "LoCoMo data, items without an answer",
    applies=lambda item: item.answerable,
)
def present(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """An answerable item has a gold value, and none of its values is blank."""
    if not item.answer.values:
        yield problem(
            item.id, ("answer", "values"), "at least one value", "none", "write the gold answer"
        )
    for at, value in enumerate(item.answer.values):
        if not value.strip():
            yield problem(
                item.id, ("answer", "values", at), "a value", value, "write the gold answer"
            )


@question_rule("answers.placeholder", Severity.ERROR, "M2A merge step 1, answers of null")
def placeholder(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No value is the text of an empty value, such as null or NaN."""
    for at, value in enumerate(item.answer.values):
        if value.strip().casefold() in _EMPTY_VALUES:
            yield problem(
                item.id,
                ("answer", "values", at),
                "an answer",
                value,
                "write the answer; a program wrote an empty value here",
            )


@question_rule(
    "answers.image_ids",
    Severity.ERROR,
    "Mem-Gallery data, VS answers that are no lists of ids",
    applies=has_format(AnswerFormat.IMAGE_ID),
)
def image_ids(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Every value of an image answer is the id of an image, such as D2:IMG_003."""
    for at, value in enumerate(item.answer.values):
        if not _IMAGE_ID.fullmatch(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "an image id such as D2:IMG_003",
                value,
                "name each image of the answer by its id",
            )


_LETTER: Final = re.compile(r"\bletters?\b.*\b(?:only|A, B)\b|\bA, B, C,? or D\b")
_AN_IMAGE: Final = re.compile(r"\bimage_?ids?\b|\bids? of (?:\w+ )?images?\b", re.IGNORECASE)
_TRUTH: Final = re.compile(r"\byes\b\W{1,6}(?:or )?\W{0,3}no\b", re.IGNORECASE)
_AGREES: Final = re.compile(
    r"\binformation (?:is )?(?:agrees?|consistent|accords?|match(?:es)?|in line|compatible)\b",
    re.IGNORECASE,
)
_CONFLICTS: Final = re.compile(r"\b(?:conflict|contradict)", re.IGNORECASE)


@question_rule(
    "answers.form_asked",
    Severity.ERROR,
    "M3Exam and Mem-Gallery layouts, instructions on the form of an answer",
    applies=lambda item: item.answerable and bool(item.format_prompt),
)
def form_asked(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The instruction on the form of an answer asks for the form that the gold has."""
    prompt, values = item.format_prompt or "", item.answer.values
    letter = _LETTER.search(prompt) and item.answer.format is not AnswerFormat.CHOICE
    image = _AN_IMAGE.search(prompt) and not any(_IMAGE_ID.search(each) for each in values)
    truth = _TRUTH.search(prompt) and not any(yes_or_no(each) for each in values)
    other = _CONFLICTS.search(prompt) and _AGREES.search(item.question.text)
    if letter or image or truth or other:
        fix = "give the item the instruction of its kind of answer"
        expected = f"an instruction that the gold {', '.join(values)} follows"
        yield problem(item.id, ("format_prompt",), expected, prompt, fix)


@question_rule(
    "answers.image_exists",
    Severity.ERROR,
    "Mem-Gallery data, an answer that names a missing image",
    applies=has_format(AnswerFormat.IMAGE_ID),
)
def image_exists(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Every image that an answer or a competitor names is shown in the history."""
    answer = item.answer
    for name, values in (("values", answer.values), ("competitors", answer.competitors)):
        for at, value in enumerate(values):
            if _IMAGE_ID.fullmatch(value) and value not in bundle.attachment_by_id:
                yield problem(
                    item.id,
                    ("answer", name, at),
                    "an image of the history",
                    value,
                    "name the image that was meant",
                )


@RULES.mends("answers.image_exists")
def _only_image_cited(bundle: Bundle, finding: Finding) -> Mended | None:
    """The image that the evidence shows, if it shows one and the answer names one."""
    item = next((each for each in bundle.questions if each.id == finding.target), None)
    if item is None or len(item.answer.values) != 1 or finding.pointer != "/answer/values/0":
        return None
    turns = [turn for each in evidence_rounds(bundle, item) for turn in each.turns]
    shown = [image.id for turn in turns for image in turn.attachments]
    return Mended(finding.pointer, item.answer.values[0], (shown[0],)) if len(shown) == 1 else None


@question_rule(
    "answers.yes_no",
    Severity.ERROR,
    "Mem-Gallery data, CD answers",
    applies=has_format(AnswerFormat.YES_NO),
)
def yes_no(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The value of a yes-or-no answer is yes, no, true or false."""
    for at, value in enumerate(item.answer.values):
        if yes_or_no(value) is None:
            yield problem(
                item.id,
                ("answer", "values", at),
                "yes or no",
                value,
                "answer yes or no, or make the answer free text",
            )


@question_rule(
    "answers.choice",
    Severity.ERROR,
    "M3Exam A.3, factual judgement",
    applies=has_format(AnswerFormat.CHOICE),
)
def choice(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A choice has at least two options of different labels, and its gold is such a label."""
    labels = [option.label for option in item.answer.options]
    if len(labels) < 2 or len(set(labels)) < len(labels):
        yield problem(
            item.id,
            ("answer", "options"),
            "at least two options of different labels",
            labels or "none",
            "list every option once, with its letter",
        )
        return
    for at, value in enumerate(item.answer.values):
        if value not in labels:
            yield problem(
                item.id,
                ("answer", "values", at),
                f"one of {', '.join(labels)}",
                value,
                "give the label of the right option",
            )


@question_rule(
    "answers.form",
    Severity.WARNING,
    "M3Exam A.3, date formats; numbers as decimal strings",
    applies=has_format(AnswerFormat.DATE, AnswerFormat.NUMBER),
)
def form(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The gold of a date names a date, the gold of a number is a decimal number."""
    is_date = item.answer.format is AnswerFormat.DATE
    for at, value in enumerate(item.answer.values):
        fits = _names_a_date(value) if is_date else bool(_NUMBER.match(value.strip()))
        if not fits:
            yield problem(
                item.id,
                ("answer", "values", at),
                "a date" if is_date else "a decimal number",
                value,
                "write the value in its format, or make the answer free text",
            )


def _names_a_date(value: str) -> bool:
    month = any(name[:3].casefold() in value.casefold() for name in MONTHS)
    return is_when(value) or month or bool(re.search(r"[0-9]{4}|[0-9]{1,2}[/.-][0-9]", value))


@question_rule("answers.trap_is_gold", Severity.ERROR, "memassay records, traps and competitors")
def trap_is_gold(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No wrong answer (trap, competitor) is also the gold or its equivalent."""
    answer = item.answer
    right = [*answer.values, *answer.equivalents]
    for name, wrong in (("traps", answer.traps), ("competitors", answer.competitors)):
        for at, value in enumerate(wrong):
            if value.strip() and any(same(value, gold) for gold in right):
                yield problem(
                    item.id,
                    ("answer", name, at),
                    "an answer that is wrong",
                    value,
                    "drop it from the wrong answers, or correct the gold",
                )


@question_rule(
    "answers.gold_in_question",
    Severity.WARNING,
    "our choice: gold not in the question",
    applies=lambda item: (
        item.answerable
        # Imported words of a question and its gold are for `claims.gold_asked`.
        and not is_unbacked(item)
        and item.answer.format not in CLOSED
        # What is to be put in order is in the question.
        and item.answer.relation is not AnswerRelation.ORDERED
    ),
)
def gold_in_question(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The gold is not in the question, unless the question offers alternatives."""
    asked = _EXAMPLE.sub(" ", item.question.text)
    if _ALTERNATIVES.search(asked):
        return
    for at, value in enumerate(item.answer.values):
        if yes_or_no(value) is None and says(asked, value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that the question does not say",
                value,
                "reword the question so that it does not give the answer away",
            )


@question_rule(
    "answers.refusal_of_answerable",
    Severity.WARNING,
    "Mem-Gallery 3.3, answer refusal",
    applies=lambda item: item.answerable,
)
def refusal_of_answerable(
    _bundle: Bundle, item: QAItem, _context: RuleContext
) -> Iterator[Problem]:
    """The gold of an answerable item does not say that there is no answer."""
    for at, value in enumerate(item.answer.values):
        if refuses(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "an answer",
                value,
                "mark the item as not answerable, or write the answer",
            )


def answer_kind(item: QAItem) -> str:
    """The form a gold has, whatever its format claims: image ids, yes or no, refusal, open."""
    values = item.answer.values
    if not item.answerable or (values and all(refuses(value) for value in values)):
        return "refusal"
    if not values:
        return "missing"
    if all(_IMAGE_ID.fullmatch(value) for value in values):
        return "image id"
    if all(yes_or_no(value) for value in values):
        return "yes or no"
    if item.answer.format is AnswerFormat.CHOICE:
        return "choice"
    return "open"


class _Kind(NamedTuple):
    """What is known of the form of an item's answer."""

    id: str
    kind: str
    asks_for_image: bool
    values: list[str]


def _kinds(bundle: Bundle) -> list[list[Any]]:
    """Of each question the collection and benchmark type, then what `_Kind` has."""
    return [
        [
            bundle.conversation.collection,
            item.benchmark_type,
            item.id,
            answer_kind(item),
            _ASKS_FOR_IMAGE.search(item.question.text) is not None,
            list(item.answer.values),
        ]
        for item in bundle.questions
    ]


@RULES.collection(
    "answers.mixed_kinds",
    Severity.WARNING,
    "Mem-Gallery data, VS; M2A data, category 5",
    digest=_kinds,
    digests=ASKED,
)
def mixed_kinds(kinds: Iterable[list[list[Any]]], _context: RuleContext) -> Iterator[Problem]:
    """Items of one benchmark type in one collection have answers of one kind."""
    groups: dict[tuple[str, str], list[_Kind]] = defaultdict(list)
    for collection, code, *rest in chain.from_iterable(kinds):
        groups[collection, code].append(_Kind(*rest))
    for (_, code), items in sorted(groups.items()):
        counts = Counter(item.kind for item in items)
        usual = min(counts, key=lambda kind: (-counts[kind], kind))
        wanted = "words, or image ids if asked for" if usual == "open" else usual
        odd = [item for item in items if _is_odd(item, usual)]
        alike = len(items) - len(odd)
        for item in odd if len(items) >= FEWEST_ITEMS else ():
            yield problem(
                item.id,
                ("answer", "values"),
                f"{wanted}, as in {alike} of {len(items)} items of type {code}",
                f"{item.kind}: {', '.join(item.values)}",
                "give the item the type of its answer, or correct the answer",
            )


def _is_odd(item: _Kind, usual: str) -> bool:
    """Whether a kind of answer is out of place.

    Yes, no and choices are natural among open ones, and so is an image that the question asks for.
    """
    natural = {"yes or no", "choice"} if usual == "open" else set[str]()
    if usual == "open" and item.asks_for_image:
        natural.add("image id")
    return item.kind not in {usual, "missing", *natural}
