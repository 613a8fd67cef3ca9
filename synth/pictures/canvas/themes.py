"""Colour themes: dark ink on light paper, picked once for each picture."""

from dataclasses import dataclass
from random import Random
from typing import Final


@dataclass(frozen=True)
class Theme:
    """Colours that go together.

    Attributes:
        paper: Behind everything.
        panel: A light surface on the paper.
        tint: A light surface that sets headings and every other row apart.
        ink: Text.
        quiet: Secondary text; still at least 4.5 : 1 on paper, panel and tint.
        rule: Thin lines.
        accent: Bars, lines, borders and headings.
        second: A further strong colour.
    """

    paper: str
    panel: str
    tint: str
    ink: str
    quiet: str
    rule: str
    accent: str
    second: str


THEMES: Final = (
    Theme("#f7f9fb", "#ffffff", "#e3ecf5", "#14202c", "#45566a", "#c9d3de", "#22609f", "#c8552b"),
    Theme("#fbf8f1", "#fffdf8", "#f1e8d3", "#2b2118", "#655238", "#ddd0b4", "#9a4a1f", "#3a6b5c"),
    Theme("#f4f8f4", "#ffffff", "#dfeee1", "#15261b", "#3f5a48", "#c4d6c8", "#2b7348", "#b0632a"),
    Theme("#faf6f9", "#ffffff", "#f1e1ec", "#2a1825", "#644a5d", "#dfcbd8", "#8c2f6b", "#2f6f8c"),
    Theme("#f6f6f4", "#ffffff", "#e6e6e0", "#1c1c1a", "#52524c", "#cfcfc7", "#3b4a54", "#b3392f"),
    Theme("#f2f8f9", "#ffffff", "#d8edf0", "#10262b", "#3b585f", "#bfd6da", "#14707f", "#c2571a"),
    Theme("#f8f6fc", "#ffffff", "#e7e1f5", "#1f1933", "#544c70", "#d0c8e3", "#5640a3", "#a8521c"),
    Theme("#fdf6f3", "#fffefd", "#f8e2da", "#301914", "#6d4a40", "#e6cdc3", "#b23a26", "#2d5f86"),
)


def pick_theme(random: Random) -> Theme:
    """A theme at random."""
    return random.choice(THEMES)
