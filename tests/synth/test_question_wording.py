"""Questions worded by a model: bad words are refused, good ones are kept and as proven."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from support.told import WANTED, usual

from memassay.flows.engine.audits import Audited, audit_stage
from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.plans import make_audits
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.paths import StageAudit
from memassay.schemas.contracts.rules import LooksAt
from memassay.schemas.errors import AuthorError
from memassay.schemas.records.question import QAItem
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.m3exam.question_wording import (
    WordedQuestionStage,
    plain_text,
)
from memassay.synth.paths.m3exam.tasks.wording import WordedQuestion, WordedQuestions
from memassay.synth.questions.leanings import CHANCE

pytestmark = pytest.mark.slow(seconds=2)

NAME: Final = "lily-cooking-newbie"
QUESTIONS: Final = StageAudit(LooksAt.QUESTION)
AUDIT: Final = make_audits({"questions": QUESTIONS}, {})["questions"]
EACH: Final = 5
"""Questions that a bad habit is tried on."""
_VERB: Final = re.compile(r"\b(was|were|is|are|did|does|do|has|had|should|can)\b")

_BEGINS: Final = re.compile(r"(?:\w+ )?(?:what|when|where|which|who|how)\b", re.IGNORECASE)
"""Whole questions, without a sentence or a clause before."""

Habit = Callable[[str, QAItem, int], str]


def _condition(text: str, _item: QAItem, at: int) -> str:
    added = ("when it rained", "in 1987", "last Sunday", "on the first day", "at most 30 min")
    return _end(text, f" {added[at % len(added)]}")


def _negation(text: str, _item: QAItem, at: int) -> str:
    """The verb is denied, or the whole question."""
    denied = _VERB.sub(r"\1 not", text, count=1)
    return denied if denied != text and at % 2 == 0 else _end(text, ", if not")


def _answer(text: str, item: QAItem, at: int) -> str:
    said = item.answer.values[0]
    return _end(text, f", {'was it' if at % 2 else 'which I take to be'} {said}")


def _two(text: str, _item: QAItem, at: int) -> str:
    added = ("who told Lily", "when was that", "how many were there", "was it the first", "why")
    return _end(text, f", and {added[at % len(added)]}")


def _in_a_row(text: str, _item: QAItem, _at: int) -> str:
    """The same words with another mark at the end, whatever words the bank asks by."""
    return f"{text[:-1]} {text[-1]}"


def _end(text: str, added: str) -> str:
    """A question with something added where its first sentence ends."""
    return re.sub(r"[.?](?=\s|$)", lambda end: f"{added}{end[0]}", text, count=1)


BAD: Final[tuple[Habit, ...]] = (_condition, _negation, _answer, _two)


class Model(UnitContext):
    """The context of a stage, with a model that words every question by a habit."""

    def __init__(self, folder: Path, reword: Callable[[str], str] | None) -> None:
        """Take how a plain question is worded; None for a model that never replies."""
        super().__init__(9, "questions", NAME, BlobFolder(folder / "blobs"))
        self.reword = reword
        self.asked: list[Task[Any]] = []

    def write_each(self, tasks: Iterable[Task[Any]]) -> Iterator[Any]:
        """As many drafts of each question as are asked for, all alike."""
        for task in tasks:
            self.asked.append(task)
            yield self._reply(task)

    def _reply(self, task: Task[Any]) -> WordedQuestions | AuthorError:
        if self.reword is None:
            return AuthorError("no valid reply")
        items = [
            WordedQuestion(
                number=int(one["number"]),
                drafts=[self.reword(one["question"])] * int(task.inputs["drafts"]),
            )
            for one in task.inputs["items"]
        ]
        return WordedQuestions(items=items)


class Bank:
    """A history with its plain questions, and the stage that has a model word them."""

    def __init__(self, folder: Path) -> None:
        """Tell the usual history."""
        self.folder = folder
        bundle = usual(folder)
        self.given = [one for one in bundle.records() if not isinstance(one, QAItem)]
        self.stage = WordedQuestionStage(Personas([NAME], folder), WANTED, {}, CHANCE, 3, {})
        plain = self.stage.bank(self.given, Model(folder, None))
        self.plain = {one.id: one for one in plain if isinstance(one, QAItem)}
        self.by_text = {plain_text(one): one for one in self.plain.values()}

    def ask(self, reword: Callable[[str], str] | None) -> Audited:
        """What the stage and its audit make of a model's words."""
        model = Model(self.folder, reword)
        made = list(self.stage.run(self.given, model))
        return audit_stage(self.stage, AUDIT, self.given, made, model)

    def reworded(self, records: Iterable[Record]) -> Mapping[str, QAItem]:
        """The items that do not have their plain wording."""
        items = (one for one in records if isinstance(one, QAItem))
        return {one.id: one for one in items if one != self.plain[one.id]}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    """The usual history's bank."""
    return Bank(tmp_path_factory.mktemp("wording"))


def test_bad_habits_of_a_model_are_refused(bank: Bank) -> None:
    """Of twenty questions, five by each habit, eighteen are plain again or wait for people."""
    texts = list(bank.by_text)[:: len(bank.by_text) // (EACH * len(BAD))][: EACH * len(BAD)]
    turn = {text: (BAD[at % len(BAD)], at // len(BAD)) for at, text in enumerate(texts)}

    def reword(text: str) -> str:
        habit, at = turn.get(text, (_in_a_row, 0))
        return habit(text, bank.by_text[text], at)

    tried = {bank.by_text[text].id for text in texts if reword(text) != text}
    assert len(tried) == EACH * len(BAD)
    done = bank.ask(reword)
    waiting = {finding.target for finding in done.findings}
    released = {key for key in bank.reworded(done.records) if key in tried - waiting}
    assert len(released) <= 2, [bank.reworded(done.records)[key].question for key in released]


@pytest.mark.parametrize("habit", BAD)
def test_a_bad_habit_is_refused_over_the_whole_bank(habit: Habit, bank: Bank) -> None:
    """Nine of ten questions of every type are plain again or wait for people."""
    order = list(bank.by_text)
    done = bank.ask(lambda text: habit(text, bank.by_text[text], order.index(text)))
    waiting = {finding.target for finding in done.findings}
    released = [one for key, one in bank.reworded(done.records).items() if key not in waiting]
    assert len(released) * 10 <= len(bank.plain), [one.question.text for one in released]


def test_good_words_are_kept_and_as_proven(bank: Bank) -> None:
    """A question that says the same keeps its model's words, its proof and its options."""
    done = bank.ask(lambda text: _in_a_row(text, bank.by_text[text], 0))
    reworded = bank.reworded(done.records)
    assert len(reworded) * 10 >= 8 * len(bank.plain)
    assert not [finding for finding in done.findings if finding.target in reworded]
    for key, item in reworded.items():
        plain = bank.plain[key]
        words = {"question": plain.question, "wording": plain.wording}
        assert item.model_copy(update=words) == plain
        assert plain_text(item) == _in_a_row(plain_text(plain), plain, 0)


@pytest.mark.parametrize("asked", ["Can you tell me, {}", "{} I'd like to know."])
def test_words_of_asking_are_kept(asked: str, bank: Bank) -> None:
    """Nine of ten questions that begin as questions do can be asked with such words around them."""
    done = bank.ask(lambda text: asked.format(text))
    waiting = {finding.target for finding in done.findings}
    kept = bank.reworded(done.records).keys() - waiting
    plain = {key for key, item in bank.plain.items() if _BEGINS.match(item.question.text)}
    assert len(plain) * 2 > len(bank.plain)
    assert len(plain & kept) * 10 >= 9 * len(plain)


def test_other_forms_of_a_word_are_kept(bank: Bank) -> None:
    """`How long did the dough rest` may be asked as `For how long was the dough resting`."""
    [plain] = [text for text in bank.by_text if re.match(r"How long did .* rest ", text)]
    text = re.sub("How long did (.*) rest ", r"For how long was \1 resting ", plain)
    done = bank.ask(lambda said: text if said == plain else said)
    [kept] = bank.reworded(done.records).values()
    assert plain_text(kept) == text


def test_things_of_a_query_do_not_change_places(bank: Bank) -> None:
    """The days from one event to another are not those from the other to the one."""
    order = {
        text: said
        for text, item in bank.by_text.items()
        if item.benchmark_type == "tr" and item.wording is not None
        for slots in [item.wording.slots.items()]
        if len(said := [one for part, one in slots if part.startswith("subject")]) == 2
    }

    def swap(text: str) -> str:
        first, last = order.get(text, ("", ""))
        return text.replace(first, "\0").replace(last, first).replace("\0", last) if first else text

    assert order
    assert not bank.reworded(bank.ask(swap).records)


def test_what_rules_find_is_asked_plainly_again(bank: Bank) -> None:
    """An item whose words the audit refuses gets the plain ones back, and no other changes."""
    made = list(bank.plain.values())
    text = f"{made[0].question.text[:-1]} in 1987?"
    question = made[0].question.model_copy(update={"text": text})
    turned = made[0].model_copy(update={"question": question})
    done = audit_stage(bank.stage, AUDIT, bank.given, [turned, *made[1:]], Model(bank.folder, None))
    assert done.records == made
    assert [repair.target for repair in done.repairs] == [turned.id]
    assert done.findings == []


def test_a_model_that_does_not_reply_leaves_the_plain_words(bank: Bank) -> None:
    """Without a valid reply the bank is what it is without a model."""
    assert not bank.reworded(bank.ask(None).records)
