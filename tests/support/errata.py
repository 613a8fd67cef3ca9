"""Audits of small files, and findings of rules that were right more or less often when read."""

from collections.abc import Sequence
from pathlib import Path

from memassay.exports.errata.audited import Audited
from memassay.exports.errata.building import errata_of
from memassay.exports.formats.registry import FORMATS
from memassay.schemas.contracts.rules import Measured, Rule, RuleContext
from memassay.schemas.judgements.errata import Certainty, Errata, Erratum
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.validators.check import RULES, check
from support.foreign_cases import import_all

READ = {"mine.rule": Measured(9, 10), "mine.doubt": Measured(8, 10), "mine.unread": None}
OWN = [
    Rule(name, Severity.WARNING, "", "", conversation_check=lambda *_: (), measured=read)
    for name, read in READ.items()
]


def audit_of(name: str, path: Path, *more: Finding, rules: Sequence[str] = ()) -> Audited:
    """What an import, some rules, and findings made by hand say of files."""
    imported = import_all(name, path)
    bundles = [each.bundle for each in imported if each.bundle is not None]
    said = [finding for finding in check(bundles, RuleContext()) if finding.rule in rules]
    return Audited(
        name=path.name,
        format=name,
        root=path if path.is_dir() else path.parent,
        bundles=bundles,
        findings=[*(one for each in imported for one in each.findings), *said, *more],
        origins={
            source.id: each.origins
            for source, each in zip(FORMATS[name].sources(path), imported, strict=True)
        },
        rules={rule.id: rule for own in (FORMATS[name].rules, RULES, OWN) for rule in own},
    )


def errata_in(audited: Audited) -> Errata:
    """The errata of an audit."""
    return errata_of(audited, {}, {})


def serious_of(errata: Errata) -> list[Erratum]:
    """The entries that are no notes."""
    return [entry for entry in errata.errata if entry.certainty is not Certainty.NOTE]


def finding_made(
    target: str, at: str, message: str, severity: Severity = Severity.ERROR, by: str = "mine.rule"
) -> Finding:
    """What a rule of ours says."""
    return Finding.make(by, severity, target, at, f"{target}: {message}", "mend it")
