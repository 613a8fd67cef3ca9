"""What several tests of the project read."""

import tomllib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def project(repository: Path) -> dict[str, Any]:
    """pyproject.toml, parsed."""
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
