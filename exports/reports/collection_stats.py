"""Counts of a release, collection by collection, in the shape of the papers' own tables."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from memassay.exports.release.tallies import audit_rows
from memassay.exports.reports.hardness import HardnessCounts
from memassay.exports.reports.origins import OriginCounts
from memassay.schemas.benchmarks.shapes import Benchmark, PaperTables, Sizes, TypeSize
from memassay.schemas.blame import advice, blaming
from memassay.schemas.contracts.figures import Cell, Figure
from memassay.schemas.contracts.paths import AnyPath, benchmark_of
from memassay.schemas.errors import RecordError
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.records.bundle import Bundle


@dataclass(frozen=True)
class SizeRow:
    """Sizes of one conversation, or of all, with what is printed of it."""

    name: str
    ours: Sizes
    paper: Sizes


@dataclass(frozen=True)
class TypeRow:
    """One question type of a paper, with what is printed of it."""

    code: str
    name: str
    ours: TypeSize
    paper: TypeSize


@dataclass(frozen=True)
class CollectionStats:
    """One collection of a release.

    Attributes:
        collection: Its name, e.g. `mem-gallery`.
        source: Where the paper's numbers are printed; empty where nothing is.
        conversations: One row each, in natural order of their ids; the last is the total.
        types: One row per question type, in the paper's order, others after it.
        figures: What else the collection's own paper counts.
    """

    collection: str
    source: str
    conversations: list[SizeRow]
    types: list[TypeRow]
    figures: list[Figure] = field(default_factory=list)


class CollectionCounts:
    """Counts of a release while its conversations pass by, one at a time."""

    def __init__(self, paths: Mapping[str, AnyPath]) -> None:
        """Count nothing yet.

        Args:
            paths: By collection, the path that says what its types are, and counts figures of its
                own.
        """
        self._paths = paths
        self._found: dict[str, _Counts] = {}

    def add(self, bundle: Bundle) -> None:
        """Count a conversation; those of one collection come in natural order of their ids."""
        name = bundle.conversation.collection
        own = self._found.setdefault(name, _Counts())
        own.sizes.append((bundle.id, bundle.conversation.title or "", sizes_of(bundle)))
        own.origins.add(bundle)
        own.hardness.add(bundle)
        for item in bundle.questions:
            cited = len(item.evidence.groups or item.evidence.canonical)
            own.cited.setdefault(item.benchmark_type, []).append(cited)
        if (path := self._paths.get(name)) is not None:
            with blaming(f"the figures of path {path.name}", path.figures.count):
                own.figures.append(path.figures.count(bundle))

    def stats(self) -> list[CollectionStats]:
        """What was counted, collections by name."""
        return [_stats(name, self._found[name], self._paths) for name in sorted(self._found)]


@dataclass(frozen=True)
class _Counts:
    """What was counted of a collection.

    Attributes:
        sizes: By conversation and its title.
        origins: Of its sessions.
        hardness: Of its questions.
        cited: By code of a type, the places of evidence of each question.
        figures: What its path counted of each conversation.
    """

    sizes: list[tuple[str, str, Sizes]] = field(default_factory=list)
    origins: OriginCounts = field(default_factory=OriginCounts)
    hardness: HardnessCounts = field(default_factory=HardnessCounts)
    cited: dict[str, list[int]] = field(default_factory=dict)
    figures: list[Any] = field(default_factory=list)


def collection_stats(
    bundles: Iterable[Bundle], paths: Mapping[str, AnyPath]
) -> list[CollectionStats]:
    """Counts per collection, collections by name.

    Args:
        bundles: All conversations, in natural order of their ids.
        paths: As `CollectionCounts` takes them.
    """
    counts = CollectionCounts(paths)
    for bundle in bundles:
        counts.add(bundle)
    return counts.stats()


def audit_figures(flaws: Sequence[Flaw], repairs: Iterable[Repair]) -> list[Figure]:
    """What the audits found and mended, if they did anything."""
    rows = audit_rows(flaws, repairs)
    return [Figure("Audits: flaws planted, found, repaired", rows)] if rows else []


def bank_figures(tallies: Iterable[BankTally], order: Iterable[str] = ()) -> list[Figure]:
    """What question banks kept and dropped, by type and reason, over all conversations.

    Args:
        tallies: What each bank did.
        order: Codes of types that come first, in this order.
    """
    by_code: dict[str, list[BankTally]] = {}
    for tally in tallies:
        by_code.setdefault(tally.code, []).append(tally)
    rows: list[dict[str, Cell]] = []
    known = [code for code in order if code in by_code]
    for code in dict.fromkeys([*known, *by_code]):
        dropped: Counter[str] = Counter()
        for tally in by_code[code]:
            dropped.update({each.reason: each.drafts for each in tally.dropped})
        row: dict[str, Cell] = {
            "code": code,
            "wanted": sum(tally.wanted for tally in by_code[code]),
            "kept": sum(tally.kept for tally in by_code[code]),
            "dropped drafts": dropped.total(),
            "why": ", ".join(f"{reason} {number}" for reason, number in sorted(dropped.items())),
        }
        rows.append(row)
    return [Figure("Question bank: drafts kept and dropped", rows)] if rows else []


def sizes_of(bundle: Bundle) -> Sizes:
    """Sessions, rounds, images of the history, questions, images of the questions."""
    return Sizes(
        len(bundle.conversation.sessions),
        len(bundle.conversation.rounds()),
        len(bundle.conversation.attachments()),
        len(bundle.questions),
        sum(len(item.question.attachments) for item in bundle.questions),
    )


def _stats(collection: str, counts: _Counts, paths: Mapping[str, AnyPath]) -> CollectionStats:
    benchmark = benchmark_of(collection, paths)
    printed = benchmark.printed or PaperTables("", Sizes(), {})
    titles = {_words(title): sizes for title, sizes in printed.conversations.items()}
    rows = [_size_row(name, title, sizes, titles) for name, title, sizes in counts.sizes]
    every = [sizes for *_, sizes in counts.sizes]
    total = SizeRow(f"all {len(every)}", Sizes(*map(sum, zip(*every, strict=True))), printed.total)
    figures = counts.origins.figures()
    figures += _figures_of(paths[collection], counts.figures) if collection in paths else []
    figures += counts.hardness.figures()
    types = _types(benchmark, counts.cited, printed)
    return CollectionStats(collection, printed.source, [*rows, total], types, figures)


def _size_row(name: str, title: str, sizes: Sizes, printed: Mapping[str, Sizes]) -> SizeRow:
    """A conversation beside the printed one that has its title or its id."""
    called = title if _words(title) in printed else name
    return SizeRow(called, sizes, printed.get(_words(called), Sizes()))


def _figures_of(path: AnyPath, counts: Sequence[Any]) -> list[Figure]:
    """The figures of a path.

    Raises:
        RecordError: Rows of one table have different heads, so that no column could be printed.
    """
    with blaming(f"the figures of path {path.name}", path.figures.show):
        figures = list(path.figures.show(counts))
    for each in figures:
        for at, row in enumerate(each.rows, start=1):
            if row.keys() != each.rows[0].keys():
                raise RecordError(
                    f"figure {each.title!r} of path {path.name}: expected the keys "
                    f"{', '.join(each.rows[0])} in every row, got {', '.join(row)} in row {at}; "
                    f"{advice(path.figures.show)}"
                )
    return figures


def _types(
    benchmark: Benchmark, cited: Mapping[str, list[int]], printed: PaperTables
) -> list[TypeRow]:
    known = benchmark.types
    codes = dict.fromkeys([*printed.types, *sorted(cited, key=natural_key)])
    return [
        TypeRow(
            code,
            known[code].name if code in known else "",
            _type_size(cited.get(code, [])),
            printed.types.get(code, TypeSize()),
        )
        for code in codes
    ]


def _type_size(cited: Sequence[int]) -> TypeSize:
    return TypeSize(len(cited), round(fmean(cited), 2) if any(cited) else None)


def _words(title: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", title.lower()))
