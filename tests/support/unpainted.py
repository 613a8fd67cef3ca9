"""Pictures of one dot, for tests that read what is written in them and never look at the ink."""

import io

import pytest
from PIL import Image

from memassay.synth.pictures.canvas.figures import Drawing
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.drawing import renderer


def leave_unpainted(patch: pytest.MonkeyPatch) -> None:
    """Boxes and transcription of every picture as they are; its pixels are one dot."""
    dot = io.BytesIO()
    Image.new("L", (1, 1)).save(dot, "PNG")

    def dotted(sketch: Sketch) -> Drawing:
        return Drawing(
            paint=dot.getvalue,
            width=sketch.width,
            height=sketch.height,
            boxes=sketch.pixel_boxes(),
            transcription="\n".join(sketch.lines),
        )

    patch.setattr(renderer, "paint", dotted)
