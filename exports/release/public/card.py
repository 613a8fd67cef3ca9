"""The data card of a release: a README that the Hugging Face Hub and `datasets` read."""

import html
from collections.abc import Mapping, Sequence
from typing import Any, Final

import yaml

from memassay.exports.release.public import facts
from memassay.exports.release.public.citation import bibtex, origin
from memassay.exports.release.public.facts import Facts
from memassay.exports.release.public.tables import TABLES, row_counts
from memassay.exports.release.public.words import construction, ethics, limits, simulated_parts
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.question import ItemOrigin

# The Hub's own list of licence names is SPDX in lower case, with these among it.
_HUB_LICENCES: Final = frozenset(
    {
        *("apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "odbl", "cc0-1.0"),
        *("cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0"),
        *("cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    }
)
_ANNOTATORS: Final = {
    ItemOrigin.MACHINE: "machine-generated",
    ItemOrigin.PERSON: "expert-generated",
    ItemOrigin.IMPORTED: "found",
}
"""What the Hub calls those who made an item."""
DEFAULT: Final = "default"
"""The table that `load_dataset` gives where none is named."""
_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LONGEST: Final = 1_000
"""Letters of a turn that the example shows."""

_WHAT: Final = {
    "default": ("yes", "one row per question, as a system may see it"),
    "conversations": ("yes", "one row per conversation: speakers, sessions, rounds, turns"),
    "images": ("yes", "one row per image or document shown, with its bytes, caption and licence"),
    "eval": ("prompts", "one row per question: prompt with the form of its answer, choices, type"),
    "gold": ("no", "one row per question: answer, evidence, type; joined by `id`"),
    "ledger": ("no", "one row per conversation: its events and facts, and where each can be seen"),
    "assets": ("no", "one row per image or document: transcription, region, origin, licence"),
}
"""By configuration, whether a system under evaluation may see it, and what it holds."""


def card(
    manifest: Manifest,
    found: Facts,
    audits: Sequence[Mapping[str, object]] = (),
    picture: str | None = None,
    errata: Sequence[ReleasedErratum] = (),
) -> str:
    """The data card of a release; the manifest's list of files is not looked at.

    Args:
        manifest: The manifest.
        found: The facts of its records.
        audits: What audits found in the making, a row per kind of flaw, all with the same heads.
        picture: File name of the example's picture, if it has one.
        errata: Items of earlier versions that were wrong, in the order of the release.
    """
    rows = _rows(manifest, found)
    sections = [
        f"# {manifest.name} {manifest.version}",
        "A data set of long-term memory in conversations, checked and published by memassay. "
        "Every gold answer names the rounds that prove it.",
        *([f"Its page: <{url}>"] if (url := origin(manifest).url) else []),
        _configurations(rows),
        _loading(rows),
        *_example(found, picture),
        f"## How it was made\n\n{construction(manifest, found)}",
        f"## What is simulated\n\n{simulated_parts(manifest, found)}",
        "## Statistics\n\n" + _table(("what", "figure"), facts.sizes(found)),
        "## Counts\n\n" + _table(("kind of record", "number"), manifest.counts),
        *_count_section("Questions by type", "type", manifest.questions_by_type),
        *_shortcuts(found),
        *_count_section("Certificates", "verdict", manifest.verdicts),
        *_count_section("Held out of this release", "status", manifest.held_out),
        *_count_section("Findings", "rule", manifest.findings),
        *_audit_section(audits),
        *_correction_section(errata),
        f"## Known limits\n\n{limits(manifest, found)}",
        f"## Ethics and consent\n\n{ethics(manifest, found)}",
        *_licences(manifest, found),
        "## Citation\n\n`CITATION.cff` says the same.\n\n```bibtex\n" + bibtex(manifest) + "\n```",
    ]
    return f"---\n{_front_matter(manifest, found, rows)}---\n\n" + "\n\n".join(sections) + "\n"


def _rows(manifest: Manifest, found: Facts) -> dict[str, int]:
    """Rows by configuration, of those that have any: `datasets` cannot load others."""
    counts = row_counts(found.sizes, (file.path for file in manifest.files))
    counts |= {"ledger": found.sizes["conversations"], "assets": manifest.counts.get("asset", 0)}
    return {name: number for name, number in counts.items() if number}


def _default(rows: Mapping[str, int]) -> str | None:
    return DEFAULT if DEFAULT in rows else next(iter(rows), None)


def _configurations(rows: Mapping[str, int]) -> str:
    lines = ["| configuration | for systems | rows | what it holds |", "| --- | --- | --- | --- |"]
    lines += [
        f"| `{name}` | {_WHAT[name][0]} | {rows.get(name, 'none')} | {_WHAT[name][1]} |"
        for name in _WHAT
    ]
    return (
        "## Configurations\n\n" + "\n".join(lines) + "\n\n"
        "Show a system under evaluation `default`, `conversations` and `images`, or the prompts of "
        "`eval`, nothing else. "
        "`gold`, `ledger` and `assets` hold the answers and what leads to them, transcriptions "
        "of images among it."
    )


def _loading(rows: Mapping[str, int]) -> str:
    if not rows:
        return "No record has passed yet, so there is no table that `load_dataset` can load."
    named = {
        "default": "questions",
        "conversations": "conversations",
        "images": "images",
        "eval": "prompts",
        "gold": "gold",
    }
    default = _default(rows)
    lines = [
        f'{named[name]} = load_dataset("PATH"{_quote(name, default)}, split="test")'
        for name in named
        if name in rows
    ]
    if "images" in rows:
        lines += [
            "",
            "# By the `image` of an attachment; documents have their bytes in `data`.",
            'pictures = {row["id"]: row["image"] for row in images}  # PIL images or None',
        ]
    return (
        "## Loading\n\n```python\nfrom datasets import load_dataset\n\n"
        + "\n".join(lines)
        + "\n```\n\nWith memassay, which verifies every checksum on the way:\n\n"
        "```python\nfrom memassay.exports import open_release\n\n"
        'release = open_release("PATH")\n```'
    )


def _quote(name: str, default: str | None) -> str:
    return "" if name == default else f', "{name}"'


def _front_matter(manifest: Manifest, found: Facts, rows: Mapping[str, int]) -> str:
    licence = manifest.licence.lower()
    named = {"license": licence}
    if licence not in _HUB_LICENCES:
        named = {"license": "other", "license_name": licence}
    default = _default(rows)
    images = bool(rows.get("images"))
    spoken = sorted(found.languages)
    annotators = [name for one, name in _ANNOTATORS.items() if one in found.made]
    # Texts only: a card says nothing that depends on how images are encoded.
    sizes = {name: found.texts[name] for name in rows}
    head: dict[str, Any] = {
        **named,
        "pretty_name": manifest.name,
        **({"language": spoken} if spoken else {}),
        **({"annotations_creators": annotators} if annotators else {}),
        "task_categories": ["question-answering", *(["visual-question-answering"] * images)],
        "tags": ["memory", "long-term-memory", "dialogue", *(["multimodal"] * images)],
        "size_categories": [_size_category(rows.get(DEFAULT, 0))],
        "configs": [
            {
                "config_name": name,
                **({"default": True} if name == default else {}),
                "data_files": [{"split": "test", "path": _files(name)}],
            }
            for name in rows
        ],
        "dataset_info": [
            {
                "config_name": name,
                "splits": [{"name": "test", "num_bytes": sizes[name], "num_examples": number}],
                "dataset_size": sizes[name],
            }
            for name, number in rows.items()
        ],
    }
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)


def _files(name: str) -> str:
    """Where a configuration's files are: tables of records have the name that they always had."""
    return f"{TABLES[name]}/test-*.parquet" if name in TABLES else f"data/{name}/train-*.parquet"


def _size_category(questions: int) -> str:
    return next((name for limit, name in _SIZES if questions < limit), "100K<n<1M")


def _example(found: Facts, picture: str | None) -> list[str]:
    shown = found.pictured or found.example
    if shown is None:
        return []
    turns = [
        f"> **{_plain(shown.speakers.get(turn.speaker, turn.speaker))}:** {_plain(turn.text)}"
        for turn in shown.round.turns
    ]
    image = [f"> ![what is shown in the round]({picture})"] if picture else []
    parts = "\n>\n".join([*turns, *image])
    return [
        f"## An example\n\nA round, `{shown.round.id}` of its conversation:\n\n{parts}\n\n"
        f"A question that it helps to answer:\n\n> {_plain(shown.question)}\n\n"
        "The answer is in `gold`."
    ]


def _plain(text: str) -> str:
    """A text in one line, with nothing in it that Markdown or HTML would act on."""
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    escaped = html.escape(line, quote=False)
    return "".join(f"\\{letter}" if letter in "\\`*_[]#|!" else letter for letter in escaped)


def _shortcuts(found: Facts) -> list[str]:
    types = facts.shortcuts(found)
    if not types:
        return []
    lines = [
        "| type | items | most frequent gold | 95 % interval |",
        "| --- | --- | --- | --- |",
        *(
            f"| {one.type} | {one.items} | {one.share:.1%} | {one.low:.1%} to {one.high:.1%} |"
            for one in types
        ),
    ]
    return [
        "## Shortcuts\n\nWhat a system gets right that gives one and the same answer to all "
        "questions of a type. The rules `shortcut.*` also ask what the question alone gives "
        "away; what they found is under Findings.\n\n" + "\n".join(lines)
    ]


def _licences(manifest: Manifest, found: Facts) -> list[str]:
    text = (
        f"## Licence\n\n{manifest.licence}. It names the terms of everything that went in; all of "
        "them hold. Single images have the licence that `images` states, with whom to credit."
    )
    sections = [text]
    own = dict(sorted(found.licences.items()))
    credit = dict(sorted(found.credits.items()))
    if own:
        heads = ("licence", "images and documents")
        sections.append("## Licences of images\n\n" + _table(heads, own))
    if credit:
        shown = {_plain(name): number for name, number in credit.items()}
        sections.append("## Credits\n\n" + _table(("by", "images and documents"), shown))
    return sections


def _count_section(title: str, column: str, counts: Mapping[str, int]) -> list[str]:
    return [f"## {title}\n\n" + _table((column, "number"), counts)] if counts else []


def _audit_section(rows: Sequence[Mapping[str, object]]) -> list[str]:
    if not rows:
        return []
    lines = [" | ".join(rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [
        " | ".join("-" if cell is None else str(cell) for cell in row.values()) for row in rows
    ]
    table = "\n".join(f"| {line} |" for line in lines)
    said = "Planted flaws are in `flaws.jsonl`, repairs in `repairs.jsonl`; no data holds them."
    return [f"## Audits\n\n{table}\n\n{said}"]


def _correction_section(errata: Sequence[ReleasedErratum]) -> list[str]:
    """What was wrong in earlier versions, and what became of it: the changes of golds."""
    if not errata:
        return []
    rows = [
        f"| {one.id} | {one.asked_as} | {', '.join(map(_plain, one.versions))} | "
        f"{_plain(one.problem)} | {one.fix} |"
        for one in errata
    ]
    heads = ["| erratum | item | wrong in | what | now |", "| --- | --- | --- | --- | --- |"]
    return [
        "## Errata\n\n" + "\n".join([*heads, *rows]) + "\n\nScore answers to an earlier version "
        "without these items: `memassay eval EARLIER --predictions FILE --errata THIS`."
    ]


def _table(heads: tuple[str, str], rows: Mapping[str, object]) -> str:
    lines = [f"| {heads[0]} | {heads[1]} |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows.items())])
