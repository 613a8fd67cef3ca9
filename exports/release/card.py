"""The data card of a release: a README that the Hugging Face Hub and `datasets` read."""

from collections.abc import Mapping, Sequence
from typing import Final

import yaml

from memassay.exports.release.rows import CONFIGS
from memassay.schemas.judgements.provenance import Manifest

# The Hub's own list of licence names is SPDX in lower case, with these among it.
_HUB_LICENCES: Final = frozenset(
    {
        *("apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "odbl", "cc0-1.0"),
        *("cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0"),
        *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0"),
        *("cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    }
)
DEFAULT: Final = "questions"
"""The table that `load_dataset` gives where none is named."""

_WHAT: Final = {
    "conversations": "one row per conversation: speakers, sessions, rounds, turns",
    "questions": "one row per question: gold answer, evidence, type",
    "ledger": "one row per conversation: its events and facts, and where each can be seen",
    "assets": "one row per image or document, with its pixels in `image`",
}


def card(manifest: Manifest, audits: Sequence[Mapping[str, object]] = ()) -> str:
    """The data card of a manifest, whose list of files is not looked at.

    Args:
        manifest: The manifest.
        audits: What audits found in the making, a row per kind of flaw, all with the same heads.
    """
    sections = [
        f"# {manifest.name} {manifest.version}",
        "A data set of long-term memory in conversations, checked and published by memassay. "
        "Every gold answer names the rounds that prove it.",
        _table(("table", "what it holds"), {f"`{name}`": text for name, text in _WHAT.items()}),
        _loading(manifest),
        "With memassay, which verifies every checksum on the way:\n\n"
        "```python\nfrom memassay.exports import open_release\n\n"
        'release = open_release("PATH")\n```',
        "## Counts\n\n" + _table(("kind of record", "number"), manifest.counts),
        *_counted("Questions by type", "type", manifest.questions_by_type),
        *_counted("Certificates", "verdict", manifest.verdicts),
        *_counted("Held out of this release", "status", manifest.held_out),
        *_counted("Findings", "rule", manifest.findings),
        *_audited(audits),
        "## Licence\n\n"
        f"{manifest.licence}. Single images can have licences of their own: see the columns "
        "`licence` and `attribution` of `assets`.",
        "## Fair use of the columns\n\n"
        "`private_transcription` says what can be read in an image. It is there to check the data "
        "set, not to be shown to the system under evaluation.",
    ]
    return f"---\n{_front_matter(manifest)}---\n\n" + "\n\n".join(sections) + "\n"


def has_rows(manifest: Manifest, config: str) -> bool:
    """Whether a table has rows; `datasets` cannot load one without, so the card leaves it out."""
    kinds = ("conversation",) if config == "ledger" else CONFIGS[config]
    return any(manifest.counts.get(kind) for kind in kinds)


def _offered(manifest: Manifest) -> tuple[list[str], str | None]:
    """The tables that can be loaded, and which of them is, where none is named."""
    offered = [name for name in CONFIGS if has_rows(manifest, name)]
    return offered, DEFAULT if DEFAULT in offered else next(iter(offered), None)


def _loading(manifest: Manifest) -> str:
    offered, default = _offered(manifest)
    if not offered:
        return "No record has passed yet, so there is no table that `load_dataset` can load."
    lines = [
        f'{name} = load_dataset("PATH"{"" if name == default else f", {name!r}"}, split="train")'
        for name in ("questions", "conversations")
        if name in offered
    ]
    code = "\n".join(lines).replace("'", '"')
    return f"```python\nfrom datasets import load_dataset\n\n{code}\n```"


def _front_matter(manifest: Manifest) -> str:
    licence = manifest.licence.lower()
    named = {"license": licence}
    if licence not in _HUB_LICENCES:
        named = {"license": "other", "license_name": licence}
    offered, default = _offered(manifest)
    head = {
        **named,
        "pretty_name": manifest.name,
        "task_categories": ["question-answering", "visual-question-answering"],
        "tags": ["memory", "dialogue", "multimodal"],
        "configs": [
            {
                "config_name": name,
                **({"default": True} if name == default else {}),
                "data_files": [{"split": "train", "path": f"data/{name}/train-*.parquet"}],
            }
            for name in offered
        ],
    }
    return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)


def _counted(title: str, column: str, counts: Mapping[str, int]) -> list[str]:
    return [f"## {title}\n\n" + _table((column, "number"), counts)] if counts else []


def _audited(rows: Sequence[Mapping[str, object]]) -> list[str]:
    if not rows:
        return []
    lines = [" | ".join(rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [
        " | ".join("-" if cell is None else str(cell) for cell in row.values()) for row in rows
    ]
    table = "\n".join(f"| {line} |" for line in lines)
    said = "Planted flaws are in `flaws.jsonl`, repairs in `repairs.jsonl`; no data holds them."
    return [f"## Audits\n\n{table}\n\n{said}"]


def _table(heads: tuple[str, str], rows: Mapping[str, object]) -> str:
    lines = [f"| {heads[0]} | {heads[1]} |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {value} |" for name, value in rows.items())])
