"""The palette of the review pages: what is written can be read, in the light and in the dark."""

import re
from pathlib import Path

import pytest

TEXT = 4.5
"""Least ratio of text to its ground (WCAG 2.2, 1.4.3, level AA)."""
PART = 3.0
"""Least ratio of the parts of a control to what is beside them (1.4.11)."""

READ = (
    *((ink, ground) for ink in ("ink", "soft") for ground in ("paper", "card", "shade")),
    *((ink, "card") for ink in ("accent", "gold", "good", "bad", "warn")),
    *((ink, "paper") for ink in ("accent", "gold", "bad")),
    *((ink, f"{ink}-soft") for ink in ("gold", "bad", "warn")),
    ("accent", "shade"),
    ("ink", "gold-soft"),
    ("accent", "gold-soft"),
    ("card", "good"),
    ("added", "added-soft"),
    ("gone", "gone-soft"),
    ("good", "shade"),
)
SEEN = (("focus", "paper"), ("focus", "card"), ("edge", "paper"), ("edge", "card"))


def _palettes(css: str) -> dict[str, dict[str, str]]:
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})\b", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    )
    return {"light": light, "dark": {**light, **dark}}


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _ratio(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _css(repository: Path) -> str:
    return (repository / "annotation" / "pages" / "web_static" / "review.css").read_text(
        encoding="utf-8"
    )


def test_the_ratio_of_black_and_white_is_21() -> None:
    """The measure itself is right."""
    assert round(_ratio("#000", "#ffffff"), 2) == 21.0


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_can_be_read(repository: Path, mode: str) -> None:
    """Every ink on every ground it stands on has the contrast that WCAG asks of text."""
    palette = _palettes(_css(repository))[mode]
    poor = {
        f"{ink} on {ground}": round(ratio, 2)
        for ink, ground in READ
        if (ratio := _ratio(palette[ink], palette[ground])) < TEXT
    }
    assert poor == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_focus_and_edges_of_fields_can_be_seen(repository: Path, mode: str) -> None:
    """What shows where somebody is, and where they can write."""
    palette = _palettes(_css(repository))[mode]
    poor = {
        f"{part} on {ground}": round(ratio, 2)
        for part, ground in SEEN
        if (ratio := _ratio(palette[part], palette[ground])) < PART
    }
    assert poor == {}


def test_no_text_is_made_paler_than_its_colour(repository: Path) -> None:
    """Opacity would undo the contrast that the palette has; only what is off may be pale."""
    paler = re.findall(r"([^{}]+)\{[^}]*[ ;]opacity: \.", _css(repository))
    assert {one.strip() for one in paler} <= {".button.off"}


def test_every_colour_of_text_is_of_the_palette(repository: Path) -> None:
    """A colour that stands alone is right in one mode only."""
    rules = re.sub(r":root \{.*?\}", "", _css(repository), flags=re.DOTALL)
    assert re.findall(r"[^-]color: #\w+", rules) == []
