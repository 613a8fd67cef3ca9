"""What draws the kinds of this package, by name."""

from collections.abc import Callable
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.layouts.calendars import calendar
from memassay.synth.pictures.layouts.callouts import annotated_plan
from memassay.synth.pictures.layouts.chats import chat
from memassay.synth.pictures.layouts.clutter import cluttered_scene
from memassay.synth.pictures.layouts.double_charts import double_chart
from memassay.synth.pictures.layouts.forms import form
from memassay.synth.pictures.layouts.gauges import gauge
from memassay.synth.pictures.layouts.notes import note
from memassay.synth.pictures.layouts.pairs import photo_pair
from memassay.synth.pictures.layouts.routes import route_map

LAYOUTS: Final[dict[str, Callable[[Figure, Random], Sketch]]] = {
    "note": note,
    "chat": chat,
    "form": form,
    "calendar": calendar,
    "gauge": gauge,
    "route_map": route_map,
    "annotated_plan": annotated_plan,
    "photo_pair": photo_pair,
    "cluttered_scene": cluttered_scene,
    "double_chart": double_chart,
}
