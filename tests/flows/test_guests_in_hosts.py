"""Guests come into hosts by the whole stage, and nothing else of the hosts changes (M2A §4.4)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.guests_in_hosts import Context, Joined, breaches, joined, problems
from support.release_builder import MemoryBlobs

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.paths.m2a.guests import author
from memassay.synth.paths.m2a.hosts.author import host_names, write_host
from memassay.synth.paths.m2a.inject import GuestVisitors
from memassay.synth.paths.m2a.recipe import ConceptsSection, GuestsSection, HostsSection
from memassay.synth.paths.m2a.talks.bank import Written
from memassay.synth.pictures.classes.families import CLASSES, FAMILIES, class_name


@pytest.fixture(scope="module")
def visited() -> Joined:
    """A short simulated host with two groups of guests."""
    section = HostsSection(
        sessions=8, questions={"1": 3, "2": 6, "3": 1, "4": 12, "adversarial": 2}
    )
    blobs = MemoryBlobs()
    name, people = next(iter(host_names(1).items()))
    written = write_host(name, people, section, blobs, partial(keyed_random, "host"))
    return joined(written.bundle, 1, blobs, groups=2)


def test_a_simulated_host_stays_as_it_is(visited: Joined, tmp_path: Path) -> None:
    """Two groups come, each with its ratio of questions, and all of the host is as before."""
    assert len(visited.visits) == 2
    assert breaches(visited, tmp_path) == []


def test_guests_look_like_nothing_that_the_host_shows(visited: Joined) -> None:
    """Else a question about a new picture asks for either; here one class a family is left."""
    shown = visited.before.assets[0]
    assert shown.drawn is not None
    assert shown.drawn.figure is not None
    figures = [
        shown.drawn.figure.model_copy(update={"cells": [[class_name(family, number)]]})
        for family in FAMILIES
        for number in range(1, CLASSES)
    ]
    assets = [
        shown.model_copy(update={"drawn": shown.drawn.model_copy(update={"figure": figure})})
        for figure in figures
    ]
    visitors = GuestVisitors(ConceptsSection(), GuestsSection(), Path())
    host = visited.before.model_copy(update={"assets": assets})
    context: Any = Context("seed", MemoryBlobs())
    found = visitors.visit(host, "guest1", [], context)
    assert found is not None
    assert {one.concept.look[-2:] for one in found.guests.group} == {" 1"}


def test_what_is_asked_of_one_group_fits_no_other(visited: Joined) -> None:
    """Every query gives its gold over the whole, whatever the others were told to have."""
    ledger = Ledger(visited.after.history)
    for item in visited.after.questions:
        if item.query is not None:
            check_item(item, visited.after, ledger)


@pytest.mark.slow
def test_published_hosts_stay_as_they_are(real_data: Path, tmp_path: Path) -> None:
    """Two of the real conversations, one draw each."""
    locomo, blobs = FORMATS["locomo"], MemoryBlobs()
    talks = next((real_data / "locomo").glob("locomo*.json"))
    for source in locomo.sources(talks)[::3]:
        host = locomo.read(source, blobs, "CC-BY-NC-4.0").bundle
        assert host is not None
        found = joined(host, 3, blobs)
        assert len(found.visits) == 1
        assert breaches(found, tmp_path / host.id) == []


def _sessions(of: Joined, change: Callable[[list[Session]], list[Session]]) -> Joined:
    talk = of.after.conversation
    changed = talk.model_copy(update={"sessions": change(talk.sessions)})
    return replace(of, after=of.after.model_copy(update={"conversation": changed}))


def _same_minute(sessions: list[Session]) -> list[Session]:
    return [one.model_copy(update={"date": sessions[0].date}) for one in sessions]


def _other_words(sessions: list[Session]) -> list[Session]:
    text = sessions[0].model_dump_json().replace('text":"', 'text":"Oh, ')
    return [Session.model_validate_json(text), *sessions[1:]]


def _without_evidence(of: Joined) -> Joined:
    asked = [
        item.model_copy(
            update={"evidence": item.evidence.model_copy(update={"canonical": ["D99:1"]})}
        )
        for item in of.after.questions
    ]
    return replace(of, after=of.after.model_copy(update={"questions": asked}))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda of: _sessions(of, _same_minute), "_times"),
        (lambda of: _sessions(of, _other_words), "_rest"),
        (_without_evidence, "_evidence"),
        (lambda of: replace(of, blobs=MemoryBlobs()), "_pictures"),
    ],
)
def test_the_check_of_hosts_finds_what_is_wrong(
    visited: Joined, change: Callable[[Joined], Joined], found: str
) -> None:
    """A check that finds nothing would hold everything."""
    assert any(f": {found}: " in one for one in problems(change(visited)))


def test_guests_are_told_again_where_there_is_too_little_to_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first telling that has enough is taken, else the one that lacks fewest."""
    bundle = Bundle.model_construct()
    nothing: Any = [None] * 3
    for lacks, taken in (([2, 1, 0, 0], 2), ([3, 1, 2, 1], 1), ([0, 5, 5, 5], 0)):
        tellings = [Written(bundle, {"9": number} if number else {}) for number in lacks]
        given = iter(tellings)
        monkeypatch.setattr(author, "_write", lambda *_, given=given: next(given))
        assert author.write_guests(*nothing, partial(keyed_random)) is tellings[taken]
