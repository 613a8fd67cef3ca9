"""Recipes whose author is a model server, run by the command line in this process."""

import json
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from memassay.cli import main

RECIPE: dict[str, Any] = {
    "path": "m3exam",
    "seed": 7,
    "personas": ["wei-courier"],
    "sizes": {"sessions": 2, "rounds": 7, "images": 4, "documents": 1},
    "questions": {"ss": 3, "tr": 2, "mr": 3},
    "release": {"name": "demo", "licence": "CC-BY-4.0"},
}
PRICES = "m: {input: 10, output: 10}\n"


def written(folder: Path, document: dict[str, Any]) -> Path:
    """A recipe in a folder, with a price table beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "prices.yaml").write_text(PRICES, encoding="utf-8")
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def run(recipe: Path, folder: Path, *options: str, code: int = 0) -> dict[str, Any]:
    """The report of a run that ends with a code."""
    call = ["run", str(recipe), "--workspace", str(folder / "ws"), "--runner", "plain", "--json"]
    ended = CliRunner().invoke(main, [*call, *options])
    assert ended.exit_code == code, ended.output
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


def model(kind: str, address: str, **more: Any) -> dict[str, Any]:
    """The author section of a server."""
    base = address if kind == "gemini" else f"{address}/v1"
    return {"provider": kind, "model": "m", "base_url": base, "retry_wait": 0.01, **more}


def cost(folder: Path) -> dict[str, Any]:
    """What a workspace cost."""
    ended = CliRunner().invoke(main, ["cost", "--workspace", str(folder / "ws"), "--json"])
    report: dict[str, Any] = json.loads(ended.stdout)
    return report
