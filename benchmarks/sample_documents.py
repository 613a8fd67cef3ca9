"""The documents of the sample: plans, charts, receipts, a label, test panels, a tide table."""

import math
from collections.abc import Sequence

from PIL import Image
from sample_canvas import (
    BLUE,
    DARK_WOOD,
    GREY,
    HEIGHT,
    INK,
    ORANGE,
    PALE,
    PAPER,
    RED,
    SCALE,
    WHITE,
    WIDTH,
    WOOD,
    Canvas,
    Point,
    curve,
)

MOISTURE = [("P1", 27), ("P2", 22), ("P3", 18), ("P4", 17), ("P5", 15), ("P6", 14)]
DRYING = [("16 Feb", 27), ("23 Feb", 25), ("2 Mar", 23), ("9 Mar", 20), ("16 Mar", 17)]
REPLACED_PLANKS = {"P1", "P2", "S5"}
TIMBER = [
    ("Larch board 4.0 m", 3, "31.50", "94.50"),
    ("Copper rivets 1 kg", 1, "28.40", "28.40"),
    ("Roves, box of 500", 1, "16.20", "16.20"),
    ("Oak rib stock", 2, "12.75", "25.50"),
]
PAINT = [
    ("Lantern Green enamel 2.5 L", 1, "58.00", "58.00"),
    ("Grey primer 1 L", 2, "21.50", "43.00"),
    ("Masking tape 25 mm", 3, "4.20", "12.60"),
    ("Bronze wool", 1, "8.90", "8.90"),
    ("Badger brush 50 mm", 1, "13.50", "13.50"),
]
TIDES = [
    ("Fri 8", "04:05", "1.2", "10:22", "5.0", "16:26", "1.0", "22:44", "4.9"),
    ("Sat 9", "04:48", "1.0", "11:06", "5.2", "17:10", "0.8", "23:28", "5.0"),
    ("Sun 10", "05:29", "0.8", "11:48", "5.4", "17:52", "0.7", "--:--", "---"),
    ("Mon 11", "00:10", "5.1", "06:11", "0.8", "12:31", "5.4", "18:36", "0.8"),
]
# Corners of the lugsail in metres: tack, clew, peak, throat. Edge lengths are computed from them.
SAIL: list[Point] = [(0.0, 0.0), (2.7, 0.2), (1.9, 3.7), (0.1, 2.0)]


def hull_plan() -> Canvas:
    """Plan and side view of the dinghy on squared paper, with four measured dimensions."""
    art = Canvas(PAPER)
    for step in range(0, WIDTH, 20):
        art.line([(step, 0), (step, HEIGHT)], "#e3ebee", 1)
        art.line([(0, step), (WIDTH, step)], "#e3ebee", 1)
    bow = [(80 + 460 * t, 58 * math.sin(math.pi * (0.5 + 0.5 * t)) ** 0.7) for t in curve(0, 1)]
    shape = [(80 + 460 * t, 150 - half_beam(t)) for t in curve(0, 1)]
    shape += [(x, 300 - y) for x, y in reversed(shape)]
    art.poly(shape, "#efe0c0", INK)
    for share in (0.33, 0.66):
        inner = [(80 + 460 * t, 150 - half_beam(t) * share) for t in curve(0, 1)]
        art.line(inner, WOOD, 1.2)
        art.line([(x, 300 - y) for x, y in inner], WOOD, 1.2)
    for seat in (180, 300, 420):
        art.rect(seat, 150 - 50, seat + 22, 150 + 50, WOOD, INK)
    side = [(80 + 460 * t, 318 - 14 * (2 * t - 1) ** 2) for t in curve(0, 1)]
    keel = [(bow_x, 388 - 18 * max(0.0, (bow_x - 440) / 100) ** 2) for bow_x, _ in reversed(bow)]
    art.poly([*side, *keel], "#efe0c0", INK)
    art.measure((80, 44), (540, 44), "Length 3.66 m", (0, -14))
    art.measure((300, 150 - half_beam(0.48)), (300, 150 + half_beam(0.48)), "", (0, 0))
    art.rect(318, 137, 440, 163, PAPER, RED)
    art.text(379, 150, "Beam 1.47 m", 17, RED, "mm")
    art.measure((62, 150 - half_beam(0)), (62, 150 + half_beam(0)), "1.02 m", (-26, -12))
    art.text(36, 155, "Transom", 13, RED, "mm")
    art.measure((560, 304), (560, 388), "0.56 m", (36, 8))
    art.text(596, 332, "Depth", 14, RED, "mm")
    art.rect(360, 418, 620, 466, WHITE, INK)
    art.text(372, 432, "WAGTAIL, as measured", 15, bold=True)
    art.text(372, 452, "15 February 2025   N. Whitcombe", 13)
    return art


def half_beam(t: float) -> float:
    """Half the drawn width (pixels) of the hull at share `t` of the length, from the stern."""
    return 62 + 30 * math.sin(math.pi * t) if t < 0.5 else 92 * (1 - ((t - 0.5) * 2) ** 2.4)


def moisture_bars() -> Canvas:
    """Bar chart of the moisture of six planks, with a dashed line at the limit of 20 %."""
    art = Canvas(WHITE)
    axes(art, "Moisture of port planks, 15 Feb 2025", 30)
    for index, (plank, reading) in enumerate(MOISTURE):
        left, top = 100 + index * 86, 400 - reading * 10
        art.rect(left, top, left + 54, 400, ORANGE if reading > 20 else BLUE)
        art.text(left + 27, 382, f"{reading} %", 17, WHITE, "mm", bold=True)
        art.text(left + 27, 420, plank, 17, anchor="mm")
    art.dashes(70, 610, 200, RED)
    art.text(608, 186, "limit 20 %", 15, RED, "rm")
    return art


def axes(art: Canvas, title: str, highest: int) -> None:
    """Title, vertical scale (10 pixels per percent, zero at 400) and frame of a chart."""
    art.text(320, 40, title, 22, anchor="mm", bold=True)
    for value in range(0, highest + 1, 5):
        y = 400 - value * 10
        art.line([(70, y), (610, y)], INK if value == 0 else PALE, 1.5)
        art.text(60, y, str(value), 14, GREY, "rm")
    art.text(20, 75, "%", 15, GREY)


def drying_line() -> Canvas:
    """Line chart of the weekly moisture readings of plank P1."""
    art = Canvas("#f4f8fb")
    axes(art, "Plank P1 drying in the shed", 30)
    points = [(120 + index * 110, 400 - reading * 10) for index, (_, reading) in enumerate(DRYING)]
    art.poly([(120, 400), *points, (560, 400)], "#d6e6f3")
    art.line(points, BLUE, 3)
    for (day, reading), (x, y) in zip(DRYING, points, strict=True):
        art.circle(x, y, 7, WHITE, BLUE)
        art.text(x, y - 20, f"{reading}", 18, anchor="mm", bold=True)
        art.text(x, 420, day, 16, anchor="mm")
    art.text(340, 452, "Sunday readings, 2025", 14, GREY, "mm")
    return art


def planking() -> Canvas:
    """Planking diagram: six planks a side, the ones to be replaced red, the others green."""
    art = Canvas(PAPER)
    art.text(320, 34, "Planking diagram  (keel in the middle)", 20, anchor="mm", bold=True)
    art.rect(90, 236, 560, 248, DARK_WOOD)
    for side, sign in (("P", -1), ("S", 1)):
        for number in range(1, 7):
            name = f"{side}{number}"
            middle = 242 + sign * (number * 27 - 4)
            reach = 470 - number * 14
            colour = "#dc6a5f" if name in REPLACED_PLANKS else "#8fbf91"
            art.rect(90, middle - 12, 90 + reach, middle + 12, colour, INK)
            art.text(70, middle, name, 16, anchor="mm")
            for x in range(110, 80 + reach, 30):
                art.circle(x, middle, 1.8, INK)
    art.text(575, 242, "Bow", 16, anchor="lm")
    art.text(24, 160, "port", 15, GREY, "mm")
    art.text(26, 324, "starb.", 15, GREY, "mm")
    for x, colour, words in ((180, "#dc6a5f", "replace"), (330, "#8fbf91", "keep")):
        art.rect(x, 440, x + 24, 460, colour, INK)
        art.text(x + 34, 450, words, 16)
    return art


def receipt(
    day: str, number: str, rows: Sequence[tuple[str, int, str, str]], total: str, tilt: float
) -> Canvas:
    """A till receipt of the chandlery on a dark table, turned by `tilt` degrees."""
    art = Canvas(PAPER)
    art.text(320, 44, "KESTREL CHANDLERY", 27, anchor="mm", bold=True)
    art.text(320, 74, "3 Quay Street, Penmarrow", 15, GREY, "mm")
    art.text(130, 108, day, 16)
    art.text(510, 108, f"No. {number}", 16, anchor="rm")
    art.dashes(130, 510, 128, GREY)
    for index, (item, count, each, amount) in enumerate(rows):
        y = 152 + index * 42
        art.text(130, y, item, 17)
        art.text(510, y, amount, 17, anchor="rm")
        art.text(150, y + 18, f"{count} x {each}", 13, GREY)
    end = 152 + len(rows) * 42
    art.dashes(130, 510, end, GREY)
    art.text(130, end + 28, "TOTAL GBP", 22, bold=True)
    art.text(510, end + 28, total, 22, anchor="rm", bold=True)
    art.text(320, end + 62, "Thank you and fair winds", 14, GREY, "mm")
    slip = art.image.crop((110 * SCALE, 16 * SCALE, 530 * SCALE, (end + 84) * SCALE))
    slip = slip.convert("RGBA").rotate(tilt, Image.Resampling.BICUBIC, expand=True)
    table = Canvas("#5a4633")
    for y in range(0, HEIGHT, 80):
        table.line([(0, y), (WIDTH, y)], "#4b3a2a", 2)
    corner = ((WIDTH * SCALE - slip.width) // 2, (HEIGHT * SCALE - slip.height) // 2)
    table.image.paste(slip, corner, slip)
    return table


def tin_label() -> Canvas:
    """The label of the enamel tin: colour name, volume, coverage, drying times, batch."""
    art = Canvas("#e9e4d8")
    art.rect(120, 40, 520, 450, "#b9bec2", INK)
    art.rect(104, 28, 536, 52, "#d4d8da", INK)
    art.rect(120, 84, 520, 420, WHITE)
    art.rect(120, 84, 520, 190, "#2f7d5b")
    art.text(320, 118, "HARBOUR ENAMEL", 32, WHITE, "mm", bold=True)
    art.text(320, 160, "Lantern Green", 24, WHITE, "mm")
    facts = [
        ("Contents", "2.5 litres"),
        ("Coverage", "12 sq m per litre"),
        ("Touch dry", "6 hours"),
        ("Recoat after", "18 hours"),
        ("Batch", "LG-2207"),
    ]
    for index, (name, value) in enumerate(facts):
        y = 216 + index * 42
        art.text(146, y, name, 19, GREY)
        art.text(494, y, value, 20, anchor="rm", bold=True)
        art.line([(146, y + 20), (494, y + 20)], PALE, 1.5)
    return art


def panels() -> Canvas:
    """Six primer test panels, lettered A to F; cracks on A, C, F, blisters on B, E, none on D."""
    art = Canvas("#8a9a6b")
    shades = ["#d7d2c6", "#b8c4c9", "#c9b7a0", "#a9b8b0", "#cfc9a8", "#b7abb3"]
    for index, (letter, shade) in enumerate(zip("ABCDEF", shades, strict=True)):
        left, top = 40 + index % 3 * 195, 30 + index // 3 * 220
        art.rect(left, top, left + 170, top + 160, shade, INK)
        art.circle(left + 85, top + 184, 16, WHITE, INK)
        art.text(left + 85, top + 184, letter, 20, anchor="mm", bold=True)
        if letter in "ACF":
            for shift in (20, 60 + index * 6, 125):
                zigzag = [
                    (left + shift + step % 2 * (10 + index * 2), top + 14 + step * 26)
                    for step in range(4 + (shift + index) % 3)
                ]
                art.line(zigzag, "#4a3a2c", 2.2)
        if letter in "BE":
            for spot in range(9):
                x, y = left + 24 + spot % 3 * 56 + spot // 3 * 6, top + 30 + spot // 3 * 48
                art.circle(x, y, 7 + spot % 3 * 3, "#f1efe8", "#5d5348")
    return art


def sail_plan() -> Canvas:
    """The sailmaker's plan: mast and balanced lugsail with the lengths of the four edges."""
    art = Canvas("#23466b")
    place = [(230 + x * 105, 400 - y * 100) for x, y in SAIL]
    art.line([(268, 470), (268, 190)], "#d9b98a", 7)
    art.poly(place, "#f2e7cf", WHITE)
    art.line([place[3], (place[2][0] + 8, place[2][1] - 8)], "#d9b98a", 6)
    art.line([place[0], place[1]], "#d9b98a", 6)
    middle = (sum(x for x, _ in place) / 4, sum(y for _, y in place) / 4)
    names = ["Foot", "Leech", "Head", "Luff"]
    shifts = [(20.0, 26.0), (78.0, 0.0), (-118.0, -14.0), (-78.0, 0.0)]
    for index, (name, (dx, dy)) in enumerate(zip(names, shifts, strict=True)):
        (x1, y1), (x2, y2) = place[index], place[(index + 1) % 4]
        length = math.dist(SAIL[index], SAIL[(index + 1) % 4])
        label = f"{name} {length:.2f} m"
        art.text((x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy, label, 18, WHITE, "mm")
    art.text(*middle, "W", 64, RED, "mm", bold=True)
    art.text(24, 34, "Sail plan: balanced lug", 22, WHITE, bold=True)
    art.text(24, 62, "P. Lindqvist, Sailmaker", 15, PALE)
    return art


def tide_table() -> Canvas:
    """Tide table of 8 to 11 August 2025: time and height (metres) of four tides a day."""
    art = Canvas(WHITE)
    art.rect(0, 0, 640, 84, "#1f4e66")
    art.text(320, 32, "PENMARROW HARBOUR OFFICE", 24, WHITE, "mm", bold=True)
    art.text(320, 62, "Tides, August 2025 (local time, heights in metres)", 16, WHITE, "mm")
    columns = [70, 150, 215, 285, 350, 420, 485, 555, 612]
    for column in range(4):
        art.text(columns[1 + 2 * column], 112, "Time", 16, GREY, "mm")
        art.text(columns[2 + 2 * column], 112, "m", 16, GREY, "mm")
    for index, row in enumerate(TIDES):
        y = 160 + index * 64
        art.rect(20, y - 28, 636, y + 28, "#eef4f7" if index % 2 == 0 else WHITE)
        art.text(30, y, row[0], 19, bold=True)
        for column, value in enumerate(row[1:], start=1):
            high = column % 2 == 0 and value[0] in "45"
            art.text(columns[column], y, value, 18, BLUE if high else INK, "mm", bold=high)
    art.text(320, 430, "Bold blue heights are high water.", 16, GREY, "mm")
    return art
