"""Guests let into hosts by the whole stage, and what must hold of every host afterwards."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from memassay.exports.formats.m2a.layout import FILE_NAME, FORMAT
from memassay.flows.stages.inject_stage import InjectStage
from memassay.schemas.changes.merging import Merged, Visit, merge_guest
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random
from memassay.synth.paths.m2a import inject
from memassay.synth.paths.m2a.inject import GuestVisitors
from memassay.synth.paths.m2a.recipe import ConceptsSection, GuestsSection
from support.release_builder import MemoryBlobs
from support.written_layouts import write

RATIO = {"6": 4, "7": 6, "8": 2, "9": 8}
_PLACE = re.compile(r"(D[0-9]+)((?::|\b).*)?")


@dataclass(frozen=True)
class Joined:
    """A host before and after its guests came.

    Attributes:
        before: Alone.
        after: With them.
        visits: Each guest as it was, and what became of it.
        findings: What the stage said.
        blobs: The bytes of their pictures.
    """

    before: Bundle
    after: Bundle
    visits: list[tuple[Bundle, Merged]]
    findings: list[Finding]
    blobs: MemoryBlobs


class Context:
    """What the stage needs of a run."""

    def __init__(self, seed: str, blobs: MemoryBlobs) -> None:
        self.seed, self.blobs = seed, blobs
        self.findings: list[Finding] = []

    def random(self, *purpose: str) -> KeyedRandom:
        """A generator of a seed and a purpose."""
        return keyed_random(self.seed, *purpose)

    def emit(self, finding: Finding) -> None:
        """Keep a finding."""
        self.findings.append(finding)


def joined(host: Bundle, seed: int, blobs: MemoryBlobs, groups: int = 1) -> Joined:
    """A host, whose pictures are among the blobs, that the whole stage let guests into."""
    context, visits = Context(f"{host.id}/{seed}", blobs), list[tuple[Bundle, Merged]]()

    def kept(one: Bundle, guest: Bundle, visit: Visit) -> Merged:
        visits.append((guest, merge_guest(one, guest, visit)))
        return visits[-1][1]

    stage = InjectStage([GuestVisitors(ConceptsSection(), GuestsSection(groups=groups), Path())])
    with patch.object(inject, "merge_guest", kept):
        records = list(stage.run(list(host.records()), cast(StageContext, context)))
    found = Bundle.from_records(records)
    return Joined(host, found, visits, context.findings, context.blobs)


def breaches(of: Joined, folder: Path) -> list[str]:
    """What of all that must hold does not; an export is written to a folder."""
    return [*problems(of), *(f"{of.before.id}: export: {one}" for one in _export(of, folder))]


def problems(of: Joined) -> list[str]:
    """What of the records does not hold."""
    return [
        f"{of.before.id}: {check.__name__}: {problem}"
        for check in (_times, _rest, _evidence, _ratio, _first_turns, _pictures)
        for problem in check(of)
    ]


def _own(bundle: Bundle) -> list[Session]:
    return [one for one in bundle.conversation.sessions if one.origin is None]


def _guests(bundle: Bundle) -> list[Session]:
    return [one for one in bundle.conversation.sessions if one.origin is not None]


def _times(of: Joined) -> Iterator[str]:
    """Strictly increasing to the minute."""
    minutes = [(one.date or "")[:16] for one in of.after.conversation.sessions]
    yield from (f"{a} before {b}" for a, b in pairwise(minutes) if a >= b)


def _moves(of: Joined) -> dict[str, str]:
    """New id of every place of the host by its old one, by walking both side by side."""
    moved = {}
    for old, new in zip(_own(of.before), _own(of.after), strict=True):
        moved[old.id] = new.id
        for was, now in zip(old.rounds, new.rounds, strict=True):
            moved[was.id] = now.id
            for one, other in zip(was.turns, now.turns, strict=True):
                moved[one.id] = other.id
                pictures = zip(one.attachments, other.attachments, strict=True)
                moved |= {a.id: b.id for a, b in pictures}
    return moved


def _told(part: Any, moved: Callable[[str], str]) -> Any:
    if isinstance(part, dict):
        return {moved(key): _told(value, moved) for key, value in part.items() if key != "extras"}
    if isinstance(part, list):
        return [_told(value, moved) for value in part]
    return moved(part) if isinstance(part, str) else part


def _rest(of: Joined) -> Iterator[str]:
    """Nothing of the host differs but the ids of its places, and what it is called now."""
    places = _moves(of)

    def moved(text: str) -> str:
        found = _PLACE.fullmatch(text)
        if text in places or found is None or found[1] not in places:
            return places.get(text, text)
        return places[found[1]] + (found[2] or "")  # a place that is not there

    old = {one.id: _told(one.model_dump(mode="json"), moved) for one in of.before.records()}
    for one in old.values():
        # LoCoMo's adversarial type, whose number is another type of M2A.
        if one.get("benchmark_type") == "5" and not one["answerable"]:
            one["benchmark_type"] = "adversarial"
    new = {one.id: _told(one.model_dump(mode="json"), str) for one in of.after.records()}
    guests = {name for _, visit in of.visits for name in visit.records.values()}
    talk, then = new.pop(of.before.id), old.pop(of.before.id)
    yield from (f"{name} is new" for name in sorted(new.keys() - old.keys() - guests))
    yield from (f"{name} differs" for name in sorted(old) if new.get(name) != old[name])
    visitors = {one.id for one in _guests(of.after)}
    for point in talk["checkpoints"]:
        point["covered_sessions"] = [
            one for one in point["covered_sessions"] if one not in visitors
        ]
    talk["sessions"] = [one for one in talk["sessions"] if one["id"] not in visitors]
    for number, one in enumerate(talk["sessions"], start=1):
        one["index"] = number
    called = {key: then[key] for key in ("path", "collection", "schema_version")}
    yield from (key for key in then if {**talk, **called}[key] != then[key])


def _words(bundle: Bundle, places: list[str]) -> list[list[str]]:
    return [[turn.text for one in bundle.rounds_of(at) for turn in one.turns] for at in places]


def _evidence(of: Joined) -> Iterator[str]:
    """Evidence of old and new questions is the same words as before."""
    now = {item.id: item for item in of.after.questions}
    sides: list[tuple[Bundle, dict[str, str]]] = [(of.before, {})]
    sides += [(guest, dict(visit.records)) for guest, visit in of.visits]
    for bundle, names in sides:
        for item in bundle.questions:
            there = now[names.get(item.id, item.id)].evidence
            if _words(of.after, there.canonical) != _words(bundle, item.evidence.canonical):
                yield item.id
            if bundle is not of.before and not all(_words(of.after, there.canonical)):
                yield f"{item.id} cites nothing"


def _ratio(of: Joined) -> Iterator[str]:
    for guest, _ in of.visits:
        counted = Counter(item.benchmark_type for item in guest.questions)
        if {code: counted[code] for code in RATIO} != RATIO:
            yield f"{guest.id}: {dict(counted)}, {[one.message for one in of.findings]}"


def _first_turns(of: Joined) -> Iterator[str]:
    """The first turn of a group names every concept that its pictures show."""
    for number, (guest, _) in enumerate(of.visits, start=1):
        own = [one for one in of.after.conversation.sessions if one.origin == f"guest{number}"]
        told = own[0].rounds[0].turns[0].text
        yield from (f"{one.said} not in {told}" for one in guest.concepts if one.said not in told)
        if not 3 <= len(guest.concepts) <= 4:
            yield f"{len(guest.concepts)} concepts"


def _pictures(of: Joined) -> Iterator[str]:
    """Every picture of the guests is there, and shown; the host's are those it had."""
    for one in _guests(of.after):
        for image in (
            image for each in one.rounds for turn in each.turns for image in turn.attachments
        ):
            asset = of.after.asset_by_id[image.asset]
            if asset.blob_sha256 not in of.blobs.by_hash:
                yield f"{image.id} has no bytes"


def _export(of: Joined, folder: Path) -> Iterator[str]:
    """The written file has strictly increasing times and pictures that lie where it says."""
    write(FORMAT, [of.after], of.blobs, folder)
    (sample,) = json.loads((folder / FILE_NAME).read_text("utf-8"))
    talk = sample["conversation"]
    count = len(of.after.conversation.sessions)
    times = [
        datetime.strptime(talk[f"session_{at}_date_time"], "%I:%M %p on %d %B, %Y")
        for at in range(count)
    ]
    if times != sorted(set(times)) or f"session_{count}" in talk:
        yield "times"
    turns = [turn for at in range(count) for turn in talk[f"session_{at}"]]
    ids = {turn["dia_id"] for turn in turns}
    for path in (path for turn in turns for path in turn["images"]):
        if not (folder / path).is_file():
            yield f"{path} is missing"
    for at, item in enumerate(sample["qa"]):
        if item["category"] > 5 and not (item["evidence"] and set(item["evidence"]) <= ids):
            yield f"qa {at} cites {item['evidence']}"
    (source,) = FORMAT.sources(folder / FILE_NAME)
    first = FORMAT.read(source, of.blobs, "CC0-1.0")
    assert first.bundle is not None
    write(FORMAT, [first.bundle], of.blobs, folder / "again")
    (source,) = FORMAT.sources(folder / "again")
    if json.loads(source.path.read_text("utf-8")) != [sample]:
        yield "another file after an import"
    if FORMAT.read(source, of.blobs, "CC0-1.0").bundle != first.bundle:
        yield "other records after an import"
    found = {one.rule for one in first.findings} - {"import.image_caption_only"}
    if first.held_out or found:
        yield f"an import finds {sorted(found)}"
