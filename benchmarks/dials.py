"""What each dial of the simulator moves, and what else moves with it.

Runs a recipe once for each value of each dial, all else as in the recipe, and prints a table in
Markdown of how hard its questions are (`memassay stats` prints the same for one release)::

    python benchmarks/dials.py recipes/demo.yaml
    python benchmarks/dials.py recipes/demo.yaml --dials updates rounds_needed --seed 41
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


def turned(recipe: Path, dial: str, value: float | None, folder: Path) -> Path:
    """The recipe with one dial turned, in a file beside what it may name."""
    document = yaml.safe_load(recipe.read_text("utf-8"))
    document["dials"] = {**document.get("dials", {}), dial: value}
    document["gates"] = {}
    path = folder / f"{dial}-{value}.yaml"
    path.write_text(yaml.safe_dump(document), "utf-8")
    return path


def rows(
    recipe: Path, dials: Sequence[str], seed: int | None, folder: Path
) -> Iterator[tuple[str, str, list[Hardness]]]:
    """Dial, value and the hardness of the questions of each run."""
    for dial in dials:
        for value in VALUES[dial]:
            path = turned(recipe, dial, value, folder)
            release = memassay.run(path, folder / path.stem, seed=seed)
            yield (
                dial,
                "chance" if value is None else f"{value:g}",
                [*memassay.hardness(release).values()],
            )


def _cell(found: Sequence[Hardness], measure: str) -> str:
    values = [value for one in found if (value := _MEASURES[measure](one)) is not None]
    return f"{fmean(values):.2f}" if values else "-"


def _print_row(*cells: str) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--dials", nargs="+", choices=VALUES, default=list(VALUES))
    parser.add_argument("--seed", type=int)
    asked = parser.parse_args()
    _print_row("dial", "value", "questions", *_MEASURES)
    _print_row(*["---"] * (3 + len(_MEASURES)))
    with tempfile.TemporaryDirectory() as folder:
        for dial, value, found in rows(asked.recipe, asked.dials, asked.seed, Path(folder)):
            cells = [_cell(found, measure) for measure in _MEASURES]
            _print_row(f"`{dial}`", value, str(len(found)), *cells)


if __name__ == "__main__":
    main()
