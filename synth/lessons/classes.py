"""Classes that can be taught: drawn ones, or a folder of pictures for each."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Final, Protocol

from memassay.schemas.errors import SourceError
from memassay.schemas.files import read_text
from memassay.schemas.ids import natural_key
from memassay.synth.concepts.drawn import exemplar_image
from memassay.synth.concepts.library import IMAGES, ConceptImage
from memassay.synth.lessons.section import ClassFolder
from memassay.synth.lessons.words import Family, lesson_words
from memassay.synth.pictures.classes.families import (
    CLASSES,
    FAMILIES,
    class_name,
    exemplar_figure,
    shape_of,
    thing_class,
)
from memassay.synth.world.grammar import Randoms

MOST_DRAWN: Final = 400
"""Pictures of a drawn class that are tried at most."""
_SPLITS: Final = frozenset({"train", "valid", "val", "test", "images", "jpg"})
"""Folders that divide the pictures of all classes, and are none themselves."""
_NUMBER: Final = re.compile(r"(?:[0-9]+\.|n[0-9]{8}-)(?=\S)")
"""What CUB-200-2011 and Stanford Dogs put before the name of a class."""
_INDEX: Final = "cat_to_name.json"
"""Names by number, as Flowers 102 comes with."""


@dataclass(frozen=True)
class ClassSource:
    """A class before it is taught.

    Attributes:
        look: What tells its pictures from those of others.
        name: What others call it; None if only users name it.
        pictures: Its pictures, more than are needed.
        hints: What can be seen of it.
        files: Names of its pictures; none where they are drawn.
    """

    look: str
    name: str | None
    pictures: "Pictures"
    hints: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Pictures(Protocol):
    """Gives the pictures of a class in an order of one's own."""

    def __call__(self, randoms: Randoms, folder: str) -> Iterator[ConceptImage]:
        """The pictures; an export may put them into the folder."""
        ...


@dataclass(frozen=True)
class FamilySource:
    """Classes that could be taken for each other.

    Attributes:
        family: What they are.
        classes: The classes.
        licence: SPDX identifier of their pictures.
    """

    family: Family
    classes: Sequence[ClassSource]
    licence: str


def drawn_families(licence: str, *, recoloured: bool) -> list[FamilySource]:
    """Twelve families of eight drawn classes.

    Args:
        licence: Of what we draw.
        recoloured: Whether colours are drawn for each picture.
    """
    words = lesson_words()
    return [
        FamilySource(
            words.families[family],
            [_drawn_class(family, number, recoloured=recoloured) for number in range(CLASSES)],
            licence,
        )
        for family in FAMILIES
    ]


def _drawn_class(family: str, number: int, *, recoloured: bool) -> ClassSource:
    figure = exemplar_figure(family, number, recoloured=recoloured)
    words = lesson_words()
    own, mark = words.families[family], words.marks[thing_class(family, number).mark]
    hints = [own.shapes[shape_of(number)]]
    if mark:
        hints.append(f"{mark} {own.where}".strip())

    def pictures(randoms: Randoms, folder: str) -> Iterator[ConceptImage]:
        for nth in islice(count(1), MOST_DRAWN):
            path = f"{folder}/{nth}.png"
            yield exemplar_image(figure, randoms("looks", folder, str(nth)).key, path)

    return ClassSource(class_name(family, number), None, pictures, tuple(hints))


def read_classes(root: Path, section: ClassFolder) -> FamilySource:
    """The classes of a folder.

    Any folder of folders is one, as CUB-200-2011 (`images/001.Black_footed_Albatross`), Stanford
    Dogs (`Images/n02085936-Maltese_dog`) and Flowers 102 (`train/1`, `valid/1` and
    `cat_to_name.json`) have it: numbers before names and splits are no part of a name.

    Raises:
        SourceError: The folder holds no two classes with pictures, or a file cannot be read.
    """
    folder = root / section.path
    found: dict[str, list[Path]] = {}
    for one in _class_folders(folder):
        found.setdefault(one.name, []).extend(_images(one))
    called = _index_names(folder)
    classes = [
        ClassSource(
            look=f"{section.noun} {key}",
            name=None if section.made_up else _name(called.get(key, key)),
            pictures=_from_files(folder, images),
            files=tuple(one.relative_to(folder).as_posix() for one in images),
        )
        for key, images in sorted(found.items(), key=lambda pair: natural_key(pair[0]))
        if images
    ]
    if len(classes) < 2:
        raise SourceError(
            f"{folder}: expected a folder of pictures ({', '.join(sorted(IMAGES))}) for each of "
            f"two classes or more, got {len(classes)}; check `folder.path` of the recipe, which "
            "counts from the recipe's own folder"
        )
    family = Family(
        noun=section.noun, plural=section.plural or f"{section.noun}s", kind=section.kind
    )
    return FamilySource(family, classes, section.licence)


def _class_folders(folder: Path) -> Iterator[Path]:
    """Folders of classes, through those that only divide the pictures."""
    if not folder.is_dir():
        return
    for one in sorted(folder.iterdir(), key=lambda each: natural_key(each.name)):
        if not one.is_dir() or one.name.startswith("."):
            continue
        if one.name.casefold() in _SPLITS:
            yield from _class_folders(one)
        else:
            yield one


def _images(folder: Path) -> list[Path]:
    files = (one for one in folder.iterdir() if one.suffix.lower() in IMAGES and one.is_file())
    return sorted(
        (one for one in files if not one.name.startswith(".")),
        key=lambda one: natural_key(one.name),
    )


def _from_files(root: Path, images: Sequence[Path]) -> Pictures:
    def pictures(randoms: Randoms, folder: str) -> Iterator[ConceptImage]:
        for one in randoms("pictures", folder).sample(images, len(images)):
            yield ConceptImage(one.relative_to(root).as_posix(), one.read_bytes)

    return pictures


def _index_names(folder: Path) -> Mapping[str, str]:
    index = folder / _INDEX
    if not index.is_file():
        return {}
    try:
        names = json.loads(read_text(index))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{index}: expected JSON, got a file that is none: {error}") from error
    if not isinstance(names, dict):
        raise SourceError(f"{index}: expected an object of names by folder; fetch it again")
    return {str(key): str(value) for key, value in names.items()}


def _name(key: str) -> str:
    return _NUMBER.sub("", key, count=1).replace("_", " ").strip()


def make_names(family: Family, number: int, said: str, random: Random) -> list[str]:
    """Made-up names for so many classes; none is like a word of a text."""
    words, known = lesson_words(), said.casefold()
    begins = [one for one in words.begins if one.casefold() not in known]
    chosen = [f"{one}{random.choice(words.ends)}" for one in random.sample(begins, number)]
    heads = words.heads.get(family.noun, [])
    if not heads:
        return chosen
    return [
        f"{name} {head}" for name, head in zip(chosen, random.sample(heads, number), strict=True)
    ]
