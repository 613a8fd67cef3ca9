"""The box for a query on the form of a new question: seen before it is saved, and saved with it."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.fixtures import fact, item, mention, session, talk, utterance
from support.web_builder import RUN, Pages, pages

from memassay.annotation.voting.edit_log import EditLog
from memassay.flows.store.tables import RUNS
from memassay.schemas.records.ledger import FactValue, ValueType

WEIGHT = {"op": "select", "where": {"subject": "hive", "attribute": "weight"}}
QUERY = json.dumps({"op": "fold", "of": WEIGHT, "with": "max"})
FORM = {"code": "FR", "format": "number", "relation": "one", "text": "How heavy was the hive?"}
SCRIPT = {"X-Save": "1"}


def _weight(local: str, number: str, order: int) -> Any:
    value = FactValue(type=ValueType.NUMBER, text=number, unit="kg")
    return fact(local, subject="hive", attribute="weight", value=value, order=order)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """Pages over two sessions in which a hive is weighed."""
    told = talk(
        session(1, utterance("D1:1", "The hive weighs 12 kg."), utterance("D1:2", "Rex is <b>.")),
        session(2, utterance("D2:1", "Now the hive weighs 14 kg, and stands by the shed.")),
    ).model_copy(update={"collection": "mem-gallery"})
    ledger = [
        _weight("F1", "12", 1),
        _weight("F2", "14", 2),
        fact("F3", "<b>", subject="Rex", attribute="is"),
        mention("M1", "F1"),
        mention("M2", "F2", round="D2:1", turn="D2:1.1"),
        mention("M3", "F3", round="D1:2", turn="D1:2.1"),
    ]
    with pages(tmp_path_factory.mktemp("query"), item(), told, *ledger) as made:
        hashes = made.workspace.store.put_all([told, *ledger])
        made.workspace.queue.remember(RUN, "questions", {"talk": list(hashes)})
        row = {"recipe": RUN, "position": 0, "stage": "questions", "total": 1, "finished": 1}
        with made.workspace.engine.begin() as connection:
            connection.execute(RUNS.insert().values(**row, gate="{}"))
        yield made


def _path(built: Pages, part: str = "/query") -> str:
    (name,) = built.items.values()
    return f"/write/{name}{part}"


def _ask(built: Pages, query: str, headers: dict[str, str] | None = SCRIPT, **fields: str) -> Any:
    ada = built.browser("ada")
    data = {"token": ada.token, **FORM, "query": query, **fields}
    return ada.client.post(_path(built), data=data, headers=headers)


def _save(built: Pages, **fields: str) -> Any:
    ada = built.browser("ada")
    return ada.client.post(_path(built, ""), data={"token": ada.token, **FORM, **fields})


def _filling(text: str) -> dict[str, str]:
    found = re.search(r"data-fill='([^']*)'", text)
    assert found is not None
    filling: dict[str, str] = json.loads(unescape(found[1]))
    return filling


def test_value_unit_facts_and_rounds_are_shown(built: Pages) -> None:
    """Why with the operator that found it, and the words of every round of the evidence."""
    shown = unescape(_ask(built, QUERY).text)
    assert "<b>14 kg</b>" in shown
    assert "of type number, unit kg" in shown
    assert 'hive · weight = 12 kg <span class="quiet">select of</span>' in shown
    assert "Ann: Now the hive weighs 14 kg" in shown
    assert _filling(shown) == {"values": "14 kg", "format": "number", "evidence": "D1:1 D2:1"}
    assert EditLog(built.workspace.engine).contributions() == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "UsageError</b> query: expected a query, got nothing"),
        ('{"op": "get", "of"', "UsageError</b> query: expected one JSON object, got "),
        ('{"op": "drop"}', "MalformedQueryError</b> query: expected "),
        (json.dumps(WEIGHT), "AmbiguousError</b> "),
        (
            '{"op": "select", "where": {"subject": "cat"}}',
            "NoResultError</b> select: expected facts",
        ),
    ],
    ids=["nothing", "half", "unknown", "two-values", "no-facts"],
)
def test_what_is_wrong_is_said_in_the_box(built: Pages, query: str, expected: str) -> None:
    """With the kind of error, a word of the page of queries."""
    answer = _ask(built, query)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text
    assert expected in unescape(answer.text)


def test_several_values_are_asked_as_the_form_says(built: Pages) -> None:
    """All of them, if all are needed."""
    shown = unescape(_ask(built, json.dumps(WEIGHT), relation="all").text)
    assert "<b>12 kg</b>, <b>14 kg</b>" in shown
    assert _filling(shown)["values"] == "12 kg\n14 kg"


def test_what_the_ledger_says_is_escaped(built: Pages) -> None:
    """Values, facts and rounds are text of others."""
    query = json.dumps({"op": "select", "where": {"subject": "Rex"}})
    shown = _ask(built, query).text
    assert "<b>&lt;b&gt;</b>" in shown
    assert "Rex is &lt;b&gt;." in shown
    assert _filling(shown)["values"] == "<b>"


def test_the_form_of_a_new_question_is_empty(built: Pages) -> None:
    """But for its box, which is folded."""
    page = built.browser("ada").get(_path(built, "")).text
    areas = re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert len(areas) == 6
    assert set(areas) == {""}
    assert '<details class="query-box" data-query>' in page


def test_without_a_script_the_form_comes_again_as_it_was(built: Pages) -> None:
    """What was typed stays, and the result stands beside its query."""
    answer = _ask(built, QUERY, headers=None, coarser="heavy", comment="soon", evidence="D1:2")
    page = unescape(answer.text)
    assert "<html" in page
    assert f'autocomplete="off">{QUERY}</textarea>' in page
    assert ">How heavy was the hive?</textarea>" in page
    assert ">heavy</textarea>" in page
    assert ">soon</textarea>" in page
    assert 'name="evidence" value="D1:2"' in page
    assert '<option value="number" selected>' in page
    assert "<b>14 kg</b>" in page


def test_without_a_script_one_button_fills_the_gold_in(built: Pages) -> None:
    """Gold, form and evidence are those of the query."""
    answer = _ask(built, QUERY, headers=None, fill="1", format="free", values="heavy")
    page = unescape(answer.text)
    assert '<textarea name="values" rows="2">14 kg</textarea>' in page
    assert 'name="evidence" value="D1:1 D2:1"' in page
    assert '<option value="number" selected>' in page


def test_the_query_is_saved_with_the_question(built: Pages) -> None:
    """With the groups, the facts and the modality that it proves."""
    before = len(EditLog(built.workspace.engine).contributions())
    text = "How heavy was the hive at most?"
    answer = _save(built, query=QUERY, values="14 kg", evidence="D2:1 D1:1", text=text)
    assert answer.status_code == 200, answer.text
    *_, kept = EditLog(built.workspace.engine).contributions()
    question = kept.patch[0].value
    assert isinstance(question, dict)
    assert question["query"] == json.loads(QUERY)
    assert question["evidence"]["groups"] == [["D1:1"], ["D2:1"]]
    assert question["evidence"]["facts"] == ["talk/F1", "talk/F2"]
    assert question["modalities"] == ["text"]
    assert len(EditLog(built.workspace.engine).contributions()) == before + 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"values": "13 kg", "evidence": "D1:1 D2:1"}, "correct the answer or the query"),
        ({"query": '{"op"', "values": "14 kg"}, "query: expected one JSON object, got "),
        ({"query": json.dumps(WEIGHT), "values": "14 kg"}, "AmbiguousError: "),
    ],
    ids=["another-gold", "half", "two-values"],
)
def test_a_question_that_its_query_does_not_prove_is_not_saved(
    built: Pages, fields: dict[str, str], said: str
) -> None:
    """It is refused with the reason, and nothing is kept."""
    before = EditLog(built.workspace.engine).contributions()
    answer = _save(built, **{"query": QUERY, **fields})
    assert answer.status_code == 400
    assert said in unescape(answer.text)
    assert EditLog(built.workspace.engine).contributions() == before


def test_the_error_of_a_query_stands_beside_its_field(built: Pages) -> None:
    """A script is given the name of the field."""
    ada = built.browser("ada")
    data = {"token": ada.token, **FORM, "query": "{"}
    answer = ada.client.post(_path(built, ""), data=data, headers=SCRIPT)
    assert answer.headers["X-Field"] == "query"


def test_a_query_needs_the_token_of_the_session(built: Pages) -> None:
    """As every form of these pages."""
    assert _ask(built, QUERY, token="another").status_code == 403
    assert built.browser().client.post(_path(built), data={"query": QUERY}).url.path == "/login"


def test_a_conversation_without_a_ledger_has_no_box(tmp_path: Path) -> None:
    """There is nothing that a query could ask; sent all the same, it says so."""
    with pages(tmp_path, item()) as bare:
        assert "data-query" not in bare.browser("ada").get(_path(bare, "")).text
        assert "NoResultError" in _ask(bare, QUERY).text
