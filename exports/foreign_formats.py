"""Foreign formats by name; how to add one is in CONTRIBUTING.md."""

from typing import Final

from memassay.exports.foreign_rules import IMPORT_RULES as IMPORT_RULES
from memassay.exports.locomo import Locomo
from memassay.exports.m3exam import M3Exam
from memassay.exports.mem_gallery import MemGallery
from memassay.schemas.protocols import ForeignFormat

FORMATS: Final[dict[str, ForeignFormat]] = {
    each.name: each for each in (Locomo(), M3Exam(), MemGallery())
}
"""What `memassay import` and `memassay export` take, by its name on the command line."""
