"""A contact sheet: one page to look at, with sample rounds, pictures and questions of a release.

The page needs no other file (pictures inside, no script, no address), and equal releases give equal
pages.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from memassay.exports.release.reader import Release
from memassay.exports.reports.drawn_samples import Sample, Samples, draw_samples
from memassay.exports.reports.thumbnails import is_picture, thumbnail
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem

_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#f4f3ef;color:#222}
main{max-width:1120px;margin:auto;padding:24px}
h1{font-size:26px;margin:8px 0}h2{font-size:19px;margin:36px 0 12px}
table{border-collapse:collapse}td,th{padding:3px 14px 3px 0;text-align:left}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:14px}
figure{margin:0;background:#fff;border:1px solid #ddd;border-radius:8px;overflow:hidden}
figure img{width:100%;height:190px;object-fit:contain;display:block;background:#fafafa}
figcaption{padding:6px 10px;font-size:13px;color:#555}
.round,.item{background:#fff;border:1px solid #ddd;border-radius:8px;padding:12px 16px}
.round,.item{margin:12px 0}
.round img{max-height:180px;border:1px solid #ddd;border-radius:6px;margin:6px 8px 0 0}
.who{font-weight:600;color:#245}.id{color:#777;font-size:13px}.gold{color:#175c2a;font-weight:600}
@media(prefers-color-scheme:dark){body{background:#191a1c;color:#e4e4e4}
figure,.round,.item{background:#232528;border-color:#3a3d42}.who{color:#9cc3e6}
.gold{color:#8fd6a4}figcaption,.id{color:#a8a8a8}}
"""


def contact_sheet(release: Release) -> str:
    """The page of a release as HTML.

    Samples are drawn from the tables; the conversations that they are from are read one by one.
    """
    manifest = release.manifest
    samples = draw_samples(release)
    shown = dict(_fragments(release, samples))
    title = f"{manifest.name} {manifest.version}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _summary(release),
        "<h2>Pictures</h2>",
        '<div class="grid">',
        *(shown[each] for each in samples.pictures),
        "</div>",
        "<h2>Rounds</h2>",
        *(shown[each] for each in samples.rounds),
        "<h2>Questions</h2>",
        *(shown[each] for each in samples.questions),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f'</title><meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"</head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _summary(release: Release) -> str:
    manifest = release.manifest
    rows = [("licence", manifest.licence), *manifest.counts.items()]
    rows += [(f"certificates: {name}", count) for name, count in manifest.verdicts.items()]
    rows += [(f"held out: {name}", count) for name, count in manifest.held_out.items()]
    cells = (f"<tr><th>{escape(str(k))}</th><td>{escape(str(v))}</td></tr>" for k, v in rows)
    return f"<table>{''.join(cells)}</table>"


def _fragments(release: Release, samples: Samples) -> Iterator[tuple[Sample, str]]:
    """What is shown of each sample, conversation by conversation."""
    for name in samples.conversations():
        bundle = release.bundle(name, ("conversations", "questions", "assets"))
        for each in samples.pictures:
            if each.conversation == name:
                yield each, _picture(release, bundle, each.name)
        for each in samples.rounds:
            if each.conversation == name:
                yield each, "".join(_round(release, bundle, bundle.round_by_id[each.name]))
        items = {item.id: item for item in bundle.questions}
        for each in samples.questions:
            if each.conversation == name:
                yield each, _question(items[each.name])


def _picture(release: Release, bundle: Bundle, attachment: str) -> str:
    _, shown = bundle.attachment_by_id[attachment]
    asset = bundle.asset_by_id[shown.asset]
    caption = shown.caption or ""
    return (
        f"<figure>{thumbnail(release, asset, caption)}"
        f"<figcaption>{escape(caption)}<br><span class=id>{escape(asset.id)}</span>"
        "</figcaption></figure>"
    )


def _round(release: Release, bundle: Bundle, one: Round) -> Iterator[str]:
    yield f'<div class="round"><span class=id>{escape(bundle.id)} {one.id}</span>'
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    for turn in one.turns:
        who = escape(names.get(turn.speaker, turn.speaker))
        yield f'<p><span class="who">{who}</span> {escape(turn.text)}</p>'
        for attachment in turn.attachments:
            asset = bundle.asset_by_id[attachment.asset]
            if is_picture(asset):
                yield thumbnail(release, asset, attachment.caption or "")
    yield "</div>"


def _question(item: QAItem) -> str:
    gold = "; ".join(item.answer.values)
    cited = ", ".join(item.evidence.canonical) or "none"
    return (
        f'<div class="item"><span class=id>{escape(item.benchmark_type)} {escape(item.id)}</span>'
        f"<p>{escape(item.question.text)}</p>"
        f'<p><span class="gold">{escape(gold)}</span> '
        f"<span class=id>evidence: {escape(cited)}</span></p></div>"
    )
