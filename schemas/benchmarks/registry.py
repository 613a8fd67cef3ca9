"""Every published benchmark: a module here that has a `BENCHMARK`, by the name of its collections.

A path that makes a collection of another name declares its own (`SynthesisPath.benchmark`).
"""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from memassay.schemas import benchmarks
from memassay.schemas.benchmarks.shapes import Benchmark, PaperTables, PaperType
from memassay.schemas.records.question_type import QuestionType

_NOT_ONE: Final = frozenset({"constraints", "registry", "shapes"})


def _benchmark(module: str) -> Benchmark:
    found: Benchmark = import_module(f"{benchmarks.__name__}.{module}").BENCHMARK
    return found


BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    found.name.replace("_", "-"): _benchmark(found.name)
    for found in pkgutil.iter_modules(benchmarks.__path__)
    if found.name not in _NOT_ONE
}
"""By the name of its collections, which is that of its module with `-` for `_`."""

PAPER_TYPES: Final[Mapping[str, Mapping[str, PaperType]]] = {
    name: each.types for name, each in BENCHMARKS.items()
}
"""By collection and the paper's own code, what the paper's question type is."""

PAPER_TABLES: Final[Mapping[str, PaperTables]] = {
    name: each.printed for name, each in BENCHMARKS.items() if each.printed is not None
}
"""By collection; a collection that is not here has nothing printed to compare with."""

CROSSWALK: Final[Mapping[str, Mapping[str, QuestionType]]] = {
    collection: {code: paper_type.type for code, paper_type in codes.items()}
    for collection, codes in PAPER_TYPES.items()
}
"""By collection, from the paper's code of a question type to ours."""


def published_benchmark(collection: str) -> Benchmark:
    """What a paper defines of a collection; an empty one where no paper is known."""
    return BENCHMARKS.get(collection, Benchmark())


def question_type(collection: str, code: str) -> QuestionType | None:
    """Our type for a paper's code; None when the paper has no such code."""
    return CROSSWALK.get(collection, {}).get(code)
