"""Kinds of defect that a person has to look at, as lists of candidates."""

import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

from date_candidates import gold_span, number, readings
from source_items import REFERENCE, Item, Record, locomo_items, share, words, yes_no

REFUSAL = re.compile(r"not mentioned|no information|unknown|cannot be", re.IGNORECASE)
DURATION = re.compile(
    r"\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s?\b"
)
DAYS_IN = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}


def answer_shares(items: list[Item]) -> Record:
    """Per type: the commonest gold, yes and no golds, refusals."""
    by_kind: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_kind[item.kind].append(item)
    shares = {}
    for kind, members in sorted(by_kind.items()):
        golds = Counter(REFERENCE["normalised"](each.answer) for each in members)
        closed = Counter(yes_no(each) for each in members)
        shares[kind] = {
            "items": len(members),
            "distinct_golds": len(golds),
            "commonest_gold_items": max(golds.values()),
            "yes": closed["yes"],
            "no": closed["no"],
            "refusals": sum(bool(REFUSAL.search(each.answer)) for each in members),
        }
    return shares


def near_duplicates(items: list[Item], least: float = 0.8) -> list[Record]:
    """Pairs of one conversation and question image whose word sets overlap by ``least``."""
    groups: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.place[0], item.image].append(item)
    found = []
    for key in sorted(groups):
        for one, other in combinations(groups[key], 2):
            left, right = set(words(one.question)), set(words(other.question))
            overlap = len(left & right) / max(1, len(left | right))
            if overlap >= least:
                found.append(
                    other.row(
                        twin=one.place[1],
                        twin_type=one.kind,
                        overlap=round(overlap, 3),
                        same_question=REFERENCE["normalised"](one.question)
                        == REFERENCE["normalised"](other.question),
                        same_gold=REFERENCE["normalised"](one.answer)
                        == REFERENCE["normalised"](other.answer),
                        same_evidence=one.evidence == other.evidence,
                    )
                )
    return found


def wrong_speakers(path: Path) -> list[Record]:
    """Items naming one speaker whose cited turns are all spoken by the other.

    ``narrow`` keeps those where the question does not name the other speaker, not even by a short
    form, the speaker says I, and the cited turns hold half of the gold and more than the turns
    around them: what is left is the named speaker's answer in the other speaker's mouth.
    """
    names = {
        sample["sample_id"]: {sample["conversation"][side] for side in ("speaker_a", "speaker_b")}
        for sample in REFERENCE["conversations"](path)
    }
    found = []
    for item in locomo_items(path):
        asked = [n for n in sorted(names[item.place[0]]) if re.search(rf"\b{n}\b", item.question)]
        speakers = {turn["speaker"] for turn in item.cited}
        if len(asked) == 1 and speakers and asked[0] not in speakers:
            other = (names[item.place[0]] - set(asked)).pop()
            text = " ".join(turn["text"] for turn in item.cited)
            held = share(item.answer, text)
            around = share_around(item)
            narrow = (
                not re.search(rf"\b{other[:3]}", item.question)
                and bool(re.search(r"\b(I|my|me|we|our)\b", text, re.IGNORECASE))
                and held >= 0.5
                and held > around
            )
            found.append(
                item.row(
                    names=asked[0], held=round(held, 2), around=round(around, 2), narrow=narrow
                )
            )
    return found


def share_around(item: Item) -> float:
    """Largest part of the gold that one turn beside a cited turn holds."""
    return max(
        (share(item.answer, text) for turn in item.cited for text in turn.get("around", [])),
        default=0.0,
    )


def off_by_one(items: list[Item]) -> list[Record]:
    """Items citing one turn with no word of the gold while a turn beside it holds most of it."""
    return [
        item.row(around=round(share_around(item), 2))
        for item in items
        if len(item.cited) == 1
        and share(item.answer, item.cited[0]["text"]) == 0
        and share_around(item) >= 0.6
        and not yes_no(item)
    ]


def readable(items: list[Item]) -> Record:
    """Per type: golds verbatim, with all or half of their words, in the cited turns and date."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if item.cited:
            text = " ".join(f"{t['text']} {t['ids']} {t['day'].isoformat()}" for t in item.cited)
            gold, seen = REFERENCE["normalised"](item.answer), REFERENCE["normalised"](text)
            held = share(item.answer, text)
            row = table[item.kind]
            row["items"] += 1
            row["verbatim"] += f" {gold} " in f" {seen} "
            row["all_words"] += held == 1
            row["half_of_words"] += held >= 0.5
            row["no_word"] += held == 0
            row["yes_no"] += bool(yes_no(item))
    return {kind: dict(sorted(row.items())) for kind, row in sorted(table.items())}


def hidden_only(items: list[Item]) -> list[Record]:
    """Items with gold words in the image search query of a cited turn and in no text or caption."""
    found = []
    for item in items:
        seen = set(words(" ".join(turn["text"] for turn in item.cited)))
        hidden = set(words(" ".join(turn["hidden"] for turn in item.cited))) - seen
        if kept := sorted(hidden & set(words(item.answer))):
            found.append(
                item.row(words_only_in_query=len(kept), gold_words=len(words(item.answer)))
            )
    return found


def golds_in_questions(items: list[Item]) -> list[Record]:
    """Items whose whole gold, at least four letters, stands in the question."""
    return [
        item.row()
        for item in items
        if len(REFERENCE["normalised"](item.answer)) >= 4
        and f" {REFERENCE['normalised'](item.answer)} "
        in f" {REFERENCE['normalised'](item.question)} "
        and not re.search(r"\bor\b", item.question)
    ]


def date_candidates(items: list[Item]) -> list[Record]:
    """Items whose gold date misses a relative expression of a cited turn.

    ``misses`` is "all" when no expression of the cited turns allows the gold, else "some".
    ``certain`` keeps the golds of day, month or year precision in turns that hold one expression,
    and that a sharp one.
    """
    found = []
    for item in items:
        if not item.cited or item.kind == "5":
            continue
        gold = gold_span(item.answer, item.cited[0]["day"])
        said = [each for turn in item.cited for each in readings(turn["text"], turn["day"])]
        missed = [r for r in said if gold and not any(s.meets(gold[0]) for s in r.spans)]
        if gold is None or not missed:
            continue
        found.append(
            item.row(
                gold=[gold[0].first.isoformat(), gold[0].last.isoformat(), gold[1]],
                spoken=sorted({turn["day"].isoformat() for turn in item.cited}),
                said=[[r.words, *(s.first.isoformat() for s in r.spans)] for r in said],
                misses="all" if missed == said else "some",
                certain=gold[1] != "loose" and len(said) == 1 and said[0].sharp,
            )
        )
    return found


def undated_days(items: list[Item]) -> list[Record]:
    """Items with a gold day that is no cited session's, where no turn says anything relative."""
    found = []
    for item in items:
        gold = gold_span(item.answer, item.cited[0]["day"]) if item.cited else None
        if (
            gold
            and gold[1] == "day"
            and item.kind != "5"
            and gold[0].first not in {turn["day"] for turn in item.cited}
            and not any(readings(turn["text"], turn["day"]) for turn in item.cited)
        ):
            found.append(item.row(gold=gold[0].first.isoformat()))
    return found


def date_coverage(items: list[Item]) -> Record:
    """How many golds were read as dates, and how many of them met a relative expression."""
    dated = [
        any(readings(turn["text"], turn["day"]) for turn in item.cited)
        for item in items
        if item.cited and item.kind != "5" and gold_span(item.answer, item.cited[0]["day"])
    ]
    return {"gold_is_a_date": len(dated), "with_relative_expression": sum(dated)}


def duration_candidates(items: list[Item]) -> list[Record]:
    """Items asking how long between sessions; the gold and the gap between the cited sessions."""
    found = []
    for item in items:
        days = sorted({turn["day"] for turn in item.cited})
        match = DURATION.search(item.answer.lower())
        asks = re.search(r"how (many (days|weeks|months|years)|long)", item.question, re.IGNORECASE)
        if match and asks and len(days) > 1 and item.kind != "5":
            gap = (days[-1] - days[0]).days / DAYS_IN[match[2]]
            off = abs(gap - number(match[1])) > 1
            found.append(item.row(gold=match[0], gap=round(gap, 2), off=off))
    return found


def repeated_texts(folder: Path, path: Path) -> Record:
    """Utterances of at least five words said more than once in one conversation."""
    said: dict[str, list[str]] = {}
    for name, scenario in REFERENCE["scenarios"](folder):
        rounds = REFERENCE["scenario_rounds"](scenario)
        said[name] = [each[side] for each in rounds for side in ("user", "assistant")]
    for sample in REFERENCE["conversations"](path):
        said[sample["sample_id"]] = [t["text"] for t in REFERENCE["conversation_turns"](sample)]
    counted = {
        name: Counter(n for t in texts if len((n := REFERENCE["normalised"](t)).split()) >= 5)
        for name, texts in said.items()
    }
    return {name: sum(c - 1 for c in count.values()) for name, count in sorted(counted.items())}
