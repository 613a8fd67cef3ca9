"""Errata as a Markdown page that their maintainer reads without memassay at hand."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memassay.exports.errata.quotes import spell_date
from memassay.schemas.judgements.errata import (
    Certainty,
    Errata,
    Erratum,
    ErratumPlace,
    ErratumStatement,
    FilePatch,
    FilePoint,
    Quotation,
)

NOTED: Final = 3
"""Places named for each note of the appendix."""

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|#~$])")
_LONG: Final = 400
_SECTIONS: Final = {
    Certainty.ERROR: ("E", "Errors", "This cannot be right as it is."),
    Certainty.PROBABLE: ("P", "Probable errors", "This looks wrong; please look at it."),
}


def errata_page(
    errata: Errata,
    patch: str | None,
    left: Sequence[str] = (),
    read: Mapping[str, str] | None = None,
) -> str:
    """The page; the same for the same errata.

    Args:
        errata: Errors first, then probable ones, possible ones and notes.
        patch: Name of the patch file; None if there is none.
        left: Files whose bytes the patch file cannot keep, and which it leaves out.
        read: By item, who read it and what they think of it; None if nobody was asked.
    """
    by_certainty: dict[Certainty, list[Erratum]] = {each: [] for each in Certainty}
    for entry in errata.errata:
        by_certainty[entry.certainty].append(entry)
    parts = [f"# Errata of {_plain(errata.name)}", *_introduction(errata, by_certainty)]
    parts += [] if read is None else [_how_read(errata, read)]
    parts += _how_to_patch(errata, patch, left)
    for certainty, (letter, heading, meaning) in _SECTIONS.items():
        entries = by_certainty[certainty]
        if entries:
            parts += [f"## {heading}", meaning]
            parts += [
                _entry(f"{letter}{at}", each, read or {})
                for at, each in enumerate(entries, start=1)
            ]
    parts += _possible(by_certainty[Certainty.POSSIBLE], read or {})
    parts += _notes(by_certainty[Certainty.NOTE])
    return "\n\n".join(parts) + "\n"


def _introduction(errata: Errata, entries: dict[Certainty, list[Erratum]]) -> list[str]:
    kinds = errata.records.items()
    read = ", ".join(f"{number} {kind}{'s' * (number != 1)}" for kind, number in kinds)
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in errata.verdicts.items())
    errors, probable = len(entries[Certainty.ERROR]), len(entries[Certainty.PROBABLE])
    opening = f"Read as `{errata.format}`: {read or 'nothing'}."
    if verdicts:
        opening += (
            f" Of the questions {verdicts}: refuted is one with an error, doubtful one that looks "
            "wrong or whose answer no rule could test, supported one in which nothing was found."
        )
    if not errors and not probable:
        return [opening, "No errors were found, and nothing that looks wrong."]
    return [
        opening,
        f"**{errors} errors, {probable} probable errors.** An entry is one defect: the question "
        "and its gold as they stand in the file, what the history says (turns that the evidence "
        "cites, and others that matter), what is wrong, and why. Places are a file and a JSON "
        "Pointer (RFC 6901), whose positions start at 0; positions in ids start at 1.",
    ]


def _how_read(errata: Errata, read: Mapping[str, str]) -> str:
    places = {place.record for entry in errata.errata for place in entry.places}
    return (
        f"A model read {len(read)} items; {len(places & read.keys())} of them have entries here, "
        "which say what it thinks of the item. Rules whose names begin with `reading.` say what it "
        "found; it may be wrong both ways."
    )


def _how_to_patch(errata: Errata, patch: str | None, left: Sequence[str]) -> list[str]:
    if not errata.patch:
        return []
    mended = sum(bool(entry.patch) for entry in errata.errata)
    text = (
        f"{mended} {'entries come' if mended != 1 else 'entry comes'} with a patch (JSON Patch, "
        "RFC 6902) for the file as it is; its tests fail on a file that has changed."
    )
    if patch:
        text += f" All of them together are `{patch}`: `git apply {patch}` in the data's folder."
    if left:
        names = ", ".join(f"`{name}`" for name in left)
        text += f" {names} cannot be written again byte by byte: use the JSON Patch of the errata."
    return [text]


def _entry(name: str, entry: Erratum, read: Mapping[str, str]) -> str:
    lines = [f"### {name}. {_plain(entry.title)}", ""]
    said = [[_wrong(statement) for statement in place.statements] for place in entry.places]
    alike = len(said) > 1 and len(said[0]) == 1 and all(each == said[0] for each in said)
    shown = set[str]()
    for place, own in zip(entry.places, said, strict=True):
        lines.append(_place(place, [] if alike else own, shown, len(said) > 1))
        shown.add(place.record)
    if alike:
        lines += ["", said[0][0]]
    if entry.evidence:
        lines += ["", *(_quotation(each) for each in entry.evidence)]
    told = [
        f"**Read:** {_plain(place.record)}: {_plain(read[place.record])}  "
        for place in {one.record: one for one in entry.places}.values()
        if place.record in read
    ]
    lines += ["", *told, *_reasons(entry)]
    for patch in entry.patch:
        lines += ["", f"Patch of `{patch.file}`:", "", "```json", *_operations(patch), "```"]
    return "\n".join(lines)


def _place(place: ErratumPlace, wrong: Sequence[str], shown: set[str], several: bool) -> str:
    """One place; its question is given where its record is named first."""
    bullet, indent = ("- ", "  ") if several else ("", "")
    lines = [f"{bullet}**{_plain(place.record)}** at {_where(place.at)}"]
    if place.question is not None and place.record not in shown:
        lines += [f"Question: {_plain(place.question)}", f"Gold: {_golds(place.gold)}"]
        if place.traps:
            lines.append(f"Counts as wrong: {_golds(place.traps)}")
    elif place.stands is not None:
        stands = _plain(json.dumps(place.stands, ensure_ascii=False))
        lines[0] += f", where {stands} stands"
    # Two spaces at the end of a line break it in every reader of Markdown.
    rows = [*lines, *wrong]
    return "  \n".join(f"{indent if at else ''}{row}" for at, row in enumerate(rows))


def _where(point: FilePoint) -> str:
    if point.file is None:
        return "no single place in the files (the place is unknown, or it is all of them)"
    return f"`{point.file}`, `{point.pointer}`" if point.pointer else f"`{point.file}`"


def _golds(values: Sequence[str]) -> str:
    return "; ".join(_plain(value) for value in values) or "none"


def _wrong(statement: ErratumStatement) -> str:
    label = "Wrong" if statement.certainty is Certainty.ERROR else "Probably wrong"
    return f"**{label}:** {_statement_text(statement)}{'.' * bool(statement.expected)}"


def _statement_text(statement: ErratumStatement) -> str:
    if not statement.expected:
        return _plain(statement.found)
    beside = f"; {_plain(statement.beside)}" if statement.beside else ""
    return f"expected {_plain(statement.expected)}; found “{_plain(statement.found)}”{beside}"


def _quotation(quoted: Quotation) -> str:
    cited = "" if quoted.cited else ", not cited"
    head = f"{_plain(quoted.speaker)}, {spell_date(quoted.date)} ({quoted.place}{cited})"
    images = "".join(f" \\[shows: {_plain(caption)}\\]" for caption in quoted.images)
    return f"> {head}: “{_plain(quoted.text)}”{images}  "


def _reasons(entry: Erratum) -> list[str]:
    """What right data would hold, each demand once, and what to do."""
    said = [statement for place in entry.places for statement in place.statements]
    demands = dict.fromkeys(
        f"{_plain(one.demand)} (`{one.rule}`; {_plain(one.source)})" if one.demand else one.rule
        for one in said
    )
    fixes = dict.fromkeys(_plain(one.fix).removesuffix(".") for one in said if one.fix)
    lines = [f"**Why:** {' '.join(demands)}  "]
    return [*lines, f"**To do:** {'; '.join(fixes)}"] if fixes else lines


def _operations(patch: FilePatch) -> list[str]:
    steps = [step.model_dump(mode="json", exclude_unset=True) for step in patch.operations]
    rows = [json.dumps(step, ensure_ascii=False) for step in steps]
    return [
        f"{'[' if at == 0 else ' '}{row}{']' if at == len(rows) - 1 else ','}"
        for at, row in enumerate(rows)
    ]


def _reader_of(place: ErratumPlace, read: Mapping[str, str]) -> str:
    return f"; {_plain(read[place.record])}" if place.record in read else ""


def _possible(entries: Sequence[Erratum], read: Mapping[str, str]) -> list[str]:
    """A line for every statement of a rule that is not right often enough for an entry."""
    if not entries:
        return []
    rows = [
        f"- **{_plain(place.record)}** at {_where(place.at)}: {_statement_text(statement)} "
        f"(`{statement.rule}`{_reader_of(place, read)})"
        for entry in entries
        for place in entry.places
        for statement in place.statements
    ]
    intro = (
        "Rules that were right less than nine times of ten, or that nobody has read yet, say this. "
        "What it rests on is in the errata in JSON."
    )
    return ["## Appendix: possible errors", intro, "\n".join(rows)]


def _notes(notes: Sequence[Erratum]) -> list[str]:
    if not notes:
        return []
    rows = [
        (
            _plain(entry.places[0].statements[0].demand),
            len(entry.places),
            ", ".join(_short(place) for place in entry.places[:NOTED])
            + (", …" if len(entry.places) > NOTED else ""),
        )
        for entry in notes
    ]
    intro = "Nothing need be mended; the errata in JSON list every place."
    return ["## Appendix: notes", intro, _table(("demand", "places", "such as"), rows)]


def _short(place: ErratumPlace) -> str:
    return _plain(place.record)


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _plain(text: str) -> str:
    """Foreign text as Markdown shows it literally, on one line, cut where it is very long."""
    flat = " ".join(text.split())
    return _MARKUP.sub(r"\\\1", flat if len(flat) <= _LONG else f"{flat[:_LONG]}…")
