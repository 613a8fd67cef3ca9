"""Classes of lessons from folders of pictures, and pictures that are too much alike."""

import io
import json
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from PIL import Image
from support.guests_in_hosts import Context
from support.release_builder import MemoryBlobs, bundle

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import SourceError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.lessons.classes import drawn_families, read_classes
from memassay.synth.lessons.colours import colour_of
from memassay.synth.lessons.planning import Album
from memassay.synth.lessons.section import ClassFolder, LessonsSection
from memassay.synth.lessons.visitors import LessonVisitors
from memassay.validators.check import check_conversation


def _photo(seed: str, quality: int = 90) -> bytes:
    """Grey fields in an order of their own, as a JPEG."""
    random = Random(seed)
    image = Image.new("L", (9, 8))
    image.putdata([random.randrange(256) for _ in range(72)])
    buffer = io.BytesIO()
    image.resize((90, 80), Image.Resampling.NEAREST).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _write(root: Path, *folders: str, each: int = 8) -> None:
    for folder in folders:
        (root / folder).mkdir(parents=True)
        for nth in range(each):
            (root / folder / f"{nth}.jpg").write_bytes(_photo(f"{folder}/{nth}"))


def _folder(**more: Any) -> ClassFolder:
    given = {"path": ".", "licence": "CC-BY-4.0", "noun": "bird", "kind": "species"}
    return ClassFolder(**given | more)


def _join(root: Path, blobs: MemoryBlobs, folder: ClassFolder, **dials: Any) -> Bundle:
    section = LessonsSection(folder=folder, place="ends", **dials)
    host = bundle("ada", "Rex", "red", blobs)
    return LessonVisitors(section, root).join(host, cast(StageContext, Context("a", blobs)))


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (
            ["images/001.Black_footed_Albatross", "images/002.Laysan_Albatross"],
            ["Black footed Albatross", "Laysan Albatross"],
        ),
        (["Images/n02085936-Maltese_dog", "Images/n02096177-cairn"], ["Maltese dog", "cairn"]),
        (["robin", "wren"], ["robin", "wren"]),
    ],
    ids=["cub", "stanford-dogs", "any"],
)
def test_layouts(tmp_path: Path, folders: list[str], names: list[str]) -> None:
    """A folder is a class; numbers before its name are none of it."""
    _write(tmp_path, *folders, each=1)
    assert [one.name for one in read_classes(tmp_path, _folder()).classes] == names


def test_flowers(tmp_path: Path) -> None:
    """Splits of a class are one, and its name is that of the index."""
    _write(tmp_path, "train/1", "valid/1", "train/2", each=2)
    (tmp_path / "cat_to_name.json").write_text(json.dumps({"1": "pink primrose", "2": "aster"}))
    first, second = read_classes(tmp_path, _folder()).classes
    assert (first.name, second.name) == ("pink primrose", "aster")
    randoms = lambda *purpose: keyed_random(*purpose)  # noqa: E731
    assert sorted(one.name for one in first.pictures(randoms, "a")) == [
        *("train/1/0.jpg", "train/1/1.jpg", "valid/1/0.jpg", "valid/1/1.jpg")
    ]


def test_a_folder_without_classes_is_refused(tmp_path: Path) -> None:
    """The message says what was expected."""
    with pytest.raises(SourceError, match=r"a folder of pictures .* for each of two classes"):
        read_classes(tmp_path, _folder())


def test_an_index_that_is_none_is_refused(tmp_path: Path) -> None:
    """It is named."""
    _write(tmp_path, "1", "2", each=1)
    (tmp_path / "cat_to_name.json").write_text("{")
    with pytest.raises(SourceError, match=r"cat_to_name\.json: expected JSON"):
        read_classes(tmp_path, _folder())


def test_lessons_of_a_folder(tmp_path: Path) -> None:
    """They have its names and its licence, and the rules find no error."""
    _write(tmp_path, "001.Tree_Sparrow", "002.Song_Thrush", "003.Rook")
    blobs = MemoryBlobs()
    folder = _folder(licence="CC0-1.0")
    made = _join(tmp_path, blobs, folder, classes=(2, 3), exemplars=(2, 4), questions=6)
    items = [one for one in made.questions if "lesson" in one.id]
    assert {one.answer.values[0] for one in items} <= {"Tree Sparrow", "Song Thrush", "Rook"}
    assert {one.licence for one in made.assets if "lesson" in one.id} == {"CC0-1.0"}
    found = check_conversation(made, RuleContext(blobs=blobs, draws=False))
    assert [one.message for one in found if "lesson" in one.target] == []
    assert len(items) == 6


def test_no_place_of_a_picture_names_its_class(tmp_path: Path) -> None:
    """Where it was is noted aside, for whoever has to name its author."""
    _write(tmp_path, "Tree_Sparrow", "Rook")
    made = _join(tmp_path, MemoryBlobs(), _folder(), classes=(2, 2), exemplars=(2, 3))
    own = [one for one in made.assets if "lesson" in one.id]
    assert {one.uri for one in own} == {None}
    sources = {one.extras["lessons"]["source"].partition("/")[0] for one in own}
    assert sources == {"Tree_Sparrow", "Rook"}


def test_users_can_have_names_of_their_own(tmp_path: Path) -> None:
    """Then none of the folder is said."""
    _write(tmp_path, "Tree_Sparrow", "Rook")
    made = _join(tmp_path, MemoryBlobs(), _folder(made_up=True), classes=(2, 2), exemplars=(2, 3))
    said = " ".join(turn.text for turn in made.conversation.turns())
    assert "Rook" not in said
    assert "Sparrow" not in said
    assert len(made.concepts) == 2


def test_a_picture_more_is_another_configuration(tmp_path: Path) -> None:
    """So that lessons are made again; the place of the folder plays no part."""
    _write(tmp_path, "here/Rook", "here/Wren", "there/Rook", "there/Wren", each=1)
    configs = []
    for name in ("here", "there"):
        configs.append(LessonVisitors(LessonsSection(folder=_folder(path=name)), tmp_path).config)
    (tmp_path / "there/Wren/new.jpg").write_bytes(_photo("new"))
    changed = LessonVisitors(LessonsSection(folder=_folder(path="there")), tmp_path).config
    assert configs[0] == configs[1] != changed


def _images(*bytes_: bytes) -> list[ConceptImage]:
    return [ConceptImage(str(at), lambda data=data: data) for at, data in enumerate(bytes_)]  # type: ignore[misc]


def test_a_near_duplicate_is_refused() -> None:
    """The same picture, saved with losses, is passed over; another one is taken."""
    album = Album()
    album.take(iter(_images(_photo("a"))), 1)
    taken = album.take(iter(_images(_photo("a", quality=40), _photo("b"))), 2)
    assert [one.name for one in taken] == ["1"]
    assert album.refused == 1


def test_a_picture_of_the_conversation_is_refused() -> None:
    """What somebody showed in it before teaches and asks nothing."""
    blobs = MemoryBlobs()
    host = bundle("ada", "Rex", "red", blobs)
    (shown, *_) = [one for one in host.assets if one.blob_sha256]
    album = Album.of(host.assets)
    assert album.take(iter(_images(blobs.get(shown.blob_sha256 or ""))), 1) == []


def _block(colour: tuple[int, int, int], where: tuple[int, int, int, int]) -> ConceptImage:
    """A picture with a block of a colour, beside which there is less of another one."""
    image = Image.new("RGB", (60, 60), (226, 232, 240))
    image.paste(colour, where)
    image.paste((60, 90, 160), (0, 50, 10, 60))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return ConceptImage(
        "block.png", buffer.getvalue, lambda: (Drawn(seed_path=["a"], libraries={}), where)
    )


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((160, 80, 70), "brown"),
        ((40, 120, 80), "green"),
        ((70, 95, 150), "blue"),
        ((130, 70, 150), "purple"),
        ((100, 98, 95), "grey"),
    ],
)
def test_a_colour_has_the_name_that_people_give_it(colour: tuple[int, int, int], name: str) -> None:
    """That of most of what is in the box, as dark as bodies are."""
    assert colour_of(_block(colour, (20, 10, 50, 45))) == name


def test_every_drawn_picture_has_a_colour_and_a_photo_none() -> None:
    """A body is as light as no other part of a picture."""
    for family in drawn_families("CC0-1.0", recoloured=True):
        pictures = family.classes[0].pictures(partial(keyed_random, "7"), "one")
        assert colour_of(next(iter(pictures)))
    assert colour_of(ConceptImage("photo.jpg", lambda: _photo("a"))) is None
