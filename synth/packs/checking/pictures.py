"""Pictures of a pack: each has a name of its own, a kind that is drawn, and something to show."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.errors import UsageError
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.packs.checking.problems import Problem, join_names, quote
from memassay.synth.packs.files.pack_file import Pack, slots_of
from memassay.synth.packs.files.pack_parts import PackImage
from memassay.synth.packs.plans.values import Values
from memassay.synth.packs.words.picturing import cells_of, figure_of
from memassay.synth.pictures.drawing.renderer import sketch_of

_CHARTS: Final = frozenset({"bar_chart", "line_chart"})
_ROWS: Final = _CHARTS | {"receipt", "gauge", "scene", "table", "timetable", "plan", "route_map"}
"""Kinds that show rows."""
_LINES: Final = frozenset(
    {"label", "ticket", "certificate", "whiteboard", "notice", "note", "chat", "calendar"}
)
"""Kinds that show lines."""
_DRAWN: Final = 3
"""Times that each picture is drawn."""
_PIECES: Final = frozenset({"note", "label", "whiteboard", "notice"})
"""Kinds that can show the pieces of a list."""


def kinds(pack: Pack) -> Iterator[Problem]:
    """Pictures of an unknown kind, or whose kind shows something else than they hold."""
    for name, image in pack.images.items():
        place = f"images.{name}"
        if image.kind not in _ROWS | _LINES:
            known = join_names(sorted(_ROWS | _LINES))
            yield Problem(f"{place}.kind", f"one of {known}", repr(image.kind), "choose one")
            continue
        wanted = "rows" if image.kind in _ROWS else "lines"
        if image.pieces is not None:
            yield from _pieces(place, image)
        elif not (image.rows if wanted == "rows" else image.lines):
            fix = f"a {image.kind} shows {wanted}"
            yield Problem(f"{place}.{wanted}", f"{wanted} with texts", "none", fix)
        if image.kind in _CHARTS and image.measure is None:
            fix = "say what the numbers are, such as `measure: seedlings`"
            yield Problem(f"{place}.measure", "what the numbers are", "none", fix)


def _pieces(place: str, image: PackImage) -> Iterator[Problem]:
    if image.kind not in _PIECES:
        fix = "draw them as a note"
        got = repr(image.kind)
        yield Problem(f"{place}.kind", f"one of {join_names(sorted(_PIECES))}", got, fix)
    if image.lines or image.rows:
        fix = "leave them empty: the pieces are its lines"
        yield Problem(f"{place}.lines", "none beside `pieces`", join_names(image.lines), fix)


def names_of_pictures(pack: Pack) -> Iterator[Problem]:
    """Pictures that cannot be asked for by what they show."""
    whats = Counter(image.what.casefold() for image in pack.images.values())
    for name, image in pack.images.items():
        place = f"images.{name}"
        if whats[image.what.casefold()] > 1:
            fix = "say what only this one shows"
            yield Problem(f"{place}.what", "a text of its own", quote(image.what), fix)
        if image.of is not None and f"@{image.of}" not in slots_of(image.what):
            fix = f"put {{@{image.of}}} into it"
            yield Problem(f"{place}.what", f"{{@{image.of}}}", quote(image.what), fix)
    groups = Counter(image.group for image in pack.images.values() if image.of is None)
    for name, image in pack.images.items():
        if image.group is not None and image.of is None and groups[image.group] == 1:
            fix = "give another picture the same group, or remove it"
            yield Problem(f"images.{name}.group", "two pictures or more", "this one", fix, True)


def showing(pack: Pack) -> Iterator[Problem]:
    """Rounds that show a picture of a thing that their scene is not about."""
    shown: Counter[str] = Counter()
    for name, scene in pack.scenes.items():
        for at, each in enumerate(scene.rounds):
            image = pack.images.get(each.shows or "")
            if image is None:
                continue
            shown[str(each.shows)] += 1
            if image.of is not None and image.of not in (scene.binds, scene.after):
                fix = f"let the scene bind a {image.of}, or show another picture"
                got = f"{each.shows!r} of {image.of}"
                yield Problem(
                    f"scenes.{name}.rounds.{at}.shows", "a picture of its own thing", got, fix
                )
            if image.of is None and scene.binds is not None:
                fix = f"let the picture be `of: {scene.binds}`: the scene comes several times"
                yield Problem(
                    f"scenes.{name}.rounds.{at}.shows",
                    "a picture of each thing",
                    repr(each.shows),
                    fix,
                )
    for name, count in shown.items():
        if count > 1:
            fix = "give each round a picture of its own, unless only one of them can come"
            yield Problem(f"images.{name}", "one round that shows it", str(count), fix, True)


def drawing(pack: Pack) -> Iterator[Problem]:
    """Pictures that cannot be drawn with the values of some dialogues."""
    for name, image in pack.images.items():
        shows = image.rows if image.kind in _ROWS else image.lines or image.pieces
        if image.kind in _ROWS | _LINES and shows:
            for at in range(_DRAWN):
                try:
                    _draw(pack, image, keyed_random("pack pictures", pack.pack, name, str(at)))
                except (ValueError, ArithmeticError, UsageError) as error:
                    fix = "mend its rows or lines"
                    got = str(error).partition("; ")[0]
                    yield Problem(f"images.{name}", "a picture that can be drawn", got, fix)
                    break


def _draw(pack: Pack, image: PackImage, random: Random) -> None:
    """Lay a picture out with drawn values.

    Raises:
        ValueError: Its kind cannot show them.
        UsageError: A fact has no value.
    """
    values = Values(pack, random)
    things = [each.name for each in pack.roles[image.of].draw] if image.of in pack.roles else [""]

    def say(slot: str) -> str:
        fact = pack.facts.get(slot)
        if fact is None:
            return things[0]
        bound = (
            [each.name for each in pack.roles[fact.pick].draw] if fact.pick in pack.roles else []
        )
        return spoken_value(values.of(slot, things[0] if fact.of else "", bound))

    pieces = pack.lists[image.pieces].items[:2] if image.pieces in pack.lists else []
    cells = cells_of(image, say, pieces, random)
    sketch_of(figure_of(image, cells, say), random)


PICTURE_RULES: Final = (kinds, names_of_pictures, showing, drawing)
"""Rules about pictures."""
