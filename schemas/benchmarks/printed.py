"""What the papers and data cards print about their own data sets, to stand beside our counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class Sizes(NamedTuple):
    """Sizes of one conversation or of a whole collection; None where nothing is printed."""

    sessions: int | None = None
    rounds: int | None = None
    images: int | None = None
    questions: int | None = None
    question_images: int | None = None


class TypeSize(NamedTuple):
    """Questions of one type, and the mean number of evidence places of each."""

    questions: int | None = None
    mean_evidence: float | None = None


@dataclass(frozen=True)
class PaperTables:
    """The printed tables of one collection.

    Attributes:
        source: Where they are printed.
        total: Sizes of the whole collection.
        types: By the paper's own code of a question type.
        conversations: Sizes by title; words decide, not punctuation.
    """

    source: str
    total: Sizes
    types: Mapping[str, TypeSize]
    conversations: Mapping[str, Sizes] = field(default_factory=dict)


_MEM_GALLERY: Final = PaperTables(
    source="Mem-Gallery, Tables 2, 5 and 6",
    total=Sizes(240, 3962, 1003, 1711, 487),
    types={
        "FR": TypeSize(219, 2.90),
        "VS": TypeSize(306, 1.91),
        "TTL": TypeSize(337, 4.09),
        "TR": TypeSize(123, 1.74),
        "VR": TypeSize(174, 3.05),
        "MR": TypeSize(206, 2.17),
        "KR": TypeSize(81, 2.21),
        "CD": TypeSize(81, 1.70),
        "AR": TypeSize(184),
    },
    conversations={
        "AI, Robotics, Automation, Future Tech": Sizes(12, 185, 31, 57, 8),
        "Academic, Animal, Pet, Research, Life": Sizes(14, 177, 45, 77, 28),
        "Architecture, Art, Culture, Exhibition, Technology": Sizes(14, 186, 30, 74, 6),
        "Astronomy, Physics, Scientific Experiments, Cosmology": Sizes(11, 203, 30, 54, 2),
        "Baking, Dessert, Daily Life, Skill": Sizes(15, 262, 57, 111, 32),
        "Dog, Behavior, Research, Academic, Life": Sizes(11, 180, 38, 63, 21),
        "Education, Career, Research, Lifestyle": Sizes(12, 227, 56, 106, 21),
        "Entrepreneurship, Blockchain, Economics, Logistics, Nature": Sizes(10, 144, 36, 90, 25),
        "Fashion, Personal Care, Lifestyle, Shopping": Sizes(9, 168, 37, 61, 13),
        # The paper prints "Culture"; its file is named "Cultural".
        "Global Travel, Cultural, Sightseeing": Sizes(10, 176, 66, 87, 29),
        "Global Travel, Sustainable Fashion, Design": Sizes(9, 159, 53, 78, 29),
        "Home, Health, Lifestyle, Product": Sizes(10, 163, 36, 74, 8),
        "Home, Repair, Maintenance, Cleaning": Sizes(18, 270, 43, 68, 0),
        "Landscape, Travel, Architecture, Nature": Sizes(11, 173, 64, 92, 38),
        "Music, Dance, Theater, Performance, Learning": Sizes(14, 220, 43, 57, 1),
        "Nature, Economics, Programming, Student Life": Sizes(10, 201, 78, 136, 67),
        "Parenting, Commuting, Hobbies, Travel, Gear": Sizes(16, 221, 48, 82, 14),
        "Python, Botany, AI, Student Life": Sizes(12, 252, 117, 205, 110),
        "Real Estate, Home Decor, DIY, Lifestyle": Sizes(11, 196, 53, 75, 11),
        "Technology, Ethics, Future Society": Sizes(11, 199, 42, 64, 24),
    },
)
_LOCOMO: Final = PaperTables(
    source="LoCoMo, the ten released conversations",
    # Images are its 910 addresses and data: images, and 316 captions that stand alone.
    total=Sizes(272, 5882, 1226, 1986, 0),
    types={
        "1": TypeSize(282, 3.13),
        "2": TypeSize(321, 1.17),
        "3": TypeSize(96, 2.08),
        "4": TypeSize(841, 1.07),
        "5": TypeSize(446, 1.03),
    },
)

_M3EXAM: Final = PaperTables(
    source="M3Exam, abstract, Table 1 and Appendix A; its text lost most numbers",
    total=Sizes(sessions=239),
    types={code: TypeSize() for code in ("ss", "ms", "tr", "mr", "fm", "th", "fj", "ii")},
)

M3EXAM_PRINTED: Final[Mapping[str, float]] = {
    "personas": 15,
    "sessions": 239,
    "rounds a session": 12.7,
    "files a session": 7.5,
}
"""What the text of M3Exam still prints of its own sizes (§1 and Table 1)."""

PAPER_TABLES: Final[Mapping[str, PaperTables]] = {
    "mem-gallery": _MEM_GALLERY,
    "locomo": _LOCOMO,
    "m3exam": _M3EXAM,
}
"""By collection; a collection that is not here has nothing printed to compare with."""
