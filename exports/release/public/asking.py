"""How a question is put to a model: what is asked, and the form that an answer must have."""

import re
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem

REFUSAL_FORM: Final = "If the history does not say it, answer: Not mentioned."
_SHORT: Final = "Answer in a few words."
_DAYS: Final = "Write a day as YYYY-MM-DD."
_FORMS: Final = {
    AnswerFormat.CHOICE: "Answer with the letter of one option only.",
    AnswerFormat.IMAGE_ID: "Answer with the id of the image only, such as D3:IMG_001.",
    AnswerFormat.YES_NO: "Answer yes or no.",
}
_LISTS: Final = {
    AnswerRelation.ALL: "Name all of them.",
    AnswerRelation.ORDERED: "List them in order.",
}
_ISO_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def question_text(item: QAItem) -> str:
    """What is asked; options that the text does not name are below it."""
    text, options = item.question.text, item.answer.options
    if all(option.text in text for option in options):
        return text
    return "\n".join([text, *(f"{option.label}. {option.text}" for option in options)])


def prompt_of(item: QAItem, bundle: Bundle) -> str:
    """The question, its options, and the form that an answer must have.

    The form is of the kind of answer and says nothing of the answer. A question without an
    answer in the history has that of its twin, or that of any short answer, and every prompt
    says what to answer then. Prompts that published sets come with are in `gold`: some of them
    say which questions are refusals.
    """
    return f"{question_text(item)}\n{' '.join([*demanded_form(item, bundle), REFUSAL_FORM])}"


def demanded_form(item: QAItem, bundle: Bundle) -> list[str]:
    """What is demanded of an answer, in sentences."""
    twins = {one.id: one for one in bundle.questions if one.answerable}
    answer = (item if item.answerable else twins.get(item.twin_of or "", item)).answer
    if answer.options:
        return [_FORMS[AnswerFormat.CHOICE]]
    if answer.format in _FORMS and answer.format is not AnswerFormat.CHOICE:
        return [_FORMS[answer.format]]
    forms = [_LISTS.get(answer.relation, _SHORT)]
    # Of all short answers alike, so that it does not say which of them is a day.
    if any(_is_day(one) for one in bundle.questions):
        forms.append(_DAYS)
    return forms


def _is_day(item: QAItem) -> bool:
    values = item.answer.values if item.answer.format is AnswerFormat.DATE else []
    return any(_ISO_DAY.fullmatch(value) for value in values)
