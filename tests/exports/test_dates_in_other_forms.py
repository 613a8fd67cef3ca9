"""A date in another notation is taken if it has one reading only; what cannot be stays an error."""

from pathlib import Path

import pytest
from support.foreign_cases import bundle_of, import_all, rules
from support.foreign_forms import DATED, Layout

NAMES = [each.name for each in DATED]


@pytest.mark.parametrize(
    ("date", "when"),
    [
        ("8 May 2023", "2023-05-08"),
        ("May 8th, 2023", "2023-05-08"),
        ("2023/05/08", "2023-05-08"),
        ("13/05/2023", "2023-05-13"),
        ("May 2023", "2023-05"),
        ("2023-05-08 13:56", "2023-05-08T13:56"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00"),
        ("2023-05-08T13:56:00.25+02:00", "2023-05-08T13:56:00"),
        ("2023/05/08 (Mon) 13:56", "2023-05-08T13:56"),
        ("1:56 PM on 8 May 2023", "2023-05-08T13:56"),
        ("13:56 on 8 May, 2023", "2023-05-08T13:56"),
        ("12:05 a.m. on May 8, 2023", "2023-05-08T00:05"),
        ("Monday, 8 May 2023, 13:56", "2023-05-08T13:56"),
        ("Mon May 08 13:56:00 2023", "2023-05-08T13:56:00"),
        ("20230508", "2023-05-08"),
        (20230508, "2023-05-08"),
        ("20230508T135600Z", "2023-05-08T13:56:00"),
    ],
)
@pytest.mark.parametrize("layout", DATED, ids=NAMES)
def test_a_date_with_one_reading_is_taken(
    tmp_path: Path, layout: Layout, date: str, when: str
) -> None:
    """The session has its date, a warning says the notation, and the export writes it as it was."""
    layout.write(tmp_path / "in", layout.raw("green", date))
    (imported,) = import_all(layout.name, tmp_path / "in")
    bundle = bundle_of(imported)
    assert bundle.conversation.sessions[0].date == when
    found = rules(imported)
    own = layout.name == "longmemeval" and date == "2023/05/08 (Mon) 13:56"
    assert ("import.date_notation" in found) is not own
    assert not {"import.date_unreadable", "import.date_weekday"} & set(found)
    assert layout.date is not None
    assert layout.date(layout.written_again(bundle, tmp_path / "out")) == date


@pytest.mark.parametrize(
    "date",
    [
        "8:56 pm on 31 June, 2023",
        "2023-02-29 10:00",
        "29 February 2023",
        "2023-05-08 24:30",
        "13:56 pm on 8 May, 2023",
        "8/5/2023",
        "1:56 on 8 May, 2023",
        "8 May 23",
        "the Monday after Easter",
        "8 Mayor 2023",
        "20231308",
        1683554160,
    ],
)
@pytest.mark.parametrize("layout", DATED, ids=NAMES)
def test_a_date_with_no_reading_or_two_is_an_error(
    tmp_path: Path, layout: Layout, date: str
) -> None:
    """A day that does not exist, and one of two days or times, is no date."""
    layout.write(tmp_path, layout.raw("green", date))
    (imported,) = import_all(layout.name, tmp_path)
    assert bundle_of(imported).conversation.sessions[0].date is None
    assert "import.date_unreadable" in rules(imported)


@pytest.mark.parametrize(
    "date",
    [
        "2023/05/08 (Tue) 13:56",
        "Sunday, 8 May 2023",
        "Fri May 08 13:56:00 2023",
        "8 May 2023 (thu)",
    ],
)
@pytest.mark.parametrize("layout", DATED, ids=NAMES)
def test_a_wrong_day_of_the_week_is_said(tmp_path: Path, layout: Layout, date: str) -> None:
    """The date is taken, and an error names the day that it was."""
    layout.write(tmp_path, layout.raw("green", date))
    (imported,) = import_all(layout.name, tmp_path)
    (found,) = [each for each in imported.findings if each.rule == "import.date_weekday"]
    assert "Monday, which 2023-05-08 was" in found.message
    assert (bundle_of(imported).conversation.sessions[0].date or "").startswith("2023-05-08")
