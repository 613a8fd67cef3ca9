"""Draws the boxes of the code, and the boxes inside each, from the imports and docstrings.

Run `python docs/images/make_architecture.py`. It writes `architecture.svg` and one
`architecture-FOLDER.svg` for each folder beside itself; a test compares them with the code.

Rows are those of the tables in `pyproject.toml` (`tool.importlinter`), purposes are the first lines
of the packages, an arrow means "imports". What follows from other arrows is left out.
"""

import ast
import textwrap
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import grimp

HERE: Final = Path(__file__).parent
TOP: Final = "memassay"
WIDTH, LINE, PAD, GAP, LANE, BETWEEN = 214, 16, 12, 26, 18, 44
"""In pixels: width of a box, height of a line, air in a box, between boxes, of a lane that an
arrow takes past boxes, and between rows."""
LETTERS: Final = 32
"""Letters of a purpose that fit on a line of a box."""
HEAD: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
font-family="sans-serif" font-size="12" role="img" aria-labelledby="title description">
  <title id="title">{title}</title>
  <desc id="description">{description}</desc>
  <defs>
    <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" \
orient="auto">
      <path d="M0 0 L10 5 L0 10 z" fill="#57606a"/>
    </marker>
  </defs>
  <rect width="{width}" height="{height}" fill="#ffffff"/>
"""

Edge = tuple[str, str]


@dataclass(frozen=True)
class Box:
    """A package or module of a picture.

    Attributes:
        name: As it is written in an import, below what the picture shows.
        lines: Its purpose, one line of text each.
        beside: What it imports of other folders than `schemas`, one line each; empty in the whole
            picture.
    """

    name: str
    lines: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """In pixels."""
        return 2 * PAD + LINE * (1 + len(self.lines) + len(self.beside))


@dataclass(frozen=True)
class Picture:
    """What one picture shows.

    Attributes:
        title: Its first words.
        rows: Boxes from the top row to the bottom one.
        edges: Who imports whom, by name; what follows from others is left out.
    """

    title: str
    rows: tuple[tuple[Box, ...], ...]
    edges: tuple[Edge, ...]


def tables(project: Path) -> dict[str, list[list[str]]]:
    """By package, the rows of its table in a `pyproject.toml`, each a list of names."""
    document = tomllib.loads(project.read_text(encoding="utf-8"))
    contracts = document["tool"]["importlinter"]["contracts"]
    return {
        one["containers"][0]: [[name.strip() for name in row.split("|")] for row in one["layers"]]
        for one in contracts
        if one["type"] == "layers"
    }


def purpose(module: str) -> str:
    """The first line of the docstring of a module or package."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(module)
    text = ast.get_docstring(ast.parse(Path(found.origin).read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")


def _box(name: str, module: str, beside: Iterable[str] = ()) -> Box:
    others = f"also imports {', '.join(sorted(beside))}" if beside else ""
    lines = (textwrap.wrap(text, LETTERS) for text in (purpose(module), others))
    return Box(name, *map(tuple, lines))


def _imports(graph: grimp.ImportGraph) -> list[Edge]:
    return [
        (importer, imported)
        for importer in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(importer))
    ]


def _reduced(edges: set[Edge], rank: dict[str, int]) -> tuple[Edge, ...]:
    """Edges that lead down and do not follow from longer ways."""
    down = {edge for edge in edges if rank[edge[0]] < rank[edge[1]]}

    def reaches(start: str, end: str) -> bool:
        return any(b == end or reaches(b, end) for a, b in down if a == start)

    return tuple(
        sorted(
            (a, b)
            for a, b in down
            if not any(reaches(middle, b) for start, middle in down if start == a and middle != b)
        )
    )


def _picture(title: str, rows: Sequence[Sequence[Box]], edges: set[Edge]) -> Picture:
    rank = {box.name: row for row, boxes in enumerate(rows) for box in boxes}
    kept = {(a, b) for a, b in edges if a != b and a in rank and b in rank}
    return Picture(title, tuple(map(tuple, rows)), _reduced(kept, rank))


def pictures(project: Path) -> dict[str, Picture]:
    """Every picture by the name of its file, without its ending."""
    graph, rows = grimp.build_graph(TOP, cache_dir=None), tables(project)
    imports = _imports(graph)
    folders = {name.rpartition(".")[2] for name in rows} - {TOP}

    def folder_of(module: str) -> str:
        second = module.split(".")[1] if "." in module else ""
        return second if second in folders else TOP

    whole = [[name for name in row if name in folders] for row in rows[TOP]]
    found = {
        "architecture": _picture(
            "The folders of memassay",
            [[_box(TOP, f"{TOP}.cli")]]
            + [[_box(one, f"{TOP}.{one}") for one in row] for row in whole if row],
            {(folder_of(a), folder_of(b)) for a, b in imports},
        )
    }
    for package in sorted(rows):
        folder = package.rpartition(".")[2]

        def inside(module: str, package: str = package) -> str:
            return module.removeprefix(f"{package}.").split(".")[0] if "." in module else ""

        own = [(a, b) for a, b in imports if folder_of(a) == folder]
        beside: dict[str, set[str]] = {}
        for a, b in own:
            if folder_of(b) not in (folder, "schemas"):
                beside.setdefault(inside(a), set()).add(folder_of(b))
        names = [[name for name in row if name not in folders] for row in rows[package]]
        found[f"architecture-{folder}"] = _picture(
            f"Inside {folder}/" if folder != TOP else "Inside memassay/, the command line",
            [
                [_box(one, f"{package}.{one}", beside.get(one, ())) for one in row]
                for row in names
                if row
            ],
            {(inside(a), inside(b)) for a, b in own if folder_of(b) == folder},
        )
    return found


class Layout:
    """Places for boxes, and for the lanes in which arrows pass the rows between."""

    def __init__(self, picture: Picture) -> None:
        """Order every row so that arrows cross little, and give each place its middle."""
        self.boxes = {box.name: box for row in picture.rows for box in row}
        self.rows: list[list[str]] = [[box.name for box in row] for row in picture.rows]
        self.ways = [self._way(edge) for edge in picture.edges]
        self.links: dict[str, list[str]] = {}
        for way in self.ways:
            for a, b in pairwise(way):
                self.links.setdefault(a, []).append(b)
                self.links.setdefault(b, []).append(a)
        self.middle: dict[str, float] = {}
        for row in self.rows:
            self._pack(row)
        for sweep in range(8):
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                row.sort(key=self._wish)
                self._pack(row)
        for _ in range(12):
            for row in (*self.rows, *reversed(self.rows)):
                self._pull(row)

    def _way(self, edge: Edge) -> list[str]:
        """The names of what an arrow passes: its ends, and a lane in each row between."""
        start, end = edge
        rank = {name: number for number, row in enumerate(self.rows) for name in row}
        lanes = [f"{start}>{end}>{row}" for row in range(rank[start] + 1, rank[end])]
        for row, lane in enumerate(lanes, rank[start] + 1):
            self.rows[row].append(lane)
        return [start, *lanes, end]

    def width(self, name: str) -> int:
        """Of a box or a lane, in pixels."""
        return WIDTH if name in self.boxes else LANE

    def _wish(self, name: str) -> float:
        links = self.links.get(name, [])
        return sum(self.middle[one] for one in links) / len(links) if links else self.middle[name]

    def _pack(self, row: Sequence[str]) -> None:
        """Side by side, around the middle of the picture."""
        at = -(sum(map(self.width, row)) + GAP * (len(row) - 1)) / 2
        for name in row:
            self.middle[name] = at + self.width(name) / 2
            at += self.width(name) + GAP

    def _pull(self, row: Sequence[str]) -> None:
        """Each as near to what it is tied to as its neighbours let it."""
        wishes = {name: self._wish(name) for name in row}
        right, left = dict(wishes), dict(wishes)
        for a, b in pairwise(row):
            apart = (self.width(a) + self.width(b)) / 2 + GAP
            right[b] = max(right[b], right[a] + apart)
        for b, a in pairwise(row[::-1]):
            apart = (self.width(a) + self.width(b)) / 2 + GAP
            left[a] = min(left[a], left[b] - apart)
        for name in row:
            self.middle[name] = (right[name] + left[name]) / 2


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A path through points, upright in each of them."""
    (x, y), *rest = points
    steps = [f"M{x:.0f} {y:.0f}"]
    for nx, ny in rest:
        half = (y + ny) / 2
        steps.append(f"C{x:.0f} {half:.0f} {nx:.0f} {half:.0f} {nx:.0f} {ny:.0f}")
        x, y = nx, ny
    return " ".join(steps)


def _port(layout: Layout, name: str, other: str, others: Sequence[str]) -> float:
    """Where on a box an arrow begins or ends: arrows of a side stand in the order of their ends."""
    ordered = sorted(others, key=lambda one: layout.middle[one])
    step = min(26.0, (WIDTH - 2 * PAD) / max(1, len(ordered)))
    return layout.middle[name] + (ordered.index(other) - (len(ordered) - 1) / 2) * step


def _arrows(layout: Layout, tops: Sequence[float], heights: Sequence[int]) -> list[str]:
    rank = {name: number for number, row in enumerate(layout.rows) for name in row}
    paths = []
    for way in layout.ways:
        after = [one[1] for one in layout.ways if one[0] == way[0]]
        before = [one[-2] for one in layout.ways if one[-1] == way[-1]]
        first = tops[rank[way[0]]] + layout.boxes[way[0]].height
        points = [(_port(layout, way[0], way[1], after), first)]
        for lane in way[1:-1]:
            top = tops[rank[lane]]
            points += [(layout.middle[lane], top), (layout.middle[lane], top + heights[rank[lane]])]
        points.append((_port(layout, way[-1], way[-2], before), tops[rank[way[-1]]] - 1))
        paths.append(f'    <path d="{_curve(points)}" marker-end="url(#arrow)"/>')
    return paths


def _shape(box: Box, middle: float, top: float) -> list[str]:
    shapes = [
        f'    <rect x="{middle - WIDTH / 2:.0f}" y="{top:.0f}" width="{WIDTH}" '
        f'height="{box.height}" rx="6" fill="#f6f8fa" stroke="#57606a" stroke-width="1.5"/>'
    ]
    texts = [('fill="#1f2328" font-weight="bold" font-size="14"', box.name)]
    texts += [('fill="#1f2328"', line) for line in box.lines]
    texts += [('fill="#0550ae"', line) for line in box.beside]
    for number, (style, text) in enumerate(texts, 1):
        y = top + PAD + LINE * number - 4
        shapes.append(f'    <text x="{middle:.0f}" y="{y:.0f}" {style}>{escape(text)}</text>')
    return shapes


def drawn(picture: Picture) -> str:
    """A picture as SVG."""
    layout = Layout(picture)
    heights = [max(box.height for box in row) for row in picture.rows]
    tops = [float(PAD + sum(heights[:row]) + BETWEEN * row) for row in range(len(heights))]
    left = min(layout.middle[name] - layout.width(name) / 2 for row in layout.rows for name in row)
    for name in layout.middle:
        layout.middle[name] += PAD - left
    edge = max(layout.middle[name] + layout.width(name) / 2 for row in layout.rows for name in row)
    arrows = _arrows(layout, tops, heights)
    shapes = [
        line
        for row, boxes in enumerate(picture.rows)
        for box in boxes
        for line in _shape(box, layout.middle[box.name], tops[row])
    ]
    head = HEAD.format(
        width=round(edge + PAD),
        height=round(tops[-1] + heights[-1] + PAD),
        title=escape(picture.title),
        description=escape(" ".join(f"{a} imports {b}." for a, b in picture.edges)),
    )
    lines = ['  <g fill="none" stroke="#57606a" stroke-width="1.5">', *arrows, "  </g>"]
    lines += ['  <g text-anchor="middle">', *shapes, "  </g>", "</svg>"]
    return head + "\n".join(lines) + "\n"


def main() -> None:
    """Draw all of them."""
    for name, picture in pictures(HERE.parents[1] / "pyproject.toml").items():
        (HERE / f"{name}.svg").write_text(drawn(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
