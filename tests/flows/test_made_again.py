"""A release held against its recipe: what it made, what people decided, what another made."""

import pickle
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.engine_builder import SilentProgress
from support.made_history import copy_made

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.check import ReleaseCheck, check_release
from memassay.flows.recipes.again.made_again import made_again
from memassay.flows.recipes.again.remade import Released, remade_of
from memassay.flows.recipes.released import released_recipe
from memassay.flows.services.checks import validate_path
from memassay.flows.services.runs import run_recipe
from memassay.flows.services.starting import shipped_recipe
from memassay.flows.stages import check_stages
from memassay.flows.stages.check_stages import AssayStage
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import InTurn
from memassay.schemas.errors import CodeError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling
from memassay.synth.histories.timeline import TimelineStage

_PATHS: dict[str, dict[str, Any]] = {
    "m2a": {
        "path": "m2a",
        "seed": 7,
        "hosts": {"count": 1, "sessions": 6, "questions": {"1": 1, "2": 3}},
        "guests": {"groups": 1, "questions": 4, "visual": 2},
        "release": {"name": "small", "licence": "CC-BY-4.0"},
    },
    "mem-gallery": {
        "path": "mem-gallery",
        "from": "clusters",
        "seed": 7,
        "dialogues": {
            "path": "m3exam",
            "personas": ["alex-veterinarian", "wei-courier"],
            "sizes": {"sessions": 4, "rounds": 5, "images": 2, "documents": 0},
            "questions": {"ss": 3},
        },
        "cluster": {"least_sessions": 3, "bridges": 1, "extensions": 1},
        "release": {"name": "small", "licence": "CC-BY-4.0"},
    },
    "flawed": {
        "path": "m3exam",
        "personas": ["wei-courier"],
        "sizes": {"sessions": 4, "rounds": 5, "images": 1, "documents": 0},
        "questions": {"ss": 2},
        "flaws": {"contradiction": 1, "offensive": 1, "drift": 1},
        "gates": {"dialogue": {"policy": "sample", "on_open": "continue"}},
        "release": {"name": "small", "licence": "CC-BY-4.0"},
    },
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> ReleaseCheck:
    """A release of one history, some of whose questions wait for people."""
    folder = copy_made(tmp_path_factory, tmp_path_factory.mktemp("again") / "made")
    (path,) = (folder / "workspace" / "releases").iterdir()
    return check_release(Path(path), FORMATS)


def _with(release: ReleaseCheck, kind: str, *changed: Record, without: str = "") -> ReleaseCheck:
    """A release with records in the place of those of their ids, and one left out."""
    other = {one.id: one for one in changed}
    own = [other.pop(one.id, one) for one in release.records[kind] if one.id != without]
    return release._replace(records={**release.records, kind: [*own, *other.values()]})


def _edited(record: Record, place: str, value: Any) -> Any:
    """A record with another value at a place such as `answer.values.0`."""
    document = record.model_dump(mode="json")
    *way, last = (int(part) if part.isdigit() else part for part in place.split("."))
    part: Any = document
    for name in way:
        part = part[name]
    part[last] = value(part[last]) if callable(value) else value
    return type(record).model_validate(document)


def _has(record: Record, place: str) -> bool:
    part: Any = record.model_dump(mode="json")
    for name in place.split("."):
        part = part.get(name) if isinstance(part, dict) else part
    return part is not None


def _said(found: list[Finding]) -> set[tuple[str, str]]:
    return {(one.rule, one.target) for one in found}


@pytest.fixture(scope="module")
def forged(release: ReleaseCheck) -> ReleaseCheck:
    """The same with a second question added to its first one."""
    item = release.records["question"][0]
    return _with(release, "question", _edited(item, "question.text", lambda text: f"{text} When?"))


def test_a_release_is_as_its_recipe_makes_it(release: ReleaseCheck) -> None:
    """Nothing is said of it; questions that wait for people are not missing."""
    assert release.records["held_out"]
    assert made_again(release) == []


def test_a_stage_that_raises_is_named(
    release: ReleaseCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its code is at fault, not the release: the error says which stage and whose."""

    def fail(*_given: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(TimelineStage, "run", fail)
    said = r"^stage \w+ for shard [\w-]+, made again, raised ZeroDivisionError: .*report it"
    with pytest.raises(CodeError, match=said):
        made_again(release)


@pytest.mark.slow
@pytest.mark.parametrize("name", _PATHS)
def test_every_path_makes_the_same_again(tmp_path: Path, name: str) -> None:
    """Guests, lives of dialogues with new sessions, planted flaws and their repairs too."""
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(_PATHS[name]), encoding="utf-8")
    report = run_recipe(
        tmp_path / "small.yaml", tmp_path / "work", SilentProgress(), runner="plain"
    )
    found = check_release(Path(str(report.release)), FORMATS)
    assert made_again(found) == []
    item = found.records["fact"][0]
    changed = made_again(_with(found, "fact", _edited(item, "subject", "somebody.else")))
    assert ("again.world", item.id) in _said(changed)


@pytest.mark.parametrize(
    ("kind", "place", "value", "rule"),
    [
        ("persona", "summary", "Keeps bees.", "world"),
        ("event", "title", "The other delivery", "world"),
        ("fact", "value.text", lambda text: f"9{text}", "world"),
        ("mention", "form", "partial", "told"),
        ("asset", "transcription", lambda text: f"{text}\nand more", "drawn"),
        ("asset", "drawn.figure.title", "Another title", "drawn"),
        ("question", "question.text", lambda text: f"{text} And why?", "asked"),
        ("question", "answer.values.0", "another gold", "asked"),
        ("question", "evidence.canonical", [], "asked"),
        ("question", "benchmark_type", "mr2", "asked"),
        ("bank", "wanted", 99, "noted"),
        ("provenance", "config_sha256", "0" * 64, "noted"),
        ("provenance", "parents", [], "noted"),
    ],
)
def test_every_field_is_compared(
    release: ReleaseCheck, kind: str, place: str, value: Any, rule: str
) -> None:
    """Whatever a record says otherwise than its recipe gives is named with its place."""
    record = next(one for one in release.records[kind] if _has(one, place))
    found = made_again(_with(release, kind, _edited(record, place, value)))
    assert _said(found) == {(f"again.{rule}", record.id)}
    assert all(one.pointer.startswith(f"/{place.split('.')[0]}") for one in found)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"{text} The order tally was 19, by the way.",
        lambda text: f"As far as I know. {text}",
        lambda text: re.sub(r"\w+[.?!]$", "instead.", text),
        lambda text: text[: len(text) // 2],
    ],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_turn_that_is_told_otherwise_is_named(
    release: ReleaseCheck, change: Callable[[str], str], at: int
) -> None:
    """Whatever is put in, taken out or exchanged points to that turn, and to nothing else."""
    place = f"sessions.0.rounds.1.turns.{at}.text"
    talk = _edited(release.records["conversation"][0], place, change)
    (found,) = made_again(_with(release, "conversation", talk))
    assert (found.rule, found.pointer) == ("again.told", f"/{place.replace('.', '/')}")
    assert f"(D1:2.{at + 1})" in found.message


@pytest.mark.parametrize("kind", ["fact", "mention", "asset", "question", "provenance"])
def test_what_is_missing_is_named(release: ReleaseCheck, kind: str) -> None:
    """So is what was added, under an id of its own."""
    first = release.records[kind][0]
    found = made_again(_with(release, kind, without=first.id))
    assert first.id in {one.target for one in found}
    owner, _, local = first.id.rpartition("/")
    added = first.model_copy(update={"id": f"{owner}/{local}x"})
    assert added.id in {one.target for one in made_again(_with(release, kind, added))}


def test_what_a_stage_found_is_compared(release: ReleaseCheck) -> None:
    """Also by a rule of a module that is imported late."""
    (missed,) = [one for one in release.records["finding"] if one.rule == "sizes.missed"]
    (gone,) = made_again(_with(release, "finding", without=missed.id))
    assert (gone.rule, gone.target) == ("again.noted", "wei-courier")
    other = _edited(missed, "message", lambda text: f"{text}1")
    assert _said(made_again(_with(release, "finding", other))) == {("again.noted", missed.id)}


def test_a_conversation_left_out_is_named_once(release: ReleaseCheck) -> None:
    """Nothing that belongs to it is told beside it."""
    none = dict.fromkeys(release.records, ())
    found = made_again(release._replace(records=none))
    assert [(one.rule, one.target) for one in found] == [("again.told", "wei-courier")]


@pytest.mark.parametrize(
    "change", [{"seed": 8}, {"sizes": {"sessions": 6, "rounds": 5, "images": 2, "documents": 1}}]
)
def test_another_recipe_is_named(release: ReleaseCheck, change: dict[str, Any]) -> None:
    """A seed or a size that the release was not made with gives other records."""
    (found,) = made_again(release._replace(recipe={**release.recipe, **change}))
    assert (found.rule, found.target) == ("again.recipe", "manifest.json")


def test_another_memassay_is_no_way_out(release: ReleaseCheck, forged: ReleaseCheck) -> None:
    """What a release of another version has otherwise than ours is told as a warning."""
    other = {**forged.recipe, "memassay": "0.0.9"}
    assert made_again(release._replace(recipe=other)) == []
    (found,) = made_again(forged._replace(recipe=other))
    assert (found.rule, found.target) == ("again.otherwise", forged.records["question"][0].id)


@pytest.mark.parametrize(
    "claim",
    [
        {"author": {"provider": "openai", "model": "gpt-5"}},
        {"material": {"folder": "own", "licence": "CC0-1.0"}},
        {"inject": {"sources": [{"format": "locomo", "path": "x", "licence": "CC0-1.0"}]}},
        {"extend": {"sessions": 1}},
        {"personas": ["personas/own.yaml"]},
    ],
)
def test_a_claim_that_nothing_shows_is_no_way_out(
    release: ReleaseCheck, forged: ReleaseCheck, claim: dict[str, Any]
) -> None:
    """Models, own images, lent sessions, another release, own personas: each leaves a trace."""
    recipe = {**forged.recipe, **claim}
    assert made_again(release._replace(recipe=recipe)) == []
    (found,) = made_again(forged._replace(recipe=recipe))
    assert (found.rule, found.target) == ("again.otherwise", forged.records["question"][0].id)


def test_stages_of_another_version_are_no_way_out(forged: ReleaseCheck) -> None:
    """What they made otherwise than ours is told as a warning, as long as it is little."""
    traced = [_edited(one, "stage_version", "0") for one in forged.records["provenance"]]
    found = made_again(_with(forged, "provenance", *traced))
    assert ("again.otherwise", forged.records["question"][0].id) in _said(found)
    assert {one.rule for one in found} == {"again.otherwise"}


@pytest.mark.parametrize("memassay", ["0.0.9", None])
def test_cards_of_another_program_tell_another_history(
    release: ReleaseCheck, memassay: str | None
) -> None:
    """What cannot be made again is said, whichever version the manifest names."""
    events = [_edited(one, "source_sha256", "0" * 64) for one in release.records["event"]]
    facts = [_edited(one, "value.text", lambda text: f"9{text}") for one in release.records["fact"]]
    mentions = [_edited(one, "form", "partial") for one in release.records["mention"]]
    changed = _with(_with(_with(release, "event", *events), "fact", *facts), "mention", *mentions)
    recipe = {**release.recipe, **({"memassay": memassay} if memassay else {})}
    (found,) = made_again(changed._replace(recipe=recipe))
    assert (found.rule, found.target) == ("again.unmade", "manifest.json")
    assert "wei-courier" in found.message


def test_what_people_edited_may_differ(forged: ReleaseCheck) -> None:
    """An item that somebody edited is as people left it."""
    item = forged.records["question"][0]
    decision = Decision(
        id="decision-1",
        gate="questions",
        covers=[CoveredRecord(id=item.id, sha256=content_hash(item))],
        reviewer="r1",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT_AFTER_EDIT,
    )
    assert made_again(forged._replace(decisions=[decision])) == []


def test_certificates_are_made_again_when_rules_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace keeps no certificate that speaks of the rules of an older memassay."""
    before = AssayStage().config
    monkeypatch.setattr(check_stages, "rules_sha256", lambda: "of other rules")
    assert AssayStage().config != before


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ReleaseCheck]:
    """The folder of a recipe whose source lies beside it, and the release that it gives."""
    folder = tmp_path_factory.mktemp("imported")
    sample = shipped_recipe("curate-demo").parent / "samples" / "locomo" / "locomo_sample.json"
    shutil.copy(sample, folder / "theirs.json")
    recipe = {
        "path": "curate",
        "sources": [{"format": "locomo", "path": "theirs.json", "licence": "CC-BY-4.0"}],
        "release": {"name": "imported", "licence": "CC-BY-4.0"},
    }
    (folder / "own.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    report = run_recipe(folder / "own.yaml", folder / "work", SilentProgress(), runner="plain")
    return folder, check_release(Path(str(report.release)), FORMATS)


def test_an_imported_release_is_held_against_its_sources(
    imported: tuple[Path, ReleaseCheck],
) -> None:
    """They are found below the folder of the recipe."""
    folder, found = imported
    assert made_again(found, [folder]) == []
    item = found.records["question"][0]
    changed = _with(found, "question", _edited(item, "answer.values.0", "something else"))
    assert _said(made_again(changed, [folder])) == {("again.asked", item.id)}


@pytest.mark.parametrize("within", ["", "recipes"])
def test_sources_are_looked_for_above_the_release(
    imported: tuple[Path, ReleaseCheck], tmp_path: Path, within: str
) -> None:
    """A workspace lies beside the recipe, or beside the folder of the recipes."""
    (release,) = (imported[0] / "work" / "releases").iterdir()
    theirs = tmp_path / within / "theirs.json"
    theirs.parent.mkdir(exist_ok=True)
    shutil.copy(imported[0] / "theirs.json", theirs)
    copied = shutil.copytree(release, tmp_path / "work" / "releases" / release.name)
    rules = {one.rule for one in validate_path(copied).findings}
    assert not any(rule.startswith("again.") for rule in rules)


def test_sources_that_are_not_found_are_named(
    imported: tuple[Path, ReleaseCheck], tmp_path: Path
) -> None:
    """Nobody takes a release for compared that was not."""
    (said,) = made_again(imported[1], [tmp_path])
    assert (said.rule, said.severity.value) == ("again.sources", "info")
    assert "theirs.json" in said.message


class _Elsewhere:
    """Does one item after the other as another process would: with copies of what it is sent."""

    def map(self, work: Any, message: Any, items: Any, *_how: Any) -> Iterator[Any]:
        sent = pickle.loads(pickle.dumps(message))
        return (pickle.loads(pickle.dumps(work(sent, item))) for item in items)


@pytest.mark.parametrize("is_forged", [False, True])
def test_histories_made_one_by_one_are_those_of_one_pass(
    release: ReleaseCheck,
    forged: ReleaseCheck,
    monkeypatch: pytest.MonkeyPatch,
    is_forged: bool,
) -> None:
    """Records in their order, what is as released, findings and provenance."""
    found = forged if is_forged else release
    recipe, released = released_recipe(found.recipe), Released(found)
    assert recipe is not None

    def make(mapper: Any) -> tuple[Any, ...]:
        made = remade_of(recipe, released, Path(), mapper)
        assert made is not None
        kept = [key for key, one in made.records.items() if released.records.get(key) is one]
        return [*made.records.items()], kept, made.findings, made.traced

    here, elsewhere = make(InTurn()), make(_Elsewhere())
    assert here == elsewhere
    monkeypatch.setattr("memassay.flows.recipes.again.remade.can_be_apart", lambda _: False)
    assert make(InTurn()) == here
    assert len(here[1]) == len(here[0]) - is_forged
