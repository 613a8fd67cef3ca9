"""M3Exam: its question types, what defines each (A.3), and what is left of its printed sizes."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.constraints import (
    LETTERS,
    Breach,
    Constraint,
    SaidAndShown,
    cited_places,
)
from memassay.schemas.benchmarks.shapes import (
    Benchmark,
    PaperTables,
    PaperType,
    Sizes,
    TypeSize,
)
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import day_forms, is_day
from memassay.schemas.values.text import content_tokens

TYPES: Final[dict[str, PaperType]] = {  # §2.2 and A.3
    "ss": PaperType("Single-session", "One detail, stated in one round.", QuestionType.FACT_RECALL),
    "ms": PaperType(
        "Multi-session",
        "Facts of at least two sessions, connected or compared.",
        QuestionType.MULTI_FACT,
    ),
    "tr": PaperType(
        "Temporal reasoning", "Dates, order of events or time spans.", QuestionType.TEMPORAL
    ),
    "mr": PaperType(
        "Multimodal reasoning",
        "A number, label, rank or sum read from a chart or page and not in the text.",
        QuestionType.VISUAL_REASONING,
    ),
    "fm": PaperType(
        "Find-matching image",
        "The one image that a description fits, among look-alikes.",
        QuestionType.VISUAL_SEARCH,
    ),
    "th": PaperType(
        "Thematic reasoning",
        "A procedure or rationale of at least three steps, in order.",
        QuestionType.THEMATIC,
    ),
    "fj": PaperType(
        "Factual judgement",
        "The right one of four options that stand in the question.",
        QuestionType.JUDGEMENT,
    ),
    "ii": PaperType(
        "Implicit inference",
        "What is never said but follows from clues of several rounds.",
        QuestionType.IMPLICIT,
    ),
}

TABLES: Final = PaperTables(
    source="M3Exam, abstract, Table 1 and Appendix A; its text lost most numbers",
    total=Sizes(sessions=239),
    types={code: TypeSize() for code in TYPES},
)

PRINTED: Final[Mapping[str, float]] = {
    "personas": 15,
    "sessions": 239,
    "rounds a session": 12.7,
    "files a session": 7.5,
}
"""What the text of M3Exam still prints of its own sizes (§1 and Table 1)."""

LONGEST_SHORT_GOLD: Final = 6
"""Most words of a single-session gold; the paper's number is lost, so this is our choice."""
LEAST_STEPS: Final = 3

_SOURCE: Final = "M3Exam A.3, construction constraints"
_VERDICTS: Final = frozenset({"yes", "no", "true", "false"})
_COUNTING: Final = re.compile(
    r"\b(how (many|often|frequently)|number of times|what number of|count)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9.,]*")
_LISTED: Final = re.compile(r"[;\n]|, |(?<=[.!?])\s+|\b[1-9][.)]\s")


def ss_one_round(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """A single-session question cites exactly one round."""
    rounds = history.rounds(cited_places(item))
    if len(rounds) != 1:
        fix = "ask for what one round alone says"
        yield Breach(("evidence",), "exactly one round", ", ".join(rounds) or "none", fix)


def ss_short_gold(_history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """The gold of a single-session question is a short phrase (six words at most, our choice)."""
    for at, value in enumerate(item.answer.values):
        if len(value.split()) > LONGEST_SHORT_GOLD:
            expected = f"at most {LONGEST_SHORT_GOLD} words"
            yield Breach(("answer", "values", at), expected, value, "ask for one detail")


def ms_sessions(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """A multi-session question needs two sessions: none alone holds all of its evidence."""
    groups = item.evidence.groups or [[place] for place in item.evidence.canonical]
    reached = [history.sessions(group) for group in groups]
    enough = set.intersection(*reached) if reached else {"no session"}
    if enough:
        fix = "join facts that were told in different sessions"
        got = f"all of it in {min(enough)}"
        yield Breach(("evidence",), "evidence of at least two sessions", got, fix)


def tr_formats(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """A date is given in several formats, and the rounds that bear the dates are cited.

    A round bears a date in full, or in words that the header of its session makes a date.
    """
    places = cited_places(item)
    days = [history.days[name] for name in item.evidence.facts if name in history.days]
    if item.answer.format is AnswerFormat.DATE:
        # A date that follows from others is said nowhere; those that it rests on are.
        days = days or [value for value in item.answer.values if is_day(value)]
        if not set(item.answer.equivalents) - set(item.answer.values):
            fix = "add the date as people write it, e.g. October 10, 2023"
            yield Breach(("answer", "equivalents"), "other formats of the date", "none", fix)
    for day in dict.fromkeys(days):
        in_full = any(history.round_says(places, form) for form in (day, *day_forms(day)))
        if not in_full and not (is_day(day) and history.round_counts(places, day)):
            fix = "cite the round in which the date is given"
            expected = f"a round that bears {day}"
            yield Breach(("evidence",), expected, ", ".join(places) or "none", fix)


def mr_pixels_only(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """The answer is read from the attachments cited, and no text up to asking holds it."""
    # Where words count too, as for a bill held against a price that was named, one fact is shown.
    rounds = set(history.rounds(cited_places(item)))
    unseen = [
        name for name in item.evidence.facts if not rounds & history.pictured.get(name, set())
    ]
    if Modality.TEXT in item.modalities and len(unseen) < len(item.evidence.facts):
        unseen = []
    shows = any(
        turn.attachments for turn in history.bundle.conversation.turns() if _in(turn, rounds)
    )
    if not shows or unseen:
        got = f"no attachment that shows {unseen[0]}" if shows else "a round without attachments"
        fix = "cite the round whose image or page shows it"
        yield Breach(("evidence",), "the attachment that shows the answer", got, fix)
    for at, value in enumerate(item.answer.values):
        if history.says(value, item.asked_at):
            fix = "ask for what only the pixels show"
            yield Breach(("answer", "values", at), "a gold that no text holds", value, fix)


def _in(turn: Turn, rounds: set[str]) -> bool:
    return turn.id.rpartition(".")[0] in rounds


def fm_candidates(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """An image is to be found among competitors, two candidates at least in its session."""
    golds, rivals = set(item.answer.values), list(dict.fromkeys(item.answer.competitors))
    shown = history.bundle.attachment_by_id
    together = {
        name for name in shown if history.sessions([name]) & history.sessions([*golds])
    } - golds
    if not rivals or not together:
        fix = "ask where two images or more are shown, and list those that do not match"
        got = "none" if not rivals else "no other image in that session"
        yield Breach(("answer", "competitors"), "at least two candidate images", got, fix)
    for at, rival in enumerate(item.answer.competitors):
        if rival in golds or rival not in shown:
            got = f"the gold, {rival}" if rival in golds else f"{rival}, which nobody showed"
            yield Breach(("answer", "competitors", at), "another image", got, "leave it out")


def th_steps(_history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """A thematic answer has three steps or more and is given from full to keyword."""
    values = item.answer.values
    parts = values if len(values) > 1 else [one for v in values for one in _LISTED.split(v) if one]
    if len(parts) < LEAST_STEPS:
        got = f"{len(parts)} of them"
        fix = "bundle steps of one procedure"
        yield Breach(("answer", "values"), "three steps or more", got, fix)
    lengths = [len(text.split()) for text in ("; ".join(values), *item.answer.coarser)]
    longer = any(after > before for before, after in pairwise(lengths))
    if len(lengths) < 2 or longer or lengths[1] == lengths[0]:
        got = ", ".join(f"{length} words" for length in lengths[1:]) or "none"
        fix = "add the steps in short, then a keyword"
        yield Breach(("answer", "coarser"), "ever shorter answers", got, fix)


def ii_unstated(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """An implicit answer is never stated, counts nothing, and follows from two rounds or more."""
    rounds = history.rounds(cited_places(item))
    if len(rounds) < 2:
        fix = "cite every round that gives a clue"
        yield Breach(("evidence",), "two rounds or more", ", ".join(rounds) or "none", fix)
    if _COUNTING.search(item.question.text):
        fix = "ask for a quality, not for a count"
        yield Breach(("question", "text"), "no counting", item.question.text, fix)
    for at, value in enumerate(item.answer.values):
        if _NUMBER.fullmatch(value.strip()):
            fix = "ask for a quality, not for a count"
            yield Breach(("answer", "values", at), "a noun phrase", value, fix)
        elif history.says(value, item.asked_at):
            fix = "ask for what follows, not for what is said"
            yield Breach(("answer", "values", at), "what nobody says", value, fix)


def fj_options(history: SaidAndShown, item: QAItem) -> Iterator[Breach]:
    """A judgement offers A to D, one right, all from the same corpus, and its gold is a letter."""
    options = item.answer.options
    if tuple(option.label for option in options) != LETTERS:
        got = ", ".join(option.label for option in options) or "none"
        yield Breach(("answer", "options"), "the four options A to D", got, "offer four")
    said = [" ".join(content_tokens(option.text)) for option in options]
    for at, option in enumerate(options):
        if said.index(said[at]) != at:
            fix = "offer four different options"
            yield Breach(("answer", "options", at), "an option of its own", option.text, fix)
        if f"{option.label}. {option.text}" not in item.question.text:
            fix = "write the options into the question"
            yield Breach(("question", "text"), "every option", f"no {option.label}", fix)
        if not history.words.union(_VERDICTS).intersection(content_tokens(option.text)):
            fix = "take options from the history"
            yield Breach(("answer", "options", at), "words of the history", option.text, fix)
    if len(item.answer.values) != 1 or item.answer.values[0] not in LETTERS:
        got = ", ".join(item.answer.values) or "none"
        yield Breach(("answer", "values"), "one letter, A to D", got, "answer with the letter only")


CONSTRAINTS: Final[tuple[Constraint, ...]] = tuple(
    Constraint(
        id=f"type.{check.__name__}",
        code=check.__name__[:2],
        what=(check.__doc__ or "").strip(),
        check=check,
        source=_SOURCE,
    )
    for check in (
        *(ss_one_round, ss_short_gold, ms_sessions, tr_formats, mr_pixels_only),
        *(fm_candidates, th_steps, ii_unstated, fj_options),
    )
)
"""Every constraint, in the order of the paper."""

BENCHMARK: Final = Benchmark(TYPES, TABLES, CONSTRAINTS)
