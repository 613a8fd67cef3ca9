"""What a report says in words and small tables: who made what, how, and what was checked."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from memassay.exports.release.public import words
from memassay.exports.release.public.facts import Facts, sizes
from memassay.exports.release.reader import Release
from memassay.schemas.judgements.certificate import Certificate, Outcome
from memassay.schemas.judgements.review import Decision


def summary(release: Release, found: Facts) -> list[tuple[str, object]]:
    """The figures that stand first; those of the data card."""
    manifest = release.manifest
    return [
        ("questions", manifest.counts.get("question", 0)),
        *((name.lower(), value) for name, value in list(sizes(found).items())[:6]),
        ("findings", sum(manifest.findings.values())),
        ("held out", sum(manifest.held_out.values())),
    ]


def means(found: Facts) -> list[tuple[str, object]]:
    """The other sizes of the data card: means a conversation and a session."""
    return [*list(sizes(found).items())[6:]]


def sections(release: Release, found: Facts) -> list[tuple[str, Markup]]:
    """How it was made, what is simulated, known limits, people; the card's own sentences."""
    manifest = release.manifest
    return [
        ("How it was made", _html_list(words.construction(manifest, found))),
        ("What is simulated", _html_list(words.simulated_parts(manifest, found))),
        ("Known limits", _html_list(words.limits(manifest, found))),
        ("People and consent", _html_list(words.ethics(manifest, found))),
    ]


def _html_list(markdown: str) -> Markup:
    """A Markdown list as HTML."""
    items = re.split(r"^- ", markdown, flags=re.MULTILINE)[1:]
    return Markup("<ul>{}</ul>").format(
        Markup("").join(Markup("<li>{}</li>").format(_mark_code(item.strip())) for item in items)
    )


def _mark_code(text: str) -> Markup:
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def makers(
    release: Release, found: Facts, decisions: Sequence[Decision]
) -> list[tuple[str, object]]:
    """By whom: stages and their authors, reviewers by pseudonym, licences and credits."""
    made: dict[str, None] = {}
    for one in release.provenance():
        if one.author or one.model:
            made[f"{one.stage}: {', '.join(name for name in (one.author, one.model) if name)}"] = (
                None
            )
    people = Counter(one.reviewer for one in decisions)
    rows: list[tuple[str, object]] = [("author", name) for name in sorted(made)]
    rows += [("reviewer", f"{name}: {n} decisions") for name, n in sorted(people.items())]
    rows += [("licence of images", f"{name}: {n}") for name, n in sorted(found.licences.items())]
    rows += [("credit", f"{name}: {n} images") for name, n in sorted(found.credits.items())]
    return rows


def errata(release: Release) -> list[list[str]]:
    """What was wrong in earlier versions, and what became of it."""
    return [
        [one.id, one.item, ", ".join(one.versions), one.problem, one.fix.value]
        for one in release.errata()
    ]


def checked_rules(certificates: Iterable[Certificate]) -> list[list[object]]:
    """By rule, the questions for which it failed, was in doubt, passed; the worst rules first."""
    found: dict[str, Counter[Outcome]] = {}
    for certificate in certificates:
        for check in certificate.checks:
            found.setdefault(check.rule, Counter())[check.outcome] += 1
    shown = (Outcome.FAILED, Outcome.DOUBTFUL, Outcome.PASSED)
    rows: list[list[object]] = [
        [rule, *(own[outcome] for outcome in shown)] for rule, own in found.items()
    ]
    return sorted(rows, key=lambda row: (*(-int(str(cell)) for cell in row[1:4]), str(row[0])))


def type_names(stats: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """By the paper's code, the name of each question type, in the paper's order."""
    return {row["code"]: row["name"] for each in stats for row in each["types"]}
