"""WorldMemArena's four validators on records that came from files: sound ones, and breaches."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.arena import (
    SCREEN,
    Change,
    arena_sample,
    import_sample,
    points_of,
    say,
    states,
    told_sample,
    turn,
)
from support.foreign_cases import bundle_of

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.claim_scopes import Verdict, verdict_around, verdict_later
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import RULES, check_conversation

OWN = [rule for rule in RULES if rule.id.startswith("points.")]


def caption(text: str) -> Change:
    """Change the caption of the image."""
    return lambda raw: raw["sessions"][1]["dialogue"][0]["attachments"][0].update(caption=text)


def point(session: int, at: int, **fields: Any) -> Change:
    """Change a point."""
    return lambda raw: points_of(raw, session)[at].update(fields)


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""
    return lambda raw: [each(raw) for each in changes]


def found(bundle: Bundle, rules: Sequence[Any] = OWN) -> list[tuple[str, str]]:
    """Rules that find something, with the last part of the record's id."""
    findings = check_conversation(bundle, RuleContext(), rules)
    return [(each.rule, each.target.rpartition("/")[2]) for each in findings]


@cache
def _seen_later() -> Change:
    """The claim as plain news, and a later turn that sets it aside."""
    plain = say(1, 2, "The due date of the chart screen is 4 May 2025.")
    later = turn("user", "About the due date of the chart screen: that was just Tom talking.", 10)
    return both(plain, lambda raw: raw["sessions"][1]["dialogue"].append(later))


SOUND: dict[str, Change | None] = {
    "as it is": None,
    "set aside later": _seen_later(),
    "a number in another form": say(0, 0, "I am Ravi, and my budget is 40000 euros."),
    "a date in another form": say(
        1, 2, "They denied that the due date of the chart screen is May 4, 2025."
    ),
    "another property doubted behind it": say(
        0,
        0,
        "My budget is 40,000 euros. I threw away a sketch and kept the plan, which says that my "
        "due date is 1 July 2025.",
    ),
    "what another source says": lambda raw: points_of(raw, 2)[0].update(
        is_update=False, original_memories=[], memory_source="the contract"
    ),
    "a deletion": both(
        say(2, 0, "There is no owner of the chart screen any more."),
        point(
            2,
            0,
            memory_content="Nobody has the chart screen now.",
            update_type="delete",
            fact=states(SCREEN, "owner", "Ines"),
        ),
    ),
}


@pytest.mark.parametrize("case", SOUND)
def test_sound_points_give_no_finding(tmp_path: Path, case: str) -> None:
    """Values in other notations, claims that are set aside later, and endings."""
    assert found(bundle_of(import_sample(tmp_path, told_sample(SOUND[case])))) == []


BREACHES: dict[str, tuple[Change, tuple[str, str]]] = {
    "another value is said": (
        say(1, 0, "Tara is the owner of the chart screen. Here is its board."),
        ("points.covered", "mp_S01_01"),
    ),
    "nothing is said": (say(2, 0, "Good morning."), ("points.covered", "mp_S02_01")),
    "said of another thing": (
        say(2, 0, "From now on Omar owns the login page."),
        ("points.covered", "mp_S02_01"),
    ),
    "said of another property": (
        say(2, 0, "From now on Omar tests the chart screen."),
        ("points.covered", "mp_S02_01"),
    ),
    "another unit": (say(0, 0, "My budget is 40,000 dollars."), ("points.covered", "mp_S00_01")),
    "a deletion that is none": (
        both(
            say(2, 0, "Ines is the owner of the chart screen as before."),
            point(
                2,
                0,
                memory_content="Nobody has the chart screen now.",
                update_type="delete",
                fact=states(SCREEN, "owner", "Ines"),
            ),
        ),
        ("points.covered", "mp_S02_01"),
    ),
    "denied": (
        say(1, 0, "Ines is not the owner of the chart screen. Here is its board."),
        ("points.covered", "mp_S01_01"),
    ),
    "said by somebody who was wrong": (
        say(1, 0, "Tom was wrong to think that Ines is the owner of the chart screen."),
        ("points.covered", "mp_S01_01"),
    ),
    "a sentence about another thing": (
        point(1, 0, memory_content="The login page belongs to Ines."),
        ("points.stated", "mp_S01_01"),
    ),
    "a sentence without its value": (
        point(1, 0, memory_content="The chart screen belongs to Tara."),
        ("points.stated", "mp_S01_01"),
    ),
    "another value in the caption": (
        caption("A board for the chart screen: effort 15 days"),
        ("points.pictured", "mp_S01_02"),
    ),
    "a caption of another thing": (
        caption("A board for the login page: effort 12 days"),
        ("points.pictured", "mp_S01_02"),
    ),
    "plain news": (
        say(1, 2, "The due date of the chart screen is 4 May 2025."),
        ("points.set_aside", "mp_S01_03"),
    ),
    "a claim that holds": (
        say(1, 2, "The serious line was that the due date of the chart screen is 4 May 2025."),
        ("points.set_aside", "mp_S01_03"),
    ),
    "another thing set aside": (
        both(
            _seen_later(),
            lambda raw: raw["sessions"][1]["dialogue"][-1].update(
                content="About the due date of the login page: that was just Tom talking."
            ),
        ),
        ("points.set_aside", "mp_S01_03"),
    ),
    "an update that is not marked": (
        lambda raw: points_of(raw, 2)[0].update(is_update=False, original_memories=[]),
        ("points.chain", "mp_S02_01"),
    ),
    "an update in a picture that is not marked": (
        lambda raw: points_of(raw, 2)[0].update(
            is_update=False, original_memories=[], memory_source="system"
        ),
        ("points.chain", "mp_S02_01"),
    ),
    "what never held is replaced": (
        point(2, 0, original_memories=["The chart screen is to be done by 4 May 2025."]),
        ("points.chain", "mp_S02_01"),
    ),
    "another property is replaced": (
        point(2, 0, original_memories=["The chart screen takes 12 days of work."]),
        ("points.chain", "mp_S02_01"),
    ),
    "the same value": (
        both(
            say(2, 0, "From now on Ines owns the chart screen."),
            point(
                2,
                0,
                memory_content="Ines has the chart screen now.",
                fact=states(SCREEN, "owner", "Ines"),
            ),
        ),
        ("points.chain", "mp_S02_01"),
    ),
    "a merge of one": (point(2, 0, update_type="merge"), ("points.chain", "mp_S02_01")),
}


@pytest.mark.parametrize("case", BREACHES)
def test_a_breach_is_found(tmp_path: Path, case: str) -> None:
    """At the point that it spoils."""
    change, expected = BREACHES[case]
    assert expected in found(bundle_of(import_sample(tmp_path, told_sample(change))))


def test_what_was_replaced_before_is_no_link(tmp_path: Path) -> None:
    """A chain goes on from its last value, not from an earlier one."""

    def change(raw: Any) -> None:
        third = {**points_of(raw, 2)[0], "memory_id": "mp_S02_02"}
        third |= {"memory_content": "Tara has the chart screen now.", "seen": [{"turn": 2}]}
        points_of(raw, 2).append({**third, "fact": states(SCREEN, "owner", "Tara")})
        raw["sessions"][2]["dialogue"].append(turn("user", "Tara owns the chart screen now.", 17))

    bundle = bundle_of(import_sample(tmp_path, told_sample(change)))
    assert found(bundle) == [("points.chain", "mp_S02_02")]


def test_images_beside_points_have_captions(tmp_path: Path) -> None:
    """Memories of texts are given nothing else."""
    bundle = bundle_of(import_sample(tmp_path, told_sample(caption(" "))))
    assert {rule for rule, _ in found(bundle)} == {"points.captioned", "points.pictured"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (None, []),
        (caption("A board"), [("points.covered", "mp_S01_02")]),
        (say(1, 2, "The chart screen must be done by 4 May."), [("points.set_aside", "mp_S01_03")]),
    ],
)
def test_points_of_other_files_are_read_by_their_sentences(
    tmp_path: Path, change: Change | None, expected: list[tuple[str, str]]
) -> None:
    """Upstream's files say neither value nor place: numbers and names of the session must do."""
    assert found(bundle_of(import_sample(tmp_path, arena_sample(change)))) == expected


CLAIM = "the fixer of the font bug is Leon"
AROUND = [
    ("The minutes have nothing on it, the rumour says that {}, and I go by the minutes.", "aside"),
    ("The rumour has nothing on it, the minutes say that {}, and I go by the minutes.", "holds"),
    ("Ruth says that {}, Tom says otherwise, and Tom is right.", "aside"),
    ("Ruth says that {}, Tom says otherwise, and Ruth is right.", "holds"),
    ("There was a motion: {}. Ruth said no, Tom and I said yes.", "holds"),
    ("There was a motion: {}. I said yes, Ruth and Tom said no.", "aside"),
    ("Is it so that {}? They said yes first and no in the end.", "aside"),
    ("In ours everything is left blank; in the sample it says that {}.", "aside"),
    ("I kept the plan and threw away the sketch, which says that {}.", "aside"),
    ("According to the plan, the {}; the draft says otherwise, only the plan counts.", "holds"),
    ("According to the draft, {}; the plan says otherwise, only the plan counts.", "aside"),
    ("I did not dream it: {}.", "plain"),
    ("So, {}.", "plain"),
]


@pytest.mark.parametrize(("sentence", "verdict"), AROUND)
def test_scope_is_told_by_who_is_believed(sentence: str, verdict: str) -> None:
    """The same words in another order mean the opposite."""
    head, tail = sentence.split("{}")
    assert verdict_around(head, tail) is Verdict(verdict)


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("About ", ": that was decided, not just Tom talking.", "holds"),
        ("About ", ": that was just Tom talking, not decided.", "aside"),
        ("Forget what I said about ", " and keep what Tom added.", "aside"),
        ("Keep what I said about ", " and forget what Tom added.", "holds"),
        ("On ", " trust the first page, which I read to you, not the second.", "holds"),
        ("On ", " trust the second page, not the first, which I read to you.", "aside"),
        ("And ", ", who knows?", "plain"),
    ],
)
def test_scope_can_come_later(before: str, after: str, verdict: str) -> None:
    """A later sentence that names the property decides."""
    assert verdict_later(before, after) is Verdict(verdict)
