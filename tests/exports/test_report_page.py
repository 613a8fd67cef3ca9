"""The report of a release: its numbers, its samples, and a page that asks nothing of a network."""

import re
from collections import Counter
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.release_builder import certificate, content

from memassay.exports.release.public.facts import facts_of, shortcuts, sum_of_facts
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.exports.reports.page import counts, plots, report_page, tables
from memassay.exports.reports.page.drawings import Bar, Days, bars, calendar, columns
from memassay.exports.reports.page.page_counts import PageCounts
from memassay.exports.reports.page.svg import ticks
from memassay.flows.services.releases import release_stats
from memassay.schemas.judgements.certificate import Check, Outcome, Verdict
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle


class _Addresses(HTMLParser):
    """Every address that a page could fetch, and every element that is open at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.text = ""

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            value
            for name, value in attrs
            if name in ("src", "href", "srcset") and value is not None
        ]

    def handle_data(self, data: str) -> None:
        self.text += data


def _released(folder: Path, made: ReleaseContent) -> Release:
    write_release(folder, made)
    return open_release(folder)


def _counts(release: Release) -> PageCounts:
    counted = PageCounts(release.certificates())
    for bundle in release.bundles():
        counted.add(bundle)
    return counted


def _page(release: Release) -> str:
    return report_page.report_page(release, _counts(release), release_stats(release.folder)).html


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A small release, with two pictures."""
    return _released(tmp_path_factory.mktemp("reported") / "release", content())


@pytest.fixture(scope="module")
def bundles(release: Release) -> list[Bundle]:
    """Its conversations."""
    return list(release.bundles())


@pytest.fixture(scope="module")
def page(release: Release) -> str:
    """Its report."""
    return _page(release)


def test_a_page_asks_no_network(page: str) -> None:
    """Pictures are inside it, links stay on it, and its policy forbids the rest."""
    parser = _Addresses()
    parser.feed(page)
    assert {value.partition(",")[0][:1] for value in parser.found} == {"#", "d"}
    assert any(value.startswith("data:image/jpeg") for value in parser.found)
    assert "default-src 'none'; img-src data:" in page
    assert "url(" not in page
    assert "@import" not in page


def test_equal_releases_give_equal_pages(release: Release, page: str) -> None:
    """Nothing in it comes from a clock or a process."""
    assert _page(release) == page


def test_every_drawing_is_whole_and_says_what_it_shows(page: str) -> None:
    """As XML, with a text alternative, and with its numbers in a table."""
    drawings = [ElementTree.fromstring(one) for one in re.findall(r"<svg .*?</svg>", page)]
    assert len(drawings) > 4
    assert all(one.get("role") == "img" and one.get("aria-label") for one in drawings)
    assert page.count("<summary>The numbers</summary>") == len(drawings)


def test_numbers_are_those_of_stats_and_card(release: Release, bundles: list[Bundle]) -> None:
    """Distances, shortcuts, sizes: one source each."""
    counted = _counts(release)
    cited = sum(bool(q.evidence.canonical) for b in bundles for q in b.questions)
    assert counted.distances.total() == cited
    said = sum_of_facts(facts_of(bundle, {}) for bundle in bundles)
    shown = plots.shortcut_plot(counted.facts).rows
    assert [row[0] for row in shown] == [one.type for one in shortcuts(said)]
    (stats,) = release_stats(release.folder)
    sizes, types = tables.paper_tables(stats)[:2]
    ours = stats["conversations"][-1]["ours"]
    last = zip(sizes.heads, sizes.rows[-1], strict=True)
    assert [cell for head, cell in last if "paper" not in head][1:] == list(ours.values())
    by_type = [row["ours"]["questions"] for row in stats["types"]]
    assert [row[2] for row in types.rows] == by_type
    assert sum(value for value, _ in tables.heat(counted.types, []).rows[-1][1]) == sum(by_type)


def test_a_text_cannot_change_the_page(tmp_path: Path) -> None:
    """Markup in questions, captions and details of checks stays text."""
    evil = "<script>alert(1)</script>"
    made = content()
    bundles = []
    for each in made.bundles:
        items = [
            one.model_copy(
                update={"question": one.question.model_copy(update={"text": f"{evil} {one.id}?"})}
            )
            for one in each.questions
        ]
        bundles.append(each.model_copy(update={"questions": items}))
    certificates = [
        certificate(item).model_copy(
            update={
                "checks": [Check(rule="a.b", outcome=Outcome.DOUBTFUL, detail=evil)],
                "verdict": Verdict.DOUBTFUL,
            }
        )
        for each in bundles
        for item in each.questions
    ]
    release = _released(tmp_path / "r", content(bundles=bundles, certificates=certificates))
    shown = _page(release)
    assert evil not in shown
    assert shown.count("&lt;script&gt;alert(1)") > 2
    assert shown.count("<script>") == 1


def test_a_release_with_one_item_and_no_certificate_has_a_page(tmp_path: Path) -> None:
    """What is not there is said."""
    first = content().bundles[0]
    alone = first.model_copy(update={"questions": first.questions[:1]})
    release = _released(tmp_path / "r", content(bundles=[alone], certificates=[]))
    shown = _page(release)
    assert "The question is without certificate." in shown


def test_an_empty_release_has_a_page(tmp_path: Path) -> None:
    """Each part says that there is nothing."""
    shown = _page(_released(tmp_path / "r", content(bundles=[], certificates=[], findings=[])))
    for said in ("The release has no question.", "No session has a date.", "no ledger of facts"):
        assert said in shown


def test_errata_of_earlier_versions_are_listed(tmp_path: Path) -> None:
    """Each with what was wrong and what became of it."""
    wrong = ReleasedErratum(
        id="E0001",
        release="tiny",
        versions=["0.0.9"],
        item="alex/q1",
        asked_as="Who?",
        item_sha256="0" * 64,
        problem="The gold was a & b.",
        reporter="ann",
    )
    shown = _page(_released(tmp_path / "r", content(errata=[wrong])))
    assert "The gold was a &amp; b." in shown


def test_cost_is_shown_where_it_is_known(page: str) -> None:
    """A release holds none."""
    row = {"stage": "dialogue", "model": "m", "calls": 3, "dollars": "1.250000"}
    spent = plots.cost_plot({"rows": [row], "dollars": "1.250000"})
    assert spent.says.startswith("$1.250000 for 3 calls")
    assert spent.rows == [["dialogue, m", 3, "1.250000"]]
    assert "a release holds no cost" in page


def test_agreement_is_shown_where_it_is_known() -> None:
    """Share of votes alike, and alpha beside."""
    ruling = {"units": 4, "percent": 0.75, "alpha": 0.5, "pairs": []}
    plot = plots.agreement_plot({"agreement": {"ruling": ruling}}, 0, 0)
    assert plot.says == "ruling: alike in 75% of 4."
    assert plot.rows == [["ruling", 4, "75%", "0.50"]]


def test_errors_stand_first_among_findings() -> None:
    """Whatever is found most often."""
    found = [
        Finding.make("a.info", Severity.INFO, f"x{at}", "", "seen", "none") for at in range(3)
    ] + [Finding.make("z.bad", Severity.ERROR, "x", "", "seen", "mend")]
    assert [row[:2] for row in plots.findings_plot(found).rows] == [
        ["z.bad", "error"],
        ["a.info", "info"],
    ]


def test_chains_are_as_long_as_what_they_replace(bundles: list[Bundle]) -> None:
    """Also where two facts replace one, and where a circle was made by mistake."""
    fact = next(one for each in bundles for one in each.facts)
    ids = [f"alex/f-{at}" for at in range(4)]
    before: dict[int, list[int]] = {0: [], 1: [0], 2: [1], 3: [1]}
    facts = [
        fact.model_copy(update={"id": ids[at], "supersedes": [ids[one] for one in older]})
        for at, older in before.items()
    ]
    chained = bundles[0].model_copy(update={"facts": facts})
    assert counts.chains(chained) == {3: 2}
    circle = [fact.model_copy(update={"id": ids[0], "supersedes": [ids[0]]})]
    assert counts.chains(bundles[0].model_copy(update={"facts": circle})) == {}


@given(st.dictionaries(st.integers(0, 5000), st.integers(1, 50), min_size=1))
def test_no_value_is_lost_in_columns(values: dict[int, int]) -> None:
    """Bins hold all that was counted, and there are few of them."""
    shown = counts.bin_counts(Counter(values))
    assert sum(often for _, often in shown) == sum(values.values())
    assert len(shown) <= 41


@given(st.just(0.0) | st.floats(1e-6, 1e9))
def test_ticks_reach_the_largest_value(most: float) -> None:
    """With at least two and at most seven numbers."""
    found = ticks(most, whole=False)
    assert found[0] == 0
    assert found[-1] >= most * 0.999
    assert 2 <= len(found) <= 7


@given(st.lists(st.dates(date(1, 1, 1), date(9990, 1, 1)), min_size=1, max_size=5))
def test_any_days_have_a_calendar(days: list[date]) -> None:
    """Few names below, whatever the span."""
    drawn = calendar([Days("a<b", sorted(days))], "all & more")
    texts = ElementTree.fromstring(drawn).findall(".//text[@class='tick']")
    assert 1 <= len(texts) <= 7


def test_bars_without_a_number_are_drawn() -> None:
    """All zero, or none at all."""
    for rows in ([Bar("x", [0], "0")], []):
        ElementTree.fromstring(bars(rows, ["questions"], "questions", "nothing"))
    ElementTree.fromstring(columns([], "axis", "counted", "nothing"))
