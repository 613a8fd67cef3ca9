"""Fixtures of the families balance and ledger."""

from typing import Any

from memassay.schemas.records.ledger import FactOperation, FactStatus, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat, AnswerOption, Evidence
from support.fixtures import (
    TALK,
    Case,
    Scene,
    fact,
    item,
    mention,
    numbered,
    refusal,
    scene,
)
from support.newer_fields import taught

OPTIONS = [AnswerOption(label=letter, text=letter.lower()) for letter in "ABCD"]


def _golds(*golds: str, **more: Any) -> Scene:
    return scene(
        *numbered(len(golds), lambda at: item(f"Question number {at}?", [golds[at]], **more))
    )


def _told(words: tuple[str, str]) -> Scene:
    """Forty yes-or-no questions; yes is asked for in the first word, no in the second."""
    return scene(
        *numbered(
            40,
            lambda at: item(
                f"Is number {at} {words[at % 2]}?",
                [("Yes.", "No.")[at % 2]],
                format=AnswerFormat.YES_NO,
            ),
        )
    )


def _revised(**more: Any) -> Scene:
    return scene(
        fact("F1", valid_from="2024-03-01"),
        fact("F2", "ants", operation=FactOperation.REVISE, **more),
        mention("M1", "F1"),
        mention("M2", "F2"),
    )


F1, F2 = f"{TALK}/F1", f"{TALK}/F2"
BALANCE = {
    "balance.yes_no": Case(
        bad=lambda: _golds(*["Yes."] * 14, "No."), good=lambda: _golds(*["Yes.", "No."] * 8)
    ),
    "balance.choice_letters": Case(
        bad=lambda: _golds(*"AAAAAAAAAAAABCD", format=AnswerFormat.CHOICE, options=OPTIONS),
        good=lambda: _golds(*"ABCDABCDABCD", format=AnswerFormat.CHOICE, options=OPTIONS),
    ),
    "balance.constant_gold": Case(
        bad=lambda: _golds(*["bees"] * 10),
        good=lambda: scene(*numbered(10, lambda at: refusal(f"What about number {at}?"))),
    ),
    "balance.constant_answer": Case(
        bad=lambda: _golds(*["bees"] * 8, *"abcd"), good=lambda: _golds(*"abcdefghijkl")
    ),
    "balance.question_only": Case(
        bad=lambda: _told(("even", "odd")), good=lambda: _told(("fine", "fine"))
    ),
}
LEDGER = {
    "ledger.references": Case(
        bad=lambda: scene(fact(supersedes=[F2]), mention()), good=lambda: _revised(supersedes=[F1])
    ),
    "ledger.no_cycles": Case(
        bad=lambda: scene(fact("F1", entailed_by=[F2]), fact("F2", entailed_by=[F1])),
        good=lambda: scene(fact("F1"), fact("F2", entailed_by=[F1]), mention()),
    ),
    "ledger.update_chain": Case(
        bad=lambda: _revised(supersedes=[F1], valid_from="2024-02-01"),
        good=lambda: _revised(supersedes=[F1], valid_from="2024-04-01"),
    ),
    "ledger.update_subject": Case(
        bad=lambda: _revised(supersedes=[F1], subject="Ben"),
        good=lambda: _revised(supersedes=[F1]),
    ),
    "ledger.interference": Case(
        bad=lambda: _revised(supersedes=[F1], status=FactStatus.INTERFERENCE),
        good=lambda: _revised(supersedes=[F1]),
    ),
    "ledger.rule_value": Case(
        bad=lambda: scene(
            fact(value=FactValue(type=ValueType.RULE, text="As told."), session="D1")
        ),
        good=lambda: scene(*(each.model_copy(update={"session": "D1"}) for each in taught(TALK))),
    ),
    "ledger.said": Case(
        bad=lambda: scene(fact()), good=lambda: scene(fact(), fact("F2", session="D1"), mention())
    ),
    "ledger.session_exists": Case(
        bad=lambda: scene(fact(session="D7")), good=lambda: scene(fact(session="D1"))
    ),
    "ledger.mention_resolves": Case(
        bad=lambda: scene(fact(), mention(turn="D1:1.2")), good=lambda: scene(fact(), mention())
    ),
    "ledger.span": Case(
        bad=lambda: scene(fact(), mention(span=[0, 6])),
        good=lambda: scene(fact(), mention(span=[7, 11])),
    ),
    "ledger.evidence_facts": Case(
        bad=lambda: scene(item().model_copy(update={"evidence": Evidence(facts=[F1])})),
        good=lambda: scene(
            fact(), mention(), item().model_copy(update={"evidence": Evidence(facts=[F1])})
        ),
    ),
}
CASES = BALANCE | LEDGER
