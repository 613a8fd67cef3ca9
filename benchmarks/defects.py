"""Plants defects in copies of releases, and counts which of them `memassay validate` finds.

Run `python benchmarks/defects.py RELEASE... --out DIR [--kinds a,b] [--each 20] [--seed N]
[--validate] [--json]`. A kind changes written files (card, manifest, rows, layouts), logs
(certificates, provenance), the ledger or pictures. Where records are changed, all checksums are
computed again, as a forger would; kinds about files leave one place out. A plant is found if a
finding of severity error or warning, which the clean release does not have, is about it. Do not
change memassay during a run. Exit code 0 if every plant was found, else 1.
"""

import argparse
import json
import random
import shutil
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from defect_files import Copy
from defect_plants import Kind, Plant, Site, all_kinds
from defect_scores import Score, count, findings_of, table


class Planting:
    """Plants kinds in copies of one release, each kind in copies of its own.

    Attributes:
        plants: What was planted, by folder of the copy.
    """

    def __init__(self, release: Path, out: Path, seed: int) -> None:
        self.release, self.out, self.seed = release, out, seed
        self.plants: dict[Path, list[Plant]] = {}

    def add(self, kind: Kind, wanted: int) -> int:
        """Plant at most so many defects of a kind; gives how many there was room for."""
        made = len(self._copy(kind, 1 if kind.alone else wanted))
        while kind.alone and 0 < made < wanted and self._copy(kind, 1):
            made += 1
        return made

    def _copy(self, kind: Kind, wanted: int) -> list[Plant]:
        number = len(self.plants)
        folder = self.out / f"{self.release.name}-{number:03d}"
        generator = random.Random(f"{self.seed}-{self.release.name}-{number}")
        site = Site(Copy(self.release), generator, kind.name, folder)
        if kind.files:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.release, folder)
        plants = list(islice(kind.plant(site), wanted))
        if plants and not kind.files:
            site.copy.write(folder)
        if plants:
            self.plants[folder] = plants
        elif kind.files:
            shutil.rmtree(folder)
        return plants


def plant_all(
    releases: Sequence[Path], out: Path, kinds: Sequence[Kind], each: int, seed: int
) -> dict[Path, dict[Path, list[Plant]]]:
    """Plant kinds in all releases; gives the plants of each copy, by release.

    Every release gets its share of the plants that are still wanted; what it has no room for goes
    to those after it.
    """
    left = {kind: min(each, kind.at_most) for kind in kinds}
    planted: dict[Path, dict[Path, list[Plant]]] = {}
    for number, release in enumerate(releases):
        planting = Planting(release, out, seed)
        for kind in kinds:
            if left[kind]:
                left[kind] -= planting.add(kind, -(-left[kind] // (len(releases) - number)))
        planted[release] = planting.plants
    return planted


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, validate and print."""
    options = _options().parse_args(arguments)
    known = all_kinds()
    names = options.kinds.split(",") if options.kinds else list(known)
    if unknown := [name for name in names if name not in known]:
        sys.stderr.write(f"--kinds: expected kinds, got {', '.join(unknown)}; see --list\n")
        return 2
    if options.list:
        sys.stdout.writelines(f"{kind.family}\t{kind.name}\n" for kind in known.values())
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    releases = [one.resolve() for one in options.releases]
    kinds = [known[name] for name in names]
    planted = plant_all(releases, options.out, kinds, options.each, options.seed)
    found: dict[Path, dict[str, Any]] = {}
    if options.validate:
        folders = [*releases, *(folder for copies in planted.values() for folder in copies)]
        found = {folder: findings_of(folder) for folder in folders}
    score = count(planted, found)
    _print(score, kinds, as_json=options.json)
    return 0 if score.all_found() else 1


def _print(score: Score, kinds: Sequence[Kind], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(score.document(kinds), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(table(score, kinds) + "\n")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("releases", nargs="*", type=Path, metavar="RELEASE")
    parser.add_argument("--out", type=Path, default=Path("defects"), metavar="DIR")
    parser.add_argument("--kinds", help="names, with commas between them")
    parser.add_argument("--each", type=int, default=20, help="plants of each kind")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--validate", action="store_true", help="count what is found")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="print all kinds")
    return parser


if __name__ == "__main__":
    sys.exit(main())
