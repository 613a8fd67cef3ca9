"""Which files a release has: none without a part that writes it.

docs/release.md, "What is verified", lists what each is made again from.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.layout import CARD, FORMATS, LOGS, MANIFEST, is_added_by_hub
from memassay.exports.release.public.page import CITATION, CROISSANT, EXAMPLES
from memassay.exports.release.public.tables import TABLES
from memassay.exports.release.rows import CONFIGS
from memassay.schemas.judgements.finding import Finding

_OWNED: Final = re.compile(
    rf"(?:{'|'.join(map(re.escape, (MANIFEST, CARD, CITATION, CROISSANT, *EXAMPLES.values())))}"
    rf"|(?:{'|'.join(LOGS)})\.jsonl|(?:{'|'.join(TABLES.values())})/test-\d{{5}}-of-\d{{5}}\.parquet"
    rf"|data/(?:{'|'.join(CONFIGS)})/train-\d{{5}}-of-\d{{5}}\.parquet)"
)
_REMOVE: Final = "remove it, and write the manifest again without it"


def files_are_owned(folder: Path, recipe: Mapping[str, Any]) -> Iterator[Finding]:
    """Findings about files and folders that no part of a release has written.

    Args:
        folder: The release.
        recipe: What its manifest says was asked for, layouts among it.
    """
    section = recipe.get("release")
    asked = section.get("formats") if isinstance(section, dict) else None
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if is_added_by_hub(name):
            continue
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                yield _stray(name, "a folder with files")
        elif not is_owned(name, asked if isinstance(asked, list) else None):
            yield _stray(name, "a file that some part of a release writes")


def is_owned(name: str, asked: Collection[Any] | None) -> bool:
    """Whether a release has a file of this path.

    Args:
        name: Path in the release, with `/`.
        asked: Names of the layouts that its recipe asks for; None if it does not say.
    """
    folder, _, rest = name.partition("/")
    if folder == FORMATS:
        layout, _, file = rest.partition("/")
        return bool(file) and (asked is None or layout in asked)
    return _OWNED.fullmatch(name) is not None


def _stray(name: str, expected: str) -> Finding:
    message = f"{name}: expected {expected}, got another"
    return rules.FILE_OWNED.finding(name, "", message, _REMOVE)
