"""Concepts: the layouts they are read from, and groups of distinct ones (M2A C, step 1)."""

import io
import json
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from support.fixtures import png

from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.concepts.drawn import drawn_concepts
from memassay.synth.concepts.groups import concept_group
from memassay.synth.concepts.library import ConceptImage, ConceptSource, read_concepts

ASKED = {"question": "What colour is <sks>?", "options": {"A": "Brown", "B": "Grey"}}


def _write(folder: Path, *names: str) -> None:
    for at, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(at))


def _names(images: tuple[ConceptImage, ...]) -> list[str]:
    return [image.name for image in images]


@pytest.mark.parametrize("nested", [True, False])
def test_yollava(tmp_path: Path, nested: bool) -> None:
    """Training pictures are shown, test pictures held out, questions go with their picture."""
    folder = tmp_path / "yollava-data"
    _write(folder, "train/bo/10.png", "train/bo/9.png", "test/bo/0.png", "train/mam/0.png")
    asked = {"./yollava-data/test/bo/0.png": {**ASKED, "correct_answer": "A"}}
    document = {"bo": asked} if nested else asked
    (tmp_path / "yollava-visual-qa.json").write_text(json.dumps(document))
    bo, mam = read_concepts(folder)
    assert (bo.name, mam.name) == ("bo", "mam")
    assert _names(bo.shown) == ["train/bo/9.png", "train/bo/10.png"]
    assert _names(bo.held_out) == ["test/bo/0.png"]
    assert [(one.image, one.options, one.answer) for one in bo.vqa] == [
        ("test/bo/0.png", {"A": "Brown", "B": "Grey"}, "A")
    ]
    assert mam.vqa == ()


def test_mc_llava(tmp_path: Path) -> None:
    """The scene of a concept says where its pictures are."""
    _write(tmp_path, "indoor/concept/train/lamp/1.jpg", "indoor/concept/test/lamp/2.jpg")
    (tmp_path / "concept_type.json").write_text('{"lamp": "indoor"}')
    (lamp,) = read_concepts(tmp_path)
    assert _names(lamp.shown) == ["indoor/concept/train/lamp/1.jpg"]
    assert _names(lamp.held_out) == ["indoor/concept/test/lamp/2.jpg"]


def test_questions_of_mc_llava(tmp_path: Path) -> None:
    """They lie beside the test pictures; options are taken out of the text of a choice."""
    test = tmp_path / "indoor/concept/test/lamp"
    _write(tmp_path, "indoor/concept/train/lamp/1.jpg", "indoor/concept/test/lamp/2.jpg")
    (tmp_path / "concept_type.json").write_text('{"lamp": "indoor"}')
    image = "/workspace/data/MulBench/indoor/concept/test/lamp/2.jpg"
    chosen = {"Human": "Where is <lamp>? A. On a desk B. On the floor C. Outside", "AI": "B"}
    (test / "choice.json").write_text(json.dumps({image: chosen}))
    (test / "vqa.json").write_text(json.dumps({image: {"Human": "Is it lit?", "AI": "Yes."}}))
    (lamp,) = read_concepts(tmp_path)
    options = {"A": "On a desk", "B": "On the floor", "C": "Outside"}
    assert [(one.image, one.question, one.options, one.answer) for one in lamp.vqa] == [
        ("indoor/concept/test/lamp/2.jpg", "Where is <lamp>?", options, "B"),
        ("indoor/concept/test/lamp/2.jpg", "Is it lit?", {}, "Yes."),
    ]


def test_what_layouts_name_and_lack_is_said(tmp_path: Path) -> None:
    """A concept without its folder, and a question without its picture, each with the path."""
    _write(tmp_path, "indoor/concept/train/lamp/1.jpg")
    (tmp_path / "concept_type.json").write_text('{"lamp": "indoor", "cup": "indoor"}')
    with pytest.raises(SourceError, match=r"indoor/concept/train/cup: expected .*; fetch it"):
        read_concepts(tmp_path)
    other = tmp_path / "yollava-data"
    _write(other, "train/bo/1.png")
    asked = {"./yollava-data/test/bo/0.png": {**ASKED, "correct_answer": "A"}}
    (other / "yollava-visual-qa.json").write_text(json.dumps(asked))
    with pytest.raises(SourceError, match=r"test/bo/0\.png: expected the picture .*; fetch it"):
        read_concepts(other)
    with pytest.raises(SourceError, match=r"nowhere: expected .*; check `concepts\.folder`"):
        read_concepts(tmp_path / "nowhere")


def test_a_folder_for_each_concept(tmp_path: Path) -> None:
    """Without folders of their own every third picture is held out; a file says the category."""
    _write(tmp_path, *(f"rex/{at}.png" for at in range(1, 7)), "rex/.hidden.png")
    (tmp_path / "rex" / "concept.json").write_text('{"category": "dog"}')
    (rex,) = read_concepts(tmp_path)
    assert rex.category == "dog"
    assert _names(rex.shown) == ["rex/1.png", "rex/2.png", "rex/4.png", "rex/5.png"]
    assert _names(rex.held_out) == ["rex/3.png", "rex/6.png"]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"rex/1.png": {"question": "What?"}}',
        '{"rex/1.png": {"question": "What?", "options": {"A": "a"}, "correct_answer": "B"}}',
    ],
)
def test_a_file_of_questions_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    """Broken JSON and answers that are no option are not passed over."""
    _write(tmp_path, "rex/1.png")
    (tmp_path / "rex" / "vqa.json").write_text(text)
    with pytest.raises(SourceError, match=r"rex/vqa\.json"):
        read_concepts(tmp_path)


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    """The message says what is looked for."""
    (tmp_path / "rex").mkdir()
    with pytest.raises(SourceError, match=r"a folder for each concept with pictures"):
        read_concepts(tmp_path)


def test_every_class_that_can_be_drawn_is_a_concept() -> None:
    """Twelve families of eight, each name once."""
    found = drawn_concepts(keyed_random, "guest")
    assert len({one.name for one in found}) == len(found) == 96


@pytest.mark.parametrize("seed", range(4))
def test_concepts_of_a_group_are_distinct(seed: int) -> None:
    """Three or four of different categories, with two or three pictures each."""
    group = concept_group(drawn_concepts(keyed_random, "guest"), Random(seed))
    assert len(group) in (3, 4)
    assert len({one.concept.category for one in group}) == len(group)
    assert all(len(set(_names(one.images))) in (2, 3) for one in group)


def _source(name: str, pictures: list[bytes], category: str | None = None) -> ConceptSource:
    images = tuple(
        ConceptImage(f"{name}/{at}", lambda data=data: data) for at, data in enumerate(pictures)
    )
    return ConceptSource(name, category, images, ())


@pytest.mark.parametrize(
    "others",
    [
        [
            _source(name, [png(at * 40), png(200, slope=-at - 5), png(90, slope=at + 9)], "dog")
            for at, name in enumerate(("abe", "finn", "kit", "zoe"))
        ],
        [
            _source(name, [png(at * 40), png(200, slope=-at - 5), png(90, slope=at + 9)])
            for at, name in enumerate(("bo", "bobo", "Bo", "bo2"))
        ],
        [_source(name, [png(10)] * 3) for name in ("abe", "finn", "kit", "zoe")],
    ],
    ids=["one category", "near-equal names", "one picture"],
)
def test_concepts_that_could_be_confused_are_no_group(others: list[ConceptSource]) -> None:
    """Too few that differ are refused, with what is missing."""
    with pytest.raises(UsageError, match=r"differ in name, category and pictures"):
        concept_group(others, Random(1))


def _noise(seed: int) -> bytes:
    buffer = io.BytesIO()
    Image.frombytes("L", (9, 8), Random(seed).randbytes(72)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("seed", range(4))
def test_three_concepts_of_two_pictures_are_a_group(seed: int) -> None:
    """Sizes are drawn among those that there are, so that no seed refuses them."""
    own = [
        _source(name, [_noise(at), _noise(at + 10)])
        for at, name in enumerate(("abe", "finn", "zoe"))
    ]
    group = concept_group(own, Random(seed))
    assert sorted(len(one.images) for one in group) == [2, 2, 2]
