"""Re-derives the gold of every question from what an evaluator gets of a release.

Run `python benchmarks/independent_reader.py RELEASE [--json]`. It shares no code with the package:
it reads the release's tables with pyarrow, the questions by patterns of its own, dates, numbers
and phrases in the text of the cited rounds, and pixels with Tesseract and by colour; of
single dialogues it reads all rounds. At least 95 % of ss, ms, tr, mr, fm and fj and 85 % of IE,
IU, IM and MR are to be re-derived, of those that the release has; th and ii are only counted as
readable, other types are listed as not read.
Exit code 0 if they are, 1 if not, 2 without Tesseract.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, TextIO

from reader_choices import chosen, holds
from reader_compare import same, within
from reader_courses import in_order, outcomes, runs_out
from reader_dialogues import CODES, read_dialogue
from reader_forms import by_form, form_of, new_share
from reader_found import found
from reader_ocr import tesseract
from reader_release import Item, read_release
from reader_said import detail, moment
from reader_series import course, every_kind, in_series, usual
from reader_several import before_and_after, changed_by, followed, labels_of
from reader_shown import Gallery, seen
from reader_text import Weights, sentences
from reader_usage import Usage
from reader_values import kind_of

BARRED: Final = ("ss", "ms", "tr", "mr", "fm", "fj")
READABLE: Final = ("th", "ii")
BARS: Final = dict.fromkeys(BARRED, 0.95) | dict.fromkeys(CODES, 0.85)
"""Least share of each type that is to be re-derived."""
READ: Final = (*BARS, *READABLE)
FEW: Final = 20
"""Types with fewer questions than this are held to their bars together."""


@dataclass(frozen=True)
class Outcome:
    """What was read for an item.

    Attributes:
        item: Its id.
        code: Its type.
        question: Its words.
        gold: Its gold.
        read: What the reader found; empty for nothing.
        right: Whether the gold was re-derived (for `th`, `ii`: is readable).
        exact: Whether the value itself was singled out, not only its sentence.
    """

    item: str
    code: str
    question: str
    gold: tuple[str, ...]
    read: tuple[str, ...]
    right: bool
    exact: bool


class Reader:
    """Answers the questions of one release."""

    def __init__(self, folder: Path) -> None:
        """Read the release in a folder."""
        self.release = read_release(folder)
        self.weights = {name: Weights(rounds) for name, rounds in self.release.rounds.items()}
        self.gallery = Gallery()
        self.usage = Usage(each for rounds in self.release.rounds.values() for each in rounds)

    def outcome(self, item: Item) -> Outcome:
        """What is read for an item, compared with its gold."""
        if item.code in CODES:
            return self._in_dialogue(item)
        if item.code == "ss":
            return self._detail(item)
        if item.code in READABLE:
            return self._readable(item)
        if item.code == "ms" and (step := followed(item.question, item.rounds)):
            question, rounds = step
            asked = self._detail(replace(item, question=question, rounds=rounds))
            return replace(asked, question=item.question)
        if item.code == "ms" and (kind := usual(item.question, item.rounds, self._words(item))):
            right = same(item.values[0], kind) or within(item.values[0], kind)
            return self._outcome(item, (kind,), right, right)
        read = self._answers(item)
        golds, gathered = item.values, self._gathered(item)
        if gathered:
            read, golds = (tuple(sorted(one, key=str.lower)) for one in (gathered, golds))
        elif item.code == "ms" and not read and (labels := labels_of(item.question, len(golds))):
            return self._details(item, labels)
        right = len(read) == len(golds) and all(map(same, golds, read))
        return self._outcome(item, read, right, right)

    def _in_dialogue(self, item: Item) -> Outcome:
        """An answer from the whole dialogue; all pieces of a list in any order."""
        rounds = self.release.rounds[item.conversation]
        read = read_dialogue(item, rounds, self.gallery, self.usage)
        golds = tuple(sorted(item.values, key=str.lower)) if item.code == "IE" else item.values
        right = len(read) == len(golds) and all(map(same, golds, read))
        return self._outcome(item, read, right, right)

    def _gathered(self, item: Item) -> tuple[str, ...]:
        """All of a kind, in any order; nothing for questions that ask for something else."""
        if item.code != "ms":
            return ()
        return outcomes(item.question, item.rounds) or every_kind(
            item.question, item.rounds, self._words(item)
        )

    def _words(self, item: Item) -> Weights:
        return self.weights[item.conversation]

    def _outcome(self, item: Item, read: tuple[str, ...], right: bool, exact: bool) -> Outcome:
        return Outcome(item.id, item.code, item.question, item.values, read, right, exact)

    def _answers(self, item: Item) -> tuple[str, ...]:
        weights, rounds = self._words(item), item.rounds
        every = self.release.rounds[item.conversation]
        if item.code == "tr" and (listed := in_order(item.question, rounds, weights)):
            return listed
        if item.code == "ms" and (ends := course(item.question, rounds, weights)):
            return ends
        if item.code == "ms" and len(item.values) == 2:
            kind = kind_of(item.values[0])
            both = before_and_after(item.question, item.values, kind, rounds, weights)
            return tuple(both or ())
        read = {
            "ms": lambda: (
                in_series(item.question, rounds, weights)
                or changed_by(item.question, item.values[0], rounds, weights)
            ),
            "tr": lambda: (
                in_series(item.question, rounds, weights)
                or runs_out(item.question, rounds, weights)
                or moment(item.question, rounds, weights)
            ),
            "mr": lambda: seen(item.question, rounds, every, self.gallery),
            "fm": lambda: found(item.question, rounds, self.gallery),
            "fj": lambda: chosen(item.question, rounds, weights),
        }[item.code]()
        return () if read is None else (read,)

    def _detail(self, item: Item) -> Outcome:
        """A detail counts if the sentence it was found in holds the gold."""
        weights, gold = self.weights[item.conversation], item.values[0]
        read = detail(item.question, kind_of(gold), gold, item.rounds, weights)
        if read is None:
            return self._outcome(item, (), False, False)
        exact = same(gold, read) or within(gold, read)
        around = [one for one in sentences(item.rounds) if read.lower() in one.text.lower()]
        right = exact or any(holds(one, gold) for one in around)
        return self._outcome(item, (read,), right, exact)

    def _details(self, item: Item, labels: tuple[str, ...]) -> Outcome:
        """Several details, each read in its own cited round as a single one is."""
        parts = []
        for at, (label, gold) in enumerate(zip(labels, item.values, strict=True)):
            own = item.rounds[at : at + 1] if len(item.rounds) == len(labels) else item.rounds
            asked = replace(item, question=f"What is {label}?", values=(gold,), rounds=own)
            parts.append(self._detail(asked))
        read = tuple(text for part in parts for text in part.read)
        right, exact = all(part.right for part in parts), all(part.exact for part in parts)
        return self._outcome(item, read, right, exact)

    def _readable(self, item: Item) -> Outcome:
        texts = [" ".join(each.turns).lower() for each in item.rounds]
        if item.code == "th":
            readable = all(any(step.lower() in text for text in texts) for step in item.values)
        else:
            readable = len(texts) >= 2 and not any(item.values[0].lower() in text for text in texts)
        return self._outcome(item, (), readable, readable)


def summary(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """By type: questions, those answered, re-derived, singled out exactly; share re-derived."""
    table: dict[str, dict[str, float]] = {}
    for code in READ:
        own = [one for one in outcomes if one.code == code]
        if own:
            right = sum(one.right for one in own)
            table[code] = {
                "n": len(own),
                "derived": sum(one.right or bool(one.read) for one in own),
                "right": right,
                "share": right / len(own),
                "exact": sum(one.exact for one in own),
            }
    return table


def not_read(items: Sequence[Item]) -> dict[str, int]:
    """By type that this reader cannot read, how many questions there are."""
    return dict(sorted(Counter(one.code for one in items if one.code not in READ).items()))


def forms(outcomes: Sequence[Outcome]) -> list[tuple[str, str, bool]]:
    """Type, form by its words, and whether it was re-derived, of each question with a form."""
    rows = [(one.code, form_of(one.code, one.question), one.right) for one in outcomes]
    return [row for row in rows if row[1]]


def passes(table: dict[str, dict[str, float]], bar: float | None = None) -> bool:
    """Whether the types with a bar reach it, or the one given.

    Types of fewer than `FEW` questions are held to their bars together: of 8 questions, two that
    this reader misreads are a quarter.
    """
    barred = {code: row for code, row in table.items() if code in BARS}
    few = [code for code, row in barred.items() if row["n"] < FEW]
    large = [code for code in barred if code not in few]
    asked = sum(barred[code]["n"] * (bar or BARS[code]) for code in few)
    together = sum(barred[code]["right"] for code in few) >= asked
    return together and all(table[code]["share"] >= (bar or BARS[code]) for code in large)


def report(
    outcomes: Sequence[Outcome], unread: dict[str, int], out: TextIO, bar: float | None = None
) -> None:
    """Print the table by type, the types not read, and every miss."""
    for code, row in summary(outcomes).items():
        what = f"bar {bar or BARS[code]:.0%}" if code in BARS else "readable, no bar"
        counts = f"{row['right']:4.0f} of {row['n']:4.0f}  {row['share']:7.1%}"
        answered = f"answered {row['derived']:4.0f}  exactly {row['exact']:4.0f}"
        print(f"{code}  {counts}  {answered}  ({what})", file=out)
    for code, count in unread.items():
        print(f"{code}  not read  {count:4}", file=out)
    rows = forms(outcomes)
    for code, form, count, right in by_form(rows):
        print(f"{code}  {form:24} {right:4} of {count:4}", file=out)
    for code in sorted({code for code, _, _ in rows}):
        print(f"{code}  by the new forms {new_share(rows, code):7.1%}", file=out)
    for one in outcomes:
        if not one.right:
            print(f"\n{one.code} {one.item}\n  {one.question}", file=out)
            print(f"  gold {list(one.gold)}\n  read {list(one.read)}", file=out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a release and print how much of it was re-derived."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    parser.add_argument("--types", nargs="*", help="only these types, e.g. --types ss mr")
    parser.add_argument("--bar", type=float, help="least share of each type, 0 to 1")
    options = parser.parse_args(arguments)
    if tesseract() is None:
        sys.stderr.write("tesseract: expected the program, got none; install tesseract-ocr\n")
        return 2
    reader = Reader(options.release)
    wanted = [one for one in reader.release.items if not options.types or one.code in options.types]
    outcomes = [reader.outcome(item) for item in wanted if item.code in READ]
    unread = not_read(wanted)
    if options.json:
        document = {
            "types": summary(outcomes),
            "not_read": unread,
            "forms": [[*row] for row in by_form(forms(outcomes))],
            "misses": [asdict(one) for one in outcomes if not one.right],
            "passes": passes(summary(outcomes), options.bar),
        }
        json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        report(outcomes, unread, sys.stdout, options.bar)
    return 0 if passes(summary(outcomes), options.bar) else 1


if __name__ == "__main__":
    sys.exit(main())
