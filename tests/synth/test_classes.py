"""Classes of things: what tells them apart, and what changes from picture to picture."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from support.class_likeness import colour_distance, histogram, recognised, share_right

from memassay.synth.pictures.classes.colours import draw_colours
from memassay.synth.pictures.classes.families import (
    CLASSES,
    FAMILIES,
    ThingClass,
    exemplar,
    exemplar_figure,
    thing_class,
)


def _classes(family: str) -> list[ThingClass]:
    return [thing_class(family, number) for number in range(CLASSES)]


@pytest.mark.parametrize("family", FAMILIES)
def test_classes_differ_in_more_than_colour(family: str) -> None:
    """Any two of a family have other marks, and another shape or other proportions."""
    for one, other in combinations(_classes(family), 2):
        assert one.mark != other.mark
        assert (one.shape, one.stretch) != (other.shape, other.stretch)


@pytest.mark.parametrize("family", FAMILIES)
def test_colour_alone_names_no_class(family: str) -> None:
    """Every colour of a family is that of two of its classes."""
    assert set(Counter(one.palette for one in _classes(family)).values()) == {2}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_picture_of_a_class_is_another(family: str) -> None:
    """The same key gives the same shapes, another key others."""
    figure = exemplar_figure(family, 3)
    first, again, other = (exemplar(figure, Random(seed)).shapes for seed in ("a", "a", "b"))
    assert first == again
    assert first != other


@pytest.mark.parametrize(("family", "number"), [("dragon", 0), ("mug", 8), ("mug", -1)])
def test_unknown_classes_are_refused(family: str, number: int) -> None:
    """The message names the families and the numbers there are."""
    with pytest.raises(ValueError, match=r"dog, cat.*0 to 7"):
        thing_class(family, number)


@pytest.mark.parametrize("family", ["cat", "mug"])
def test_classes_are_told_apart_without_colour(family: str) -> None:
    """In grey, a simple descriptor knows most new pictures again; by chance it were an eighth."""
    assert recognised(family, 2, 1) >= 0.6


@pytest.mark.parametrize("family", ["dog", "vase"])
def test_colours_of_a_picture_name_no_class(family: str) -> None:
    """Where they are drawn for each picture, a histogram knows its class by chance alone."""
    right = share_right(family, (3, 4), histogram, colour_distance, recoloured=True)
    assert right <= 1 / CLASSES + 0.15


@pytest.mark.parametrize("family", ["cat", "mug"])
def test_recoloured_classes_are_told_apart_by_shape(family: str) -> None:
    """Where no colour helps, build and mark still do."""
    assert recognised(family, 3, 2, recoloured=True) >= 0.75


@pytest.mark.parametrize("family", FAMILIES)
def test_drawn_colours_are_those_of_one_picture(family: str) -> None:
    """Body, mark and flowers have other colours in every picture."""
    drawn = [draw_colours(family, Random(seed)) for seed in "abcd"]
    for part in ("body", "mark", "flower"):
        assert len({getattr(one, part) for one in drawn}) == len(drawn)
