"""The scenes of the sample: countable coloured objects, and the flags of the slipway club."""

import math

from sample_canvas import (
    BLUE,
    DARK_WOOD,
    GREEN,
    INK,
    RED,
    SAND,
    SCALE,
    SEA,
    SKY,
    STONE,
    WHITE,
    WIDTH,
    WOOD,
    YELLOW,
    Canvas,
    curve,
)


def bucket(art: Canvas, x: float, y: float, colour: str) -> None:
    """A bucket of 34 pixels with its handle."""
    art.pen.arc(
        [(x + 1) * SCALE, (y - 20) * SCALE, (x + 33) * SCALE, (y + 20) * SCALE],
        180,
        360,
        fill=INK,
        width=2 * SCALE,
    )
    art.poly([(x, y), (x + 34, y), (x + 28, y + 40), (x + 6, y + 40)], colour, INK)


def shed() -> Canvas:
    """The upturned hull on trestles in a shed; four red, two yellow, one blue bucket."""
    art = Canvas("#d9c7a6")
    for x in range(0, WIDTH, 64):
        art.line([(x, 0), (x, 320)], "#c4ae88", 2)
    art.rect(0, 320, 640, 480, "#b3ada3")
    art.rect(440, 50, 580, 150, SKY, DARK_WOOD)
    art.line([(510, 50), (510, 150)], DARK_WOOD, 4)
    art.line([(440, 100), (580, 100)], DARK_WOOD, 4)
    for x in (190, 440):
        art.line([(x, 292), (x - 30, 400)], DARK_WOOD, 9)
        art.line([(x, 292), (x + 30, 400)], DARK_WOOD, 9)
        art.rect(x - 46, 284, x + 46, 298, DARK_WOOD)
    hull = [(90 + 450 * t, 284 - 104 * math.sin(math.pi * (0.12 + 0.88 * t))) for t in curve(0, 1)]
    art.poly([*hull, (540, 284), (90, 284)], WOOD, INK)
    for share in (0.3, 0.55, 0.8):
        art.line([(x, 284 - (284 - y) * share) for x, y in hull], DARK_WOOD, 1.5)
    places = [(40, 390), (110, 420), (255, 400), (330, 425), (395, 392), (515, 415), (580, 385)]
    colours = [RED, YELLOW, RED, RED, BLUE, YELLOW, RED]
    for (x, y), colour in zip(places, colours, strict=True):
        bucket(art, x, y, colour)
    return art


def flag(art: Canvas, kind: str, x: float, y: float, size: float) -> None:
    """One of the club's flags (heron, kelp, ember) with its upper left corner at (x, y)."""
    w, h = size * 1.5, size
    if kind == "heron":
        art.rect(x, y, x + w, y + h, WHITE)
        middle, rise = (x + w / 2, y + h / 2), h * 0.42
        points = [(-rise * 1.5, 0.0), (0.0, -rise), (rise * 1.5, 0.0), (0.0, rise)]
        art.poly([(middle[0] + dx, middle[1] + dy) for dx, dy in points], BLUE)
    elif kind == "kelp":
        art.poly([(x, y), (x + w, y), (x, y + h)], GREEN)
        art.poly([(x + w, y), (x + w, y + h), (x, y + h)], YELLOW)
    else:
        art.rect(x, y, x + w, y + h, RED)
        art.circle(x + w / 2, y + h / 2, h * 0.3, YELLOW)
    art.line([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], INK, 1.5)


def clubhouse() -> Canvas:
    """The Heron flag on the mast of the clubhouse."""
    art = Canvas(SKY)
    art.rect(0, 380, 640, 480, "#9bb07a")
    art.rect(60, 220, 420, 400, "#e9e2d0", INK)
    art.poly([(40, 224), (240, 130), (440, 224)], "#8c4a3a", INK)
    for x in (90, 180, 330):
        art.rect(x, 260, x + 56, 320, "#8fb6cc", INK)
    art.rect(256, 300, 312, 400, DARK_WOOD, INK)
    art.line([(500, 430), (500, 40)], WHITE, 8)
    flag(art, "heron", 358, 50, 92)
    return art


def slipway() -> Canvas:
    """The Kelp flag beside the slipway, with the winch and a boat on the cable."""
    art = Canvas("#dfe9ee")
    art.rect(0, 300, 640, 480, SEA)
    art.poly([(0, 250), (200, 250), (560, 480), (0, 480)], STONE, INK)
    art.rect(30, 196, 104, 250, "#55606a", INK)
    art.circle(66, 220, 17, "#333c44", WHITE)
    art.line([(83, 218), (301, 276)], INK, 2.5)
    art.poly([(301, 274), (443, 365), (402, 379), (303, 316)], WOOD, INK)
    art.line([(210, 252), (210, 60)], DARK_WOOD, 8)
    flag(art, "kelp", 214, 64, 100)
    return art


def beach() -> Canvas:
    """The Ember flag on a hut at the beach, with swell behind it."""
    art = Canvas("#b9c7d0")
    for row in range(4):
        wave = [
            (x, 170 + row * 44 + 12 * math.sin(x / 46 + row * 1.7)) for x in range(0, WIDTH + 1, 8)
        ]
        art.poly([*wave, (WIDTH, 400), (0, 400)], ["#5f8ea4", "#4c7d95", "#3d6e88", "#32617b"][row])
        art.line(wave, WHITE, 2.5)
    art.rect(0, 356, 640, 480, SAND)
    art.rect(420, 250, 570, 420, "#c9d7c0", INK)
    art.poly([(404, 254), (495, 196), (586, 254)], BLUE, INK)
    art.rect(470, 320, 520, 420, DARK_WOOD, INK)
    art.line([(300, 430), (300, 60)], "#eceae4", 8)
    flag(art, "ember", 304, 66, 78)
    return art


def sailing_boat(art: Canvas, x: float, y: float, colour: str, size: float) -> None:
    """A small boat with one triangular sail."""
    art.line([(x, y), (x, y - 70 * size)], INK, 2.5)
    mast_top, foot = y - 68 * size, y - 8 * size
    art.poly([(x + 3, mast_top), (x + 42 * size, foot), (x + 3, foot)], colour, INK)
    left, right = x - 30 * size, x + 38 * size
    art.poly([(left, y), (right, y), (right - 12, y + 15 * size), (left + 12, y + 15 * size)], WOOD)


def harbour() -> Canvas:
    """Harbour Day seen from the quay: five red, three white, two yellow sails and one green."""
    art = Canvas(SKY)
    art.circle(560, 60, 30, "#fbe08a")
    art.poly([(0, 170), (130, 110), (260, 160), (420, 120), (640, 175), (640, 220)], "#7f9c72")
    art.rect(0, 180, 640, 420, SEA)
    for y in range(200, 420, 26):
        art.line([(20 + y % 50, y), (90 + y % 50, y)], "#6aa6c0", 2)
        art.line([(400 + y % 70, y + 8), (480 + y % 70, y + 8)], "#6aa6c0", 2)
    art.rect(0, 418, 640, 480, STONE)
    for x in (40, 240, 440, 600):
        art.rect(x, 400, x + 18, 440, "#4e4a44")
    boats = [(60, 252, RED), (150, 244, WHITE), (245, 256, RED), (350, 246, YELLOW)]
    boats += [(450, 254, RED), (565, 248, WHITE), (95, 362, GREEN), (215, 372, RED)]
    boats += [(325, 366, WHITE), (430, 376, YELLOW), (550, 366, RED)]
    for x, y, colour in boats:
        sailing_boat(art, x, y, colour, 0.9 if y < 300 else 1.15)
    return art


def jetty_dinghy() -> Canvas:
    """Question image: a dinghy at a jetty that flies the Kelp flag at its stern."""
    art = Canvas("#f3dfc4")
    art.rect(0, 270, 640, 480, "#3f7f96")
    art.rect(420, 250, 640, 276, WOOD, INK)
    for x in (450, 530, 610):
        art.rect(x, 276, x + 14, 420, DARK_WOOD)
    art.poly([(90, 300), (410, 300), (372, 372), (128, 372)], "#e8edf0", INK)
    art.line([(280, 300), (280, 70)], DARK_WOOD, 7)
    art.line([(384, 302), (404, 180)], DARK_WOOD, 5)
    flag(art, "kelp", 405, 176, 58)
    return art


def lighthouse() -> Canvas:
    """Question image: a lighthouse on a rock with the Ember flag beside it."""
    art = Canvas("#9fc3d8")
    art.rect(0, 350, 640, 480, "#2f6b86")
    art.poly([(60, 400), (150, 330), (330, 318), (470, 340), (590, 410)], "#6b655c", INK)
    art.poly([(190, 330), (210, 110), (270, 110), (290, 330)], WHITE, INK)
    art.poly([(199, 230), (281, 230), (286, 280), (194, 280)], "#40566a")
    art.rect(214, 74, 266, 110, YELLOW, INK)
    art.poly([(206, 76), (240, 44), (274, 76)], "#40566a", INK)
    art.line([(430, 344), (430, 150)], INK, 6)
    flag(art, "ember", 433, 152, 70)
    return art
