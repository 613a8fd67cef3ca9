"""What draws the kinds of this package, by name."""

from collections.abc import Callable
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.layouts.calendars import calendar
from memassay.synth.pictures.layouts.chats import chat
from memassay.synth.pictures.layouts.forms import form
from memassay.synth.pictures.layouts.gauges import gauge
from memassay.synth.pictures.layouts.notes import note

LAYOUTS: Final[dict[str, Callable[[Figure, Random], Sketch]]] = {
    "note": note,
    "chat": chat,
    "form": form,
    "calendar": calendar,
    "gauge": gauge,
}
