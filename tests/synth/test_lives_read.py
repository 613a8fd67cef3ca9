"""What a model reads of a life counts if it quotes words that are there."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import pytest
from support.members import member

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Profile
from memassay.synth.lives.estimate import LifeStandIn
from memassay.synth.lives.unifying import by_model
from memassay.synth.lives.unifying.by_model import read_by_model
from memassay.synth.lives.unifying.unify import Unified, unify

BEES = "The bees came through the winter in all my hives."
STUNG = "One sting and I would be in hospital, so I keep no insects."


@dataclass
class Reader:
    """Notes given quotations, and names the pairs of them that it is told to.

    Attributes:
        quotes: By dialogue, round and words of each note.
        pairs: Words of two notes, and whether it is certain; or a number in place of words.
        listed: Statements as they were shown, prompt by prompt.
    """

    quotes: dict[str, list[tuple[str, str]]]
    pairs: list[tuple[str | int, str | int, bool]] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    tasks: list[Task[Any]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def write_all(self, tasks: Iterable[Task[Any]]) -> list[Any]:
        """A reply for each task."""
        return [one.response.model_validate(self._reply(one)) for one in tasks]

    def emit(self, finding: Finding) -> None:
        """Take note of a finding."""
        self.findings.append(finding)

    def _reply(self, task: Task[Any]) -> dict[str, Any]:
        self.tasks.append(task)
        if task.name == "life_statements":
            own = self.quotes.get(task.record, [])
            notes = [
                {"round": at, "quote": words, "says": words or "Nothing."} for at, words in own
            ]
            return {"statements": notes}
        self.listed.append(task.inputs["statements"])
        named = [
            {"one": self._number(one), "other": self._number(other), "certain": certain}
            for one, other, certain in self.pairs
        ]
        known = [one for one in named if None not in one.values()]
        return {"pairs": [{**one, "reason": "bees and\n stings."} for one in known]}

    def _number(self, words: str | int) -> int | None:
        """The number of the statement with these words in the last prompt."""
        if isinstance(words, int):
            return words
        lines = [one for one in self.listed[-1].splitlines() if words in one and one[0].isdigit()]
        return int(lines[0].partition(".")[0]) if lines else None


def members() -> list[Bundle]:
    """Three dialogues, of which the first and the last contradict each other."""
    return [member("a", [BEES]), member("b", ["It was a long week."]), member("c", [STUNG])]


def read(dialogues: list[Bundle], reader: Reader) -> Unified:
    """The dialogues as one life, read by a model."""
    found = partial(read_by_model, context=cast(StageContext, reader), life="cluster-1")
    return unify(dialogues, found)


def noting(*pairs: tuple[str | int, str | int, bool], of_c: str = STUNG) -> Reader:
    """A reader with a note of the first and the last dialogue."""
    return Reader({"a/D1": [("D1:2", BEES)], "c/D1": [("D1:2", of_c)]}, list(pairs))


def test_a_dialogue_that_a_model_finds_contradicting_is_left_out() -> None:
    """The reason is the model's, and quotes both places."""
    made = read(members(), noting((BEES, STUNG, True)))
    assert made.left_out == {
        "c/D1": f"bees and stings: c/D1:2.1 says {STUNG!r}, but a/D1:2.1 {BEES!r}"
    }
    assert [one.id for one in made.members] == ["a", "b"]


def test_words_are_quoted_as_they_stand() -> None:
    """Case, typographic signs and the stop at the end do not matter."""
    said = "I’d be in hospital after   one sting."
    dialogues = [member("a", [BEES]), member("c", [said])]
    reader = noting((BEES, "hospital", True), of_c="i'd be in hospital after one sting")
    assert "'I’d be in hospital after one sting.'" in read(dialogues, reader).left_out["c/D1"]


@pytest.mark.parametrize("words", ["I am allergic to bees.", "", "sting and I wou"])
def test_a_quotation_that_does_not_stand_there_is_refused(words: str) -> None:
    """It counts for nothing, is shown to no other prompt, and a finding says so."""
    reader = noting((BEES, STUNG, True), of_c=words)
    assert read(members(), reader).left_out == {}
    (finding,) = reader.findings
    assert finding.rule == "lives.not_read"
    assert f"expected words of somebody's turn, got {words!r} in c/D1:2" in finding.message
    assert reader.listed == []


def test_what_the_assistant_says_is_no_word_of_the_user() -> None:
    """A quotation of a reply is refused."""
    reader = noting(of_c="Thank you, I keep that in mind.")
    read(members(), reader)
    assert [one.rule for one in reader.findings] == ["lives.not_read"]


@pytest.mark.parametrize(
    ("other", "why"), [(9, "number 9, which was not shown"), (1, "twice the same")]
)
def test_a_pair_of_other_statements_is_refused(other: int, why: str) -> None:
    """A number that was not shown, and two statements of one dialogue, are no contradiction."""
    reader = noting((1, other, True))
    assert read(members(), reader).left_out == {}
    (finding,) = reader.findings
    assert finding.rule == "lives.not_read"
    assert why in finding.message


def test_what_a_model_is_not_sure_of_people_look_at() -> None:
    """Nobody is left out, and a finding quotes both."""
    reader = noting((BEES, STUNG, False))
    assert read(members(), reader).left_out == {}
    (finding,) = reader.findings
    assert finding.rule == "lives.unsure_contradiction"
    assert f"a/D1:2.1 {BEES!r} and c/D1:2.1 {STUNG!r}" in finding.message


def test_the_profile_stands_among_the_statements() -> None:
    """What a dialogue says against it leaves the dialogue out."""
    profile = Profile(summary="Mara keeps bees on her roof.")
    dialogues = []
    for one in members():
        talk = one.conversation
        speakers = [talk.speakers[0].model_copy(update={"profile": profile}), *talk.speakers[1:]]
        changed = talk.model_copy(update={"speakers": speakers})
        dialogues.append(Bundle(conversation=changed))
    reader = noting(("Mara keeps bees", STUNG, True))
    made = read(dialogues, reader)
    assert made.left_out["c/D1"].endswith("but the profile 'Mara keeps bees on her roof.'")


def test_the_model_is_shown_the_days_in_order() -> None:
    """Statements stand under their dialogues, the earliest first; a user turn is no reply."""
    dialogues = [
        member("a", [BEES], date="2024-05-02"),
        member("c", [STUNG], date="2023-01-09"),
    ]
    reader = noting()
    read(dialogues, reader)
    heads = [one for one in reader.listed[0].splitlines() if one.startswith("Dialogue")]
    assert heads == ["Dialogue c/D1 (2023-01-09):", "Dialogue a/D1 (2024-05-02):"]
    shown = reader.tasks[0].inputs
    assert shown["day"] == "2024-05-02"
    assert shown["rounds"][1] == {
        "round": "D1:2",
        "said": [f"user: {BEES}"],
        "reply": "Thank you, I keep that in mind.",
    }


def test_many_statements_are_compared_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two statements stand in a prompt together, and a pair counts once."""
    monkeypatch.setattr(by_model, "AT_ONCE", 2)
    reader = noting((BEES, STUNG, True))
    reader.quotes["b/D1"] = [("D1:2", "It was a long week."), ("D1:2", "a long week")]
    made = read(members(), reader)
    assert len(reader.listed) == 6
    assert list(made.left_out) == ["c/D1"]


def test_an_estimate_counts_what_is_read() -> None:
    """The stand-in notes something of every round, so that the list has its usual length."""
    stand_in = LifeStandIn()
    reader = noting()
    reader.write_all = lambda tasks: [stand_in.write(one) for one in tasks]  # type: ignore[method-assign]
    read(members(), reader)
    assert reader.findings == []
    assert stand_in.tallies.by_role["extractor"].calls == 3
    assert stand_in.tallies.by_role["auditor"].calls == 1
    assert stand_in.tallies.by_role["auditor"].input > 3 * 6 * 15
