"""How well single dialogues are brought back into the lives they were cut from, and how fast.

Every measure is printed as it stands, without a model and without the number of lives::

    python benchmarks/clustering.py lives mem-gallery DATA/mem-gallery/dialog
    python benchmarks/clustering.py lives mmrc DATA/mem-gallery/dialog
    python benchmarks/clustering.py lives locomo DATA/locomo/locomo6.json
    python benchmarks/clustering.py lives releases RELEASE_SEED_1 RELEASE_SEED_2
    python benchmarks/clustering.py shapes DATA/mem-gallery/dialog DATA/locomo/locomo6.json RELEASE
    python benchmarks/clustering.py strangers DATA/mem-gallery/dialog DATA/locomo/locomo6.json MMRC
    python benchmarks/clustering.py size 240 5120 87912

NMI and ARI count a dialogue that is left over as a cluster of its own; the number of clusters does
not. Parameters may be chosen only by how well scenarios do that were left out: `of 8` are random
subsets of eight scenarios, clustered by themselves. `strangers` has eight scenarios whole and two
dialogues of each other life among them; MMRC is a release of the path `mmrc`, where each dialogue
is a life. Exit code 1 if a bar is missed.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from random import Random
from typing import Final

from clustering_sources import (
    Known,
    as_mmrc,
    cut_in_two,
    locomo,
    made_up,
    mem_gallery,
    released,
    without_first_rounds,
    without_names,
)
from clustering_strangers import SINGLE, measure, measure_halves, some_of_each
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from memassay.synth.clusters.clustering import cluster_dialogues

BARS: Final = (0.78, 0.65, 2)
"""Least NMI and ARI, most clusters too many or too few, of all Mem-Gallery scenarios at once."""
SUBSETS: Final = 20
SUBSET: Final = 8
LEAST_LEFT_OVER, MOST_LOST = 0.5, 0.05
"""Share of other scenarios' strangers that are left over, share of members that are lost."""
MOST_SECONDS: Final = 600
MOST_MEGABYTES: Final = 4_000
MOST_SHARED: Final = 2
"""Personas of two seeds of which a cluster may hold both."""

READERS: Final[dict[str, Callable[[Path], list[Known]]]] = {
    "mem-gallery": mem_gallery,
    "mmrc": lambda folder: as_mmrc(mem_gallery(folder)),
    "locomo": locomo,
}
VARIANTS: Final[dict[str, Callable[[Known], Known]]] = {
    "as they are": lambda one: one,
    "without names": without_names,
    "without two rounds": without_first_rounds,
}


@dataclass(frozen=True)
class Agreement:
    """How clusters agree with true lives.

    Attributes:
        dialogues: How many there are.
        lives: True number.
        clusters: Predicted number.
        left_over: Dialogues in no cluster.
        nmi: Normalised mutual information, 0 to 1.
        ari: Adjusted Rand index, at most 1.
        shared: Lives whose other seed is among them and shares a cluster with them.
    """

    dialogues: int
    lives: int
    clusters: int
    left_over: int
    nmi: float
    ari: float
    shared: int


def agreement(known: Sequence[Known]) -> Agreement:
    """Cluster dialogues and hold the clusters against their lives."""
    found = cluster_dialogues([one.dialogue for one in known])
    place = {each.dialogue: one.id for one in found.clusters for each in one.members}
    true = [one.life for one in known]
    predicted = [place.get(one.dialogue.id, one.dialogue.id) for one in known]
    return Agreement(
        dialogues=len(known),
        lives=len(set(true)),
        clusters=len(found.clusters),
        left_over=len(found.left_over),
        nmi=float(normalized_mutual_info_score(true, predicted)),
        ari=float(adjusted_rand_score(true, predicted)),
        shared=_shared(known, place),
    )


def _shared(known: Sequence[Known], place: dict[str, str]) -> int:
    """Personas of which one cluster holds a dialogue of two seeds."""
    held: dict[tuple[str, str], set[str]] = {}
    for one in known:
        persona, _, seed = one.life.partition(" ")
        if seed and (cluster := place.get(one.dialogue.id)):
            held.setdefault((persona, cluster), set()).add(seed)
    return len({persona for (persona, _), seeds in held.items() if len(seeds) > 1})


def subsets(known: Sequence[Known]) -> list[Agreement]:
    """The same for random subsets of the lives."""
    lives = sorted({one.life for one in known})
    found = []
    for seed in range(SUBSETS):
        kept = set(Random(seed).sample(lives, SUBSET))
        found.append(agreement([one for one in known if one.life in kept]))
    return found


def told(name: str, one: Agreement) -> str:
    """A row of the table."""
    return (
        f"{name:22} {one.dialogues:5} {one.nmi:6.3f} {one.ari:6.3f}   "
        f"{one.clusters:3} of {one.lives:3}   {one.left_over:3} left over"
    )


def told_subsets(found: Sequence[Agreement]) -> str:
    """Mean and worst of subsets, and by how much their number was missed."""
    nmi, ari = [one.nmi for one in found], [one.ari for one in found]
    off = sorted(one.clusters - one.lives for one in found)
    near = sum(abs(each) <= BARS[2] for each in off)
    return (
        f"{f'  {len(found)} subsets of {SUBSET}':22} mean  {sum(nmi) / len(nmi):6.3f} "
        f"{sum(ari) / len(ari):6.3f}   number {off[0]:+d} to {off[-1]:+d}, within 2 in {near}\n"
        f"{'':22} worst {min(nmi):6.3f} {min(ari):6.3f}"
    )


def lives(kind: str, places: Sequence[Path]) -> bool:
    """Print the table of one source; whether it keeps its bars."""
    known = released(places) if kind == "releases" else READERS[kind](places[0])
    sys.stdout.write(f"{'':22}     n    NMI    ARI   clusters\n")
    kept = True
    for name, changed in VARIANTS.items():
        variant = [changed(one) for one in known]
        whole = agreement(variant)
        sys.stdout.write(told(name, whole) + "\n")
        if kind in ("mem-gallery", "mmrc"):
            sys.stdout.write(told_subsets(subsets(variant)) + "\n")
        if len(places) > 1:
            sys.stdout.write(f"{'':22} personas of which a cluster holds two seeds: ")
            sys.stdout.write(f"{whole.shared}\n")
        if name == "as they are":
            kept = _keeps(kind, whole)
    # Ids tell nothing of the order, so every other one is a random half.
    for half, name in enumerate(("one half", "other half")):
        sys.stdout.write(told(name, agreement(known[half::2])) + "\n")
    return kept


def shapes(scenarios: Path, others: Path, release: Path) -> bool:
    """Print how scenarios come back that are cut, mixed with other lives, or among strangers."""
    whole, people, personas = mem_gallery(scenarios), locomo(others), released([release])
    strangers = _one_of_each([*people, *personas])
    rows: dict[str, list[Known]] = {
        "whole": whole,
        "half of each": whole[::2],
        "dialogues cut in two": cut_in_two(whole),
        "with LoCoMo": [*whole, *people],
        "with M3Exam": [*whole, *personas],
        "with both": [*whole, *people, *personas],
        "with both, half": [*whole, *people, *personas][::2],
        f"with {len(strangers)} strangers": [*whole, *strangers],
    }
    sys.stdout.write(f"{'':22}     n    NMI    ARI   clusters\n")
    for name, known in rows.items():
        sys.stdout.write(told(name, agreement(known)) + "\n")
        sys.stdout.flush()
    joined = _joined(whole, strangers)
    sys.stdout.write(f"{'':22} strangers in a scenario's cluster: {joined}\n")
    return True


def strangers(scenarios: Path, others: Path, release: Path) -> bool:
    """Print where strangers among eight whole scenarios go; whether the bars are kept."""
    known, people, single = mem_gallery(scenarios), locomo(others), released([release])
    found = measure(
        known,
        {
            "of LoCoMo": lambda random: some_of_each(people, random),
            "of mmrc, simulated": lambda random: random.sample(single, SINGLE),
        },
    )
    for name, one in found.items():
        sys.stdout.write(one.row(name) + "\n")
    for number, one in enumerate(measure_halves(known), start=1):
        sys.stdout.write(one.row(f"of other scenarios, half {number}") + "\n")
    alike = found["of other scenarios"]
    left, lost = alike.left / alike.strangers, alike.lost / alike.members
    return left >= LEAST_LEFT_OVER and lost <= MOST_LOST


def _joined(whole: Sequence[Known], strangers: Sequence[Known]) -> int:
    """Strangers in a cluster of which most dialogues are not strangers."""
    found = cluster_dialogues([one.dialogue for one in [*whole, *strangers]])
    strange = {one.dialogue.id for one in strangers}
    joined = [sum(each.dialogue in strange for each in one.members) for one in found.clusters]
    sizes = [len(one.members) for one in found.clusters]
    return sum(count for count, size in zip(joined, sizes, strict=True) if 2 * count < size)


def _one_of_each(known: Sequence[Known]) -> list[Known]:
    """One dialogue of each life."""
    return list({one.life: one for one in known}.values())


def _keeps(kind: str, whole: Agreement) -> bool:
    nmi, ari, off = BARS
    if kind in ("mem-gallery", "mmrc"):
        return whole.nmi >= nmi and whole.ari >= ari and abs(whole.clusters - whole.lives) <= off
    return kind != "releases" or whole.shared <= MOST_SHARED


@dataclass(frozen=True)
class Cost:
    """What clustering made-up dialogues costs.

    Attributes:
        dialogues: How many.
        seconds: Wall time of clustering alone.
        processor: Processor time of the same; on a busy machine it says more.
        megabytes: Peak resident memory of the process, dialogues included.
        nmi: With the lives they were made of, to see that it did cluster.
    """

    dialogues: int
    seconds: float
    processor: float
    megabytes: float
    nmi: float


def cost(count: int) -> Cost:
    """Cluster so many made-up dialogues, in a process of its own."""
    dialogues = list(made_up(count))
    begun, used = time.monotonic(), time.process_time()
    found = cluster_dialogues(dialogues)
    seconds, processor = time.monotonic() - begun, time.process_time() - used
    place = {each.dialogue: one.id for one in found.clusters for each in one.members}
    true = [at // 12 for at in range(count)]
    nmi = normalized_mutual_info_score(true, [place.get(one.id, one.id) for one in dialogues])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(count, seconds, processor, peak, float(nmi))


def size(counts: Sequence[int], as_json: bool) -> bool:
    """Print seconds, memory and growth; whether the largest keeps the bars."""
    rows: list[Cost] = []
    sys.stdout.write("dialogues   seconds  processor   MB peak     NMI   grows as n^\n")
    for count in counts:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            row = pool.submit(cost, count).result()
        power = ""
        if rows:
            last = rows[-1]
            power = (
                f"{log(row.processor / last.processor) / log(row.dialogues / last.dialogues):.2f}"
            )
        rows.append(row)
        sys.stdout.write(
            f"{count:9} {row.seconds:9.1f} {row.processor:10.1f} {row.megabytes:9.0f} "
            f"{row.nmi:7.3f}   {power}\n"
        )
        sys.stdout.flush()
    if as_json:
        sys.stdout.write(json.dumps([asdict(row) for row in rows]) + "\n")
    return all(row.seconds <= MOST_SECONDS and row.megabytes <= MOST_MEGABYTES for row in rows)


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    of_lives = parts.add_parser("lives", help="agreement with the lives dialogues were cut from")
    of_lives.add_argument("kind", choices=[*READERS, "releases"])
    of_lives.add_argument("places", type=Path, nargs="+")
    of_shapes = parts.add_parser("shapes", help="scenarios that are cut, mixed, among strangers")
    of_shapes.add_argument("places", type=Path, nargs=3)
    of_strangers = parts.add_parser("strangers", help="dialogues of lives that are not there")
    of_strangers.add_argument("places", type=Path, nargs=3)
    of_size = parts.add_parser("size", help="seconds and memory by number of dialogues")
    of_size.add_argument("counts", type=int, nargs="+")
    of_size.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.part == "lives":
        return 0 if lives(asked.kind, asked.places) else 1
    if asked.part == "shapes":
        return 0 if shapes(*asked.places) else 1
    if asked.part == "strangers":
        return 0 if strangers(*asked.places) else 1
    return 0 if size(asked.counts, asked.json) else 1


if __name__ == "__main__":
    sys.exit(main())
