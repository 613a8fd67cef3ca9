"""What an erratum quotes and says is what stands in the file."""

from copy import deepcopy
from pathlib import Path

from support.errata import audit_of, errata_in, finding_made, serious_of
from support.foreign_cases import (
    QUESTIONS,
    SESSIONS,
    sample,
    scenario,
    write_samples,
    write_scenario,
)

from memassay.exports.errata.errata_page import errata_page
from memassay.exports.errata.quotes import excerpt, spell_date


def test_a_relative_date_can_be_counted_from_the_quotation() -> None:
    """A date is spelled with its weekday, whatever the locale, as far as it is known."""
    assert spell_date("2023-05-25T13:14") == "Thursday 25 May 2023, 13:14"
    assert spell_date("2023-05") == "May 2023"
    assert spell_date(None) == "undated"


def test_a_long_turn_is_quoted_where_it_matters() -> None:
    """The sentence that shares most words is in the excerpt, and the cuts are marked."""
    filler = "We talked about the weather and the sea for a very long time that day. " * 8
    cut = excerpt(f"{filler}The mast is spruce. {filler}", frozenset({"mast", "spruce"}))
    assert "The mast is spruce." in cut
    assert (cut[:2], cut[-2:]) == ("… ", " …")
    assert len(cut) < 340


def test_markup_in_foreign_texts_is_shown_literally(tmp_path: Path) -> None:
    """A question cannot break the page."""
    raw = scenario()
    raw[QUESTIONS][2]["question"] = "# *Which* `mast`\n\n| <b>?"
    raw[QUESTIONS][2]["clue"] = ["nowhere"]
    raw[SESSIONS][0]["date"] = "soon"
    page = errata_page(errata_in(audit_of("mem-gallery", write_scenario(tmp_path, raw))), None)
    assert "\\# \\*Which\\* \\`mast\\` \\| \\<b\\>?" in page
    assert '`Boat.json`, `/multi_session_dialogues/0/date`, where "soon" stands' in page


def test_a_form_that_is_asked_for_is_no_place_of_the_history(tmp_path: Path) -> None:
    """What is said of the form of an id brings no turn beside a doubt of the same question."""
    raw = sample()
    raw["qa"][0]["evidence"] = ["D2:1", "D"]
    doubt = finding_made("conv-7/Q0001", "/answer", "expected a boat, got 'a kite'")
    errata = errata_in(audit_of("locomo", write_samples(tmp_path, raw), doubt))
    (entry,) = [each for each in serious_of(errata) if each.places[0].record == "conv-7/Q0001"]
    said = {one.rule: one.expected for place in entry.places for one in place.statements}
    assert said["import.evidence_malformed"] == "one round id, written D<session>:<round>"
    assert [quoted.place for quoted in entry.evidence] == ["D2:1.1"]


def test_what_is_said_of_a_value_is_apart_from_it(tmp_path: Path) -> None:
    """In the JSON, too, `found` is what the file holds."""
    doubt = finding_made(
        "conv-7/Q0001", "/answer", "expected a boat, got 'a kite'; nobody flies one"
    )
    errata = errata_in(audit_of("locomo", write_samples(tmp_path, sample()), doubt))
    said = [one for entry in errata.errata for place in entry.places for one in place.statements]
    (statement,) = [one for one in said if one.expected == "a boat"]
    assert (statement.found, statement.beside) == ("a kite", "nobody flies one")
    assert "found “a kite”; nobody flies one" in errata_page(errata, None)


def test_the_gold_of_an_adversarial_question_is_what_the_file_holds(tmp_path: Path) -> None:
    """Upstream's refusal, which stands nowhere in the file, is not shown as its gold."""
    raw = sample()
    silent = next(each for each in raw["qa"] if each["category"] == 5)
    silent.pop("answer", None)
    raw["qa"].append({**deepcopy(silent), "question": "Did Ben lose a boat?", "answer": "No"})
    doubts = [
        finding_made(f"conv-7/{name}", "/question/text", "expected a boat, got 'a kite'")
        for name in ("Q0003", "Q0004")
    ]
    errata = errata_in(audit_of("locomo", write_samples(tmp_path, raw), *doubts))
    golds = {place.record: place.gold for entry in errata.errata for place in entry.places}
    assert (golds["conv-7/Q0003"], golds["conv-7/Q0004"]) == ([], ["No"])


def test_what_to_do_is_one_sentence_of_several(tmp_path: Path) -> None:
    """A full stop in front of a semicolon is left out."""
    raw = sample()
    raw["qa"][1]["answer"] = 2022
    raw["qa"].append({**deepcopy(raw["qa"][1]), "question": "In which year?", "answer": 7})
    page = errata_page(errata_in(audit_of("locomo", write_samples(tmp_path, raw))), None)
    assert '**To do:** Write "2022"; Write "7"\n' in page
    assert "found “the number 7”" in page
