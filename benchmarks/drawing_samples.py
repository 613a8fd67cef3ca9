"""Sample figures of every kind for `drawing.py`: short and long titles, few and many rows."""

from datetime import date, timedelta
from random import Random

from memassay.schemas.changes.locating import spoken_date
from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.parts.objects import COLOURS, SHAPES

TITLES = (
    "White cells, Biscuit",
    "Delivery log",
    "Parcels of the north round",
    "Fluid balance by day, isolation ward, first week of March",
    "Things bought on the way home from the clinic",
)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
PLACES = ("Reticulocytes", "Aisle B", "Kidney panel", "Back hallway", "North station", "Depot")
ROOMS = ("Kitchen", "Hallway", "Exam room 2", "Cold storage", "Isolation ward", "Office")
ITEMS = ("Oat flour", "Cat litter", "Bus pass", "Rye bread", "Olive oil", "Paper towels")
CELLS = ("4.3 mg", "08:15", "every 6 h", "Dr. Okafor", "1200.5 ml/h", "14 May 2025")
SENDERS = (
    "Dr. Okafor 08:12",
    "Me 08:15",
    "Front desk 09:40",
    "Dr. Okafor 11:05",
    "Me 11:06",
    "Rosa 12:30",
)
TEXTS = (
    "Two bags of the oat mix, the blue ones from the top shelf",
    "Not before Thursday, the van is at the garage",
    "room 214",
)
READINGS = ("2.4 bar", "93 °C", "68%", "1450 rpm", "36.7 °C", "7 m/s")
LINES = (
    ("Patient", "Biscuit"),
    ("Dose", "4.3 mg"),
    ("Given by", "Dr. Amara Okafor"),
    ("Expires", "14 March 2025"),
    ("Seat", "17C"),
    ("Instructions", "Keep refrigerated and shake well before each use"),
    ("Gate", "B 12"),
    ("Batch", "KX-2093-7"),
)


def sample_figure(kind: str, random: Random) -> Figure:
    """A figure of a kind with two to six rows."""
    count, title = random.randint(2, 6), random.choice(TITLES)
    labels = random.choice((DAYS, PLACES))[:count]
    if kind in ("bar_chart", "line_chart"):
        return _chart(kind, title, labels, random)
    if kind in ("table", "timetable"):
        columns = ("Dose", "Given at", "Interval", "Observed by")[: random.randint(2, 4)]
        cells = tuple(tuple(random.choice(CELLS) for _ in columns) for _ in labels)
        return Figure(kind, title, rows=labels, columns=columns, cells=cells)
    if kind == "receipt":
        prices = [random.randint(100, 6000) for _ in range(count)]
        cells = tuple((f"{price / 100:.2f} EUR",) for price in prices)
        total = (("Total", f"{sum(prices) / 100:.2f} EUR"),)
        return Figure(kind, title, rows=ITEMS[:count], cells=cells, lines=total)
    if kind == "route_map":
        cells = tuple((f"{random.uniform(0.4, 14):.1f} km",) for _ in range(count))
        return Figure(kind, title, rows=PLACES[:count], cells=cells)
    if kind == "annotated_plan":
        cells = tuple((random.choice((*CELLS, *TEXTS)),) for _ in range(count))
        return Figure(kind, title, rows=PLACES[:count], cells=cells)
    if kind == "plan":
        cells = tuple((f"{random.uniform(4, 40):.1f} m2",) for _ in range(count))
        return Figure(kind, title, rows=ROOMS[:count], cells=cells)
    if kind == "double_chart":
        high = random.choice((9, 80, 3000))
        cells = tuple(
            (f"{random.uniform(1, high):.1f} kg", f"{random.uniform(1, high):.1f} kg")
            for _ in labels
        )
        columns = ("North ward", "South ward")
        return Figure(kind, title, "weight", rows=labels, columns=columns, cells=cells)
    if kind in ("photo_pair", "cluttered_scene"):
        colours = random.sample(sorted(COLOURS), min(count, 4))
        rows = tuple(f"{colour} {random.choice(sorted(SHAPES))}" for colour in colours)
        pair = kind == "photo_pair"
        columns = ("Before", "After") if pair else ("In all", "Half hidden")
        least, most = (1, 9) if pair else (1, 2)
        cells = tuple((str(random.randint(4, 7)), str(random.randint(least, most))) for _ in rows)
        return Figure(kind, title, rows=rows, columns=columns, cells=cells)
    if kind == "scene":
        colours = random.sample(sorted(COLOURS), count)
        rows = tuple(f"{colour} {random.choice(sorted(SHAPES))}" for colour in colours)
        return Figure(
            kind, title, rows=rows, cells=tuple((str(random.randint(2, 9)),) for _ in rows)
        )
    if kind == "form":
        choices = random.choice((("Yes", "No"), ("never", "sometimes", "often", "always")))
        cells = tuple((random.choice(choices),) for _ in labels)
        return Figure(kind, title, measure=" / ".join(choices), rows=labels, cells=cells)
    if kind == "calendar":
        first = date(2025, random.randint(1, 12), 1)
        days = [(first + timedelta(days=random.randint(0, 27))).isoformat() for _ in labels]
        return Figure(kind, title, lines=tuple(zip(labels, map(spoken_date, days), strict=True)))
    if kind == "gauge":
        cells = tuple((random.choice(READINGS),) for _ in labels[:4])
        return Figure(kind, title, rows=labels[:4], cells=cells)
    if kind == "chat":
        said = zip(SENDERS, random.sample(CELLS + TEXTS, count), strict=False)
        return Figure(kind, random.choice(TITLES[:3]), lines=tuple(said))
    return Figure(kind, title, lines=tuple(random.sample(LINES, count)))


def _chart(kind: str, title: str, labels: tuple[str, ...], random: Random) -> Figure:
    low, high, digits = random.choice(((1, 10, 1), (20, 300, 0), (12_000, 90_000, 1)))
    unit = random.choice(("kg", "k/ul", "minutes", "ml/h"))
    cells = tuple((f"{random.uniform(low, high):.{digits}f} {unit}",) for _ in labels)
    measure = random.choice(("white cell count", "resting heart rate of the patient"))
    return Figure(kind, title, measure=measure, unit=unit, rows=labels, cells=cells)


def sample_document(random: Random) -> Document:
    """Four pages: three with a figure, one of text alone."""
    text = (
        "The ward records every dose, every weight and every change of the fluid rate by hand "
        "before the chart is countersigned. On 14 March 2025 the drip was set to 22 ml/h."
    )
    kinds = ("table", "line_chart", "scene", None)
    pages = (
        Page(f"Part {at}", (text, text), sample_figure(kind, random) if kind else None)
        for at, kind in enumerate(kinds, start=1)
    )
    return Document("Ward handbook, third edition", tuple(pages))
