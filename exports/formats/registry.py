"""Foreign formats by name; how to add one is in CONTRIBUTING.md."""

from typing import Final

from memassay.exports.foreign.rules import IMPORT_RULES as IMPORT_RULES
from memassay.exports.formats.locomo.layout import Locomo
from memassay.exports.formats.m3exam.layout import M3Exam
from memassay.exports.formats.mem_gallery.layout import MemGallery
from memassay.schemas.contracts.protocols import ForeignFormat

FORMATS: Final[dict[str, ForeignFormat]] = {
    each.name: each for each in (Locomo(), M3Exam(), MemGallery())
}
"""What `memassay import` and `memassay export` take, by its name on the command line."""
