"""What each dial of the simulator moves, and what else moves with it.

Runs a recipe for each value of each dial, all else as in the recipe, and prints a table in Markdown
of how hard its questions are, and of what its histories hold (`memassay stats` prints the same for
one release)::

    python benchmarks/dials.py recipes/demo.yaml
    python benchmarks/dials.py recipes/demo.yaml --dials updates rounds_needed --seeds 41 42
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import yaml

import memassay
from memassay.schemas.queries.hardness import Hardness
from memassay.schemas.records.bundle import Bundle
from memassay.synth.paths.m3exam.stats.dials import count_dials, dial_figures

VALUES: Final = {
    "evidence_distance": (0.0, 0.75, 1.0),
    "updates": (0.0, None, 1.0),
    "distractor_likeness": (0.0, 0.5, 1.0),
    "visual_share": (0.0, None, 1.0),
    "rounds_needed": (0.0, None, 1.0),
    "assistant_reads": (0.0, 0.4, 1.0),
}
"""By dial a low value, its default, a high one; None is chance."""
_MEASURES: Final = {
    "rounds needed": lambda one: one.rounds_needed,
    "sessions between": lambda one: one.evidence_distance,
    "updated": lambda one: one.updates > 0,
    "facts alike": lambda one: one.likeness,
    "in pixels only": lambda one: one.visual_share,
    "said once": lambda one: one.said_once,
}
_MOVED: Final = {
    "updates": "facts replaced, %",
    "distractor_likeness": "pictures alike, %",
    "visual_share": "facts in pixels only, %",
    "assistant_reads": "pictures read, %",
}
"""What is counted of a history for a dial, as the table names it."""


def turned(recipe: Path, dial: str, value: float | None, folder: Path) -> Path:
    """The recipe with one dial turned, in a file beside what it may name."""
    document = yaml.safe_load(recipe.read_text("utf-8"))
    document["dials"] = {**document.get("dials", {}), dial: value}
    document["gates"] = {}
    path = folder / f"{dial}-{value}.yaml"
    path.write_text(yaml.safe_dump(document), "utf-8")
    return path


def rows(
    recipe: Path, dials: Sequence[str], seeds: Sequence[int | None], folder: Path
) -> Iterator[tuple[str, str, list[Hardness], list[Bundle]]]:
    """Dial, value, the hardness of the questions of all runs, and their histories."""
    for dial in dials:
        for value in VALUES[dial]:
            path = turned(recipe, dial, value, folder)
            hardness: list[Hardness] = []
            histories: list[Bundle] = []
            for seed in seeds:
                # One workspace: what a dial does not touch is made once.
                release = memassay.run(path, folder / "runs", seed=seed)
                hardness += memassay.hardness(release).values()
                histories += release.bundles()
            yield dial, "chance" if value is None else f"{value:g}", hardness, histories


def _mean(found: Sequence[Hardness], measure: str) -> str:
    values = [value for one in found if (value := _MEASURES[measure](one)) is not None]
    return f"{fmean(values):.2f}" if values else "-"


def _moved(histories: Sequence[Bundle]) -> dict[str, str]:
    """What `memassay stats` counts of histories for each dial: the first row of it."""
    figures = dial_figures(map(count_dials, histories))
    counted = [row for figure in figures for row in figure.rows]
    return {str(row["dial"]): str(row["ours"]) for row in reversed(counted)}


def _print_row(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--dials", nargs="+", choices=VALUES, default=list(VALUES))
    parser.add_argument("--seeds", type=int, nargs="+", default=[None])
    asked = parser.parse_args()
    _print_row("dial", "value", "questions", *_MEASURES, *_MOVED.values())
    _print_row(*["---"] * (3 + len(_MEASURES) + len(_MOVED)))
    with tempfile.TemporaryDirectory() as folder:
        made = rows(asked.recipe, asked.dials, asked.seeds, Path(folder))
        for dial, value, found, histories in made:
            cells = [_mean(found, measure) for measure in _MEASURES]
            moved = _moved(histories)
            counts = [moved.get(one, "-") for one in _MOVED]
            _print_row(f"`{dial}`", value, str(len(found)), *cells, *counts)


if __name__ == "__main__":
    main()
