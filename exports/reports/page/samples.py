"""Sample items: question, gold, evidence with its pictures, and the certificate of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from memassay.exports.release.reader import Release
from memassay.exports.reports.page.counts import NO_CERTIFICATE
from memassay.exports.reports.thumbnails import is_picture, thumbnail
from memassay.schemas.errors import BlobError
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome, Probe
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Round
from memassay.schemas.records.question import QAItem

ITEMS: Final = 40
"""Items that are shown, over all types and verdicts."""
_OF_ONE_KIND: Final = 4
_ROUNDS: Final = 6
"""Rounds of an item that are shown in full."""
_PICTURES: Final = 90
"""Pictures of a page: with about 20 KB each, they stay below two megabytes."""


@dataclass(frozen=True)
class Picture:
    """An image of a turn or question; `html` is empty where only its caption can be shown."""

    caption: str
    html: str


@dataclass(frozen=True)
class Line:
    """What one turn of the evidence says and shows."""

    speaker: str
    text: str
    pictures: Sequence[Picture]


@dataclass(frozen=True)
class Shown:
    """A round of the evidence, with the places in it that are cited."""

    places: Sequence[str]
    date: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Checked:
    """A certificate, its checks by outcome."""

    passed: Sequence[Check] = ()
    failed: Sequence[Check] = ()
    doubtful: Sequence[Check] = ()
    probes: Sequence[Probe] = ()


@dataclass(frozen=True)
class Sample:
    """One item as the page shows it."""

    item: QAItem
    type_name: str
    verdict: str
    pictures: Sequence[Picture]
    rounds: Sequence[Shown]
    more_rounds: int
    checked: Checked = field(default=Checked())


def samples(
    release: Release, items: Mapping[tuple[str, str], Sequence[str]], names: Mapping[str, str]
) -> list[Sample]:
    """Items of every type and verdict; equal releases give equal ones.

    Args:
        release: Where they are; the conversations that they are from are read one by one.
        items: By type and verdict, the ids of all items.
        names: By the paper's code, the name of a question type.
    """
    chosen = _choose(release, items, names)
    certificates = {one.item: one for one in release.certificates() if one.item in set(chosen)}
    pictures = Pictures(release)
    found = []
    for name in chosen:
        bundle = release.bundle(conversation_of(name), ("conversations", "questions", "assets"))
        item = next(one for one in bundle.questions if one.id == name)
        found.append(_sample(item, bundle, certificates.get(name), names, pictures))
    return found


def _choose(
    release: Release, items: Mapping[tuple[str, str], Sequence[str]], names: Mapping[str, str]
) -> list[str]:
    random = Random(int(release.manifest.content_sha256[:16], 16))
    order = {code: at for at, code in enumerate(names)}
    keys = sorted(items, key=lambda key: (order.get(key[0], len(order)), key))
    each = max(1, min(_OF_ONE_KIND, ITEMS // max(len(keys), 1)))
    drawn = (random.sample(items[key], min(each, len(items[key]))) for key in keys)
    return [name for own in drawn for name in sorted(own, key=natural_key)]


class Pictures:
    """Pictures of one page, each of the first so many inside it, the others by their captions."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self.shown = 0

    def of(self, attachments: Sequence[Attachment], bundle: Bundle) -> list[Picture]:
        """Pictures of attachments, in their order."""
        return [self._picture(each, bundle) for each in attachments]

    def _picture(self, shown: Attachment, bundle: Bundle) -> Picture:
        caption = shown.caption or ""
        asset = bundle.asset_by_id.get(shown.asset)
        if asset is None or not is_picture(asset) or self.shown >= _PICTURES:
            return Picture(caption or shown.id, "")
        try:
            html = thumbnail(self._release, asset, caption or shown.id)
        except BlobError:
            # `validate` names what is wrong with it; a page shows the others.
            return Picture(caption or shown.id, "")
        self.shown += 1
        return Picture(caption, html)


def _sample(
    item: QAItem,
    bundle: Bundle,
    certificate: Certificate | None,
    names: Mapping[str, str],
    pictures: Pictures,
) -> Sample:
    cited = _cited_rounds(item, bundle)
    return Sample(
        item=item,
        type_name=names.get(item.benchmark_type, ""),
        verdict=certificate.verdict.value if certificate else NO_CERTIFICATE,
        pictures=pictures.of(item.question.attachments, bundle),
        rounds=[
            _show_round(round_, places, bundle, pictures)
            for round_, places in list(cited.values())[:_ROUNDS]
        ],
        more_rounds=max(0, len(cited) - _ROUNDS),
        checked=_count_checks(certificate) if certificate else Checked(),
    )


def _cited_rounds(item: QAItem, bundle: Bundle) -> dict[str, tuple[Round, list[str]]]:
    """By id, rounds that the gold is proven by, or near misses of a refusal, with the places."""
    cited = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    found: dict[str, tuple[Round, list[str]]] = {}
    for place in cited or item.decoys:
        for round_ in bundle.rounds_of(place):
            found.setdefault(round_.id, (round_, []))[1].append(place)
    return found


def _show_round(round_: Round, places: Sequence[str], bundle: Bundle, pictures: Pictures) -> Shown:
    return Shown(
        list(dict.fromkeys(places)),
        bundle.date_by_round.get(round_.id) or "",
        list(_lines(round_, bundle, pictures)),
    )


def _lines(round_: Round, bundle: Bundle, pictures: Pictures) -> Iterator[Line]:
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    for turn in round_.turns:
        shown = pictures.of(turn.attachments, bundle)
        yield Line(names.get(turn.speaker, turn.speaker), turn.text, shown)


def _count_checks(certificate: Certificate) -> Checked:
    def of(outcome: Outcome) -> list[Check]:
        return [check for check in certificate.checks if check.outcome is outcome]

    return Checked(
        passed=of(Outcome.PASSED),
        failed=of(Outcome.FAILED),
        doubtful=of(Outcome.DOUBTFUL),
        probes=certificate.probes,
    )
