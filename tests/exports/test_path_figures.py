"""Figures of a path: those that no table could show are refused by name."""

from dataclasses import replace

import pytest
from support.fixtures import said, scene
from support.proof_cases import BEES, proven

from memassay.exports.reports.collection_stats import collection_stats
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.figures import Figure, PathFigures
from memassay.schemas.errors import CodeError, RecordError
from memassay.schemas.records.bundle import Bundle


def _odd(_counts: object) -> list[Figure]:
    return [Figure("Sums", [{"name": "Ann", "km": 2}, {"name": "Bo", "pages": 3}])]


def _broken(_bundle: Bundle) -> None:
    raise ValueError("no sum")


def test_rows_of_other_keys_are_refused() -> None:
    """The error names the figure, the path, the keys and the row."""
    (bundle,) = scene(proven(), sessions=[said(BEES)]).bundles
    paths = {bundle.conversation.collection: replace(PATHS["m2a"], figures=PathFigures(show=_odd))}
    message = "figure 'Sums' of path m2a: expected the keys name, km in every row, got name, pages"
    with pytest.raises(RecordError, match=message):
        collection_stats([bundle], paths)


def test_a_figure_that_raises_is_named() -> None:
    """With the path and the package that has to be mended."""
    (bundle,) = scene(proven(), sessions=[said(BEES)]).bundles
    paths = {bundle.conversation.collection: replace(PATHS["m2a"], figures=PathFigures(_broken))}
    message = r"^the figures of path m2a raised ValueError: no sum in .*; mend the package"
    with pytest.raises(CodeError, match=message):
        collection_stats([bundle], paths)


def test_a_conversation_is_set_beside_the_printed_one_of_its_title() -> None:
    """Whatever its id is; one that the paper does not print keeps its id."""
    (bundle,) = scene(proven(), sessions=[said(BEES)]).bundles
    title = "Music, Dance, Theater, Performance, Learning"
    talk = bundle.conversation.model_copy(update={"collection": "mem-gallery"})
    titled = talk.model_copy(update={"title": title})
    for one, name, sessions in ((titled, title, 14), (talk, talk.id, None)):
        (stats,) = collection_stats([bundle.model_copy(update={"conversation": one})], PATHS)
        row = stats.conversations[0]
        assert (row.name, row.paper.sessions) == (name, sessions)
