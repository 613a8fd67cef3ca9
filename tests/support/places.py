"""Where the files stand that tests read."""

from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[2]
TESTS: Final = REPOSITORY / "tests"
PAPERS: Final = TESTS / "fixtures" / "papers"
GOLDEN: Final = TESTS / "golden"
SAMPLES: Final = REPOSITORY / "recipes" / "samples"
