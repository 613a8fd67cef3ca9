"""Plants defects in copies of releases, and counts which of them `memassay validate` finds.

Run `python benchmarks/defects.py RELEASE... --out DIR [--kinds a,b] [--each 20] [--seed N]
[--validate] [--json]`. Records are changed with all checksums recomputed, as a forger would;
kinds about a release that disagrees with itself leave one place out. A plant is found if a
finding of severity error or warning, which the clean release does not have, is about it. Large
releases are cut down to `--conversations` first. Copies hold several kinds, so that now and then a
plant is credited with what a neighbour caused. Do not change memassay during a run. Exit code 0
if every knowable plant was found, else 1.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from defect_files import Copy
from defect_plants import SMALL, Kind, Plant, Site, all_kinds, sorts_of
from defect_scores import Score, count, findings_of, table

_PACK: Final = 12
"""Kinds that share a copy, to save processor time."""


def cut(release: Path, out: Path, conversations: int, seed: int) -> Path:
    """A release of at most so many conversations: itself, or a copy in `out`."""
    copy = Copy(release)
    names = sorted(copy.conversations)
    if len(names) <= conversations or sum(len(one) for one in copy.blobs.values()) < 10_000_000:
        return release
    kept = random.Random(seed).sample(names, conversations)
    target = out / f"{release.name}-cut"
    Copy(release, frozenset(kept)).write(target)
    return target


def _mixed(kinds: Sequence[Kind]) -> list[Kind]:
    """Kinds in an order in which those of one family, which want the same places, lie apart."""
    number: dict[str, int] = {}
    ranked = []
    for kind in kinds:
        number[kind.family] = number.get(kind.family, 0) + 1
        ranked.append((number[kind.family], kind.family, kind))
    return [kind for _, _, kind in sorted(ranked, key=lambda one: one[:2])]


class Planting:
    """Plants kinds in copies of one release.

    Attributes:
        release: The clean release.
        wanted: Plants still wanted, by kind.
        plants: What was planted, by folder of the copy.
    """

    def __init__(self, release: Path, out: Path, wanted: dict[Kind, int], seed: int) -> None:
        self.release, self.out, self.seed = release, out, seed
        self.wanted = wanted
        self.plants: dict[Path, list[Plant]] = {}
        self.avoid: dict[str, set[str]] = {}

    def run(self) -> None:
        """Plant everything that is wanted, as far as the release has room for it."""
        queue = _mixed([kind for kind in self.wanted if not kind.alone and not kind.files])
        while queue:
            pack, queue = queue[:_PACK], queue[_PACK:]
            planted = self._pack(pack)
            # Other kinds took their places; the first of a copy had all of it.
            queue += [one for one in pack[1:] if planted and self.wanted[one] > 0]
        for kind in self.wanted:
            if kind.files and not kind.alone:
                self._files(kind)
            while kind.alone and self.wanted[kind] > 0 and self._single(kind):
                pass

    def _site(self) -> tuple[Site, Path]:
        number = len(self.plants)
        folder = self.out / f"{self.release.name}-{number:03d}"
        generator = random.Random(f"{self.seed}-{self.release.name}-{number}")
        return Site(Copy(self.release), generator), folder

    def _pack(self, kinds: Sequence[Kind]) -> bool:
        site, folder = self._site()
        plants = [plant for kind in kinds for plant in self._plants(site, kind, self.wanted[kind])]
        if plants:
            site.copy.write(folder)
        self.plants[folder] = plants
        return bool(plants)

    def _plants(self, site: Site, kind: Kind, wanted: int) -> list[Plant]:
        site.kind = kind.name
        site.avoid = set() if kind.alone else self.avoid.setdefault(kind.name, set())
        plants = list(islice(kind.plant(site), wanted))
        self.wanted[kind] -= len(plants)
        site.avoid |= {name for plant in plants for name in plant.ids}
        return plants

    def _files(self, kind: Kind) -> None:
        site, folder = self._site()
        site.copy.write(folder)
        site.folder = folder
        self.plants[folder] = self._plants(site, kind, self.wanted[kind])

    def _single(self, kind: Kind) -> bool:
        site, folder = self._site()
        if kind.files:
            site.copy.write(folder)
            site.folder = folder
        plants = self._plants(site, kind, 1)
        if plants and not kind.files:
            site.copy.write(folder)
        self.plants[folder] = plants
        return bool(plants)


def plant_all(
    releases: Sequence[Path], out: Path, kinds: Sequence[Kind], each: int, seed: int
) -> dict[Path, dict[Path, list[Plant]]]:
    """Plant kinds in all releases; gives the plants of each copy, by release."""
    left = {kind: min(each, kind.at_most) for kind in kinds}
    fitting = {release: sorts_of(Copy(release)) for release in releases}
    planted: dict[Path, dict[Path, list[Plant]]] = {}
    for number, release in enumerate(releases):
        wanted = {}
        for kind in kinds:
            takers = [one for one in releases[number:] if _takes(fitting[one], kind)]
            if takers and takers[0] == release and left[kind] > 0:
                wanted[kind] = -(-left[kind] // len(takers))
        asked = dict(wanted)
        planting = Planting(release, out, wanted, seed)
        planting.run()
        for kind, number_asked in asked.items():
            left[kind] -= number_asked - wanted[kind]
        planted[release] = planting.plants
    return planted


def _takes(sorts: frozenset[str], kind: Kind) -> bool:
    """Whether a release of these sorts can take a kind."""
    if SMALL in kind.on and SMALL not in sorts:
        return False
    rest = kind.on - {SMALL}
    return not rest or bool(rest & sorts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, validate and print."""
    options = _options().parse_args(arguments)
    known = all_kinds()
    names = options.kinds.split(",") if options.kinds else list(known)
    if unknown := [name for name in names if name not in known]:
        sys.stderr.write(f"--kinds: expected kinds, got {', '.join(unknown)}; see --list\n")
        return 2
    if options.list:
        for kind in known.values():
            known_by = "knowable" if kind.knowable else "not knowable"
            sys.stdout.write(f"{kind.family}\t{kind.name}\t{known_by}\t{kind.why}\n")
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    releases = [
        cut(one.resolve(), options.out, options.conversations, options.seed)
        for one in options.releases
    ]
    kinds = [known[name] for name in names]
    planted = plant_all(releases, options.out, kinds, options.each, options.seed)
    found: dict[Path, dict[str, Any]] = {}
    if options.validate:
        folders = [*releases, *(one for of in planted.values() for one, has in of.items() if has)]
        found = {folder: findings_of(folder) for folder in folders}
    score = count(planted, found)
    _print(score, kinds, as_json=options.json)
    return 0 if score.all_found(known) else 1


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
    parser.add_argument("--conversations", type=int, default=4, help="kept of large releases")
    parser.add_argument("--validate", action="store_true", help="count what is found")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true", help="print all kinds")
    return parser


if __name__ == "__main__":
    sys.exit(main())
