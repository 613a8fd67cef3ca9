"""What a concept is before it enters a conversation, and the layouts it is read from (M2A C)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from memassay.schemas.contracts.drawings import Box
from memassay.schemas.errors import SourceError
from memassay.schemas.files import read_text
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.records.drawn import Drawn

IMAGES: Final = frozenset({".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp"})
"""Ends of the names of files that are taken for pictures."""
_OPTION: Final = re.compile(r"(?:^|\s)([A-D])[.:)] ")
"""Where an option begins in the text of a question."""


@dataclass(frozen=True)
class ConceptImage:
    """A picture of a concept.

    Attributes:
        name: Its path in the source, or where an export puts it.
        read: Gives its bytes.
        looks: What a drawn one was drawn from, facts left out, and where in it the thing is.
    """

    name: str
    read: Callable[[], bytes]
    looks: Callable[[], tuple[Drawn, Box]] | None = None


@dataclass(frozen=True)
class ConceptVqa:
    """A question about a picture that the source brings along.

    Attributes:
        image: Name of the picture.
        question: Its text; `<sks>` is the concept.
        options: Text by letter; empty for an open question.
        answer: Letter of the right option, or the answer itself.
    """

    image: str
    question: str
    options: Mapping[str, str]
    answer: str


@dataclass(frozen=True)
class ConceptSource:
    """A person, pet or thing that a conversation can introduce.

    Attributes:
        name: As it is in angle brackets: `bo`.
        category: What it is, e.g. `dog`; None where the source does not say.
        shown: Pictures that a conversation may show.
        held_out: Pictures for questions alone.
        vqa: Questions that came with it.
        look: What tells its pictures from those of others; its name, if nobody says more.
    """

    name: str
    category: str | None
    shown: tuple[ConceptImage, ...]
    held_out: tuple[ConceptImage, ...]
    vqa: tuple[ConceptVqa, ...] = ()
    look: str = ""

    @property
    def local(self) -> str:
        """Its name as part of an id."""
        plain = re.sub(r"[^A-Za-z0-9-]+", "-", self.name).strip("-")
        # Names in other scripts, or that differ in signs alone, have ids of their own.
        return plain if plain == self.name else f"{plain}-{content_hash(self.name)[:8]}".strip("-")


def read_concepts(folder: Path) -> list[ConceptSource]:
    """The concepts of a folder, in natural order of their names.

    Three layouts are known by their folders: Yo'LLaVA's (`train/NAME`, `test/NAME` and
    `yollava-visual-qa.json`), MC-LLaVA's (`concept_type.json` and `SCENE/concept/train/NAME`), and
    a folder for each concept, its pictures split into `shown` and `held_out` or, without these,
    every third one held out.

    Raises:
        SourceError: The folder holds no concept with a picture, or a file of it cannot be read.
    """
    if not folder.is_dir():
        raise SourceError(
            f"{folder}: expected a folder of concepts, got none; check `concepts.folder` of the "
            "recipe, which counts from the recipe's own folder"
        )
    if (folder / "concept_type.json").is_file():
        found = _mc_llava(folder)
    elif (folder / "train").is_dir():
        found = _yollava(folder)
    else:
        found = _folders(folder)
    made = sorted(found, key=lambda one: natural_key(one.name))
    if not any(one.shown for one in made):
        raise SourceError(
            f"{folder}: expected a folder for each concept with pictures "
            f"({', '.join(sorted(IMAGES))}) in it, got none; for Yo'LLaVA give the folder that "
            "holds `train`, for MC-LLaVA the one that holds `concept_type.json`"
        )
    return [one for one in made if one.shown]


def _yollava(folder: Path) -> Iterator[ConceptSource]:
    asked = _vqa(folder / "yollava-visual-qa.json", folder)
    asked = asked or _vqa(folder.parent / "yollava-visual-qa.json", folder)
    for train in _subfolders(folder / "train"):
        name = train.name
        test = folder / "test" / name
        yield _concept(name, None, _images(folder, train), _images(folder, test), asked)


def _mc_llava(folder: Path) -> Iterator[ConceptSource]:
    index = folder / "concept_type.json"
    scenes = _json(index)
    if not isinstance(scenes, dict):
        raise SourceError(
            f"{index}: expected an object of scenes by concept, got "
            f"{type(scenes).__name__}; fetch the file again"
        )
    for name, scene in scenes.items():
        base = folder / str(scene) / "concept"
        train, test = base / "train" / name, base / "test" / name
        if not train.is_dir():
            raise SourceError(
                f"{train}: expected the pictures of {name}, as {index.name} says, got no such "
                "folder; fetch it, or take the concept out of that file"
            )
        held_out = _images(folder, test)
        asked = [
            *_dialogue_questions(test / "choice.json", held_out),
            *_dialogue_questions(test / "vqa.json", held_out),
        ]
        yield ConceptSource(name, None, _images(folder, train), held_out, tuple(asked))


def _dialogue_questions(path: Path, pictures: Sequence[ConceptImage]) -> Iterator[ConceptVqa]:
    """Questions of MC-LLaVA: `{picture: {Human, AI}}`, options within the text of a choice."""
    if not path.is_file():
        return
    document = _json(path)
    by_file = {PurePosixPath(one.name).name: one.name for one in pictures}
    for image, value in document.items() if isinstance(document, dict) else [("", document)]:
        question = value.get("Human") if isinstance(value, dict) else None
        answer = value.get("AI") if isinstance(value, dict) else None
        # Paths are those of the authors' own machine; the file's name is what counts.
        picture = by_file.get(PurePosixPath(image).name)
        if not isinstance(question, str) or not isinstance(answer, str) or picture is None:
            raise SourceError(
                f"{path}: {image}: expected Human and AI for a picture beside this file, got "
                f"{json.dumps(value, ensure_ascii=False)[:120]}; fetch file and pictures again"
            )
        text, *listed = _OPTION.split(question)
        options = dict(zip(listed[::2], map(str.strip, listed[1::2]), strict=True))
        chosen = answer.strip()[:1]
        if len(options) > 1 and chosen in options:
            yield ConceptVqa(picture, text.strip(), options, chosen)
        else:
            yield ConceptVqa(picture, question, {}, answer)


def _folders(folder: Path) -> Iterator[ConceptSource]:
    for one in _subfolders(folder):
        about = _about(one / "concept.json")
        shown, held_out = _images(folder, one / "shown"), _images(folder, one / "held_out")
        if not shown:
            every = _images(folder, one)
            held_out = every[2::3]
            shown = tuple(image for image in every if image not in held_out)
        category = about.get("category")
        asked = _vqa(one / "vqa.json", folder)
        yield _concept(one.name, category, shown, held_out, asked)


def _concept(
    name: str,
    category: str | None,
    shown: tuple[ConceptImage, ...],
    held_out: tuple[ConceptImage, ...],
    asked: tuple[ConceptVqa, ...],
) -> ConceptSource:
    own = {image.name for image in (*shown, *held_out)}
    for one in asked:
        if PurePosixPath(one.image).parent.name == name and one.image not in own:
            raise SourceError(
                f"{one.image}: expected the picture of a question about {name}, got none; fetch "
                "it, or take the question out"
            )
    return ConceptSource(
        name, category, shown, held_out, tuple(one for one in asked if one.image in own)
    )


def _subfolders(folder: Path) -> list[Path]:
    return sorted(
        (one for one in folder.iterdir() if one.is_dir() and not one.name.startswith(".")),
        key=lambda one: natural_key(one.name),
    )


def _images(root: Path, folder: Path) -> tuple[ConceptImage, ...]:
    if not folder.is_dir():
        return ()
    files = (one for one in folder.iterdir() if one.suffix.lower() in IMAGES and one.is_file())
    return tuple(
        ConceptImage(one.relative_to(root).as_posix(), one.read_bytes)
        for one in sorted(files, key=lambda one: natural_key(one.name))
        if not one.name.startswith(".")
    )


def _about(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    about = _json(path)
    if not isinstance(about, dict) or not isinstance(about.get("category", ""), str):
        raise SourceError(f'{path}: expected an object such as {{"category": "dog"}}')
    return about


def _vqa(path: Path, root: Path) -> tuple[ConceptVqa, ...]:
    """Questions by picture, or by concept and picture as Yo'LLaVA's file has them."""
    if not path.is_file():
        return ()
    document = _json(path)
    if not isinstance(document, dict):
        raise SourceError(f"{path}: expected an object of questions by picture")
    flat: dict[str, Any] = {}
    for key, value in document.items():
        nested = isinstance(value, dict) and "question" not in value
        flat |= value if nested else {key: value}
    return tuple(_question(path, root, image, value) for image, value in flat.items())


def _question(path: Path, root: Path, image: str, value: Any) -> ConceptVqa:
    question = value.get("question") if isinstance(value, dict) else None
    answer = value.get("correct_answer", value.get("answer")) if question else None
    options = value.get("options", {}) if question else None
    if not (
        isinstance(question, str)
        and isinstance(answer, str)
        and isinstance(options, dict)
        and all(isinstance(one, str) for one in options.values())
        and (not options or answer in options)
    ):
        raise SourceError(
            f"{path}: {image}: expected question, options by letter and correct_answer, one of "
            f"the letters, got {json.dumps(value, ensure_ascii=False)[:120]}"
        )
    return ConceptVqa(_in_root(image, root), question, options, answer)


def _in_root(image: str, root: Path) -> str:
    """A path of the source, such as `./yollava-data/test/bo/0.png`, relative to its folder."""
    plain = image.removeprefix("./")
    return plain.removeprefix(f"{root.name}/")


def _json(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: expected JSON, got a file that is none: {error}") from error
