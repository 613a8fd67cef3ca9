"""What several runs in one process would each make again: drawn pictures, parsed modules."""

import ast
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from memassay.exports.release.reader import Release
from memassay.exports.reports import contact_sheet
from memassay.schemas.records.asset import Asset
from memassay.synth.pictures.canvas.figures import Drawing
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.drawing import renderer


@contextmanager
def painted_once() -> Iterator[None]:
    """Paint equal sketches once, and make small equal pictures for contact sheets.

    That is half of a short run, and recipes here tell the same.
    """
    drawings: dict[bytes, Drawing] = {}
    thumbnails: dict[tuple[str | None, str], str] = {}
    paint, show = renderer.paint, contact_sheet.thumbnail

    def painted(sketch: Sketch) -> Drawing:
        key = pickle.dumps(sketch)
        if key not in drawings:
            drawings[key] = paint(sketch)
        return drawings[key]

    def shown(release: Release, asset: Asset, caption: str) -> str:
        key = (asset.blob_sha256, caption)
        if key not in thumbnails:
            thumbnails[key] = show(release, asset, caption)
        return thumbnails[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer, "paint", painted)
        patch.setattr(contact_sheet, "thumbnail", shown)
        yield


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module, which nobody changes."""
    return ast.parse(path.read_text(encoding="utf-8"))
