"""Findings that a release lists, compared with those that the rules give again."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from memassay.exports.release import rules
from memassay.schemas.judgements.finding import Finding

_AGAIN: Final = "write the release again from its records"


def findings_agree(
    stated: Iterable[Finding], again: Iterable[Finding], derived: Callable[[Finding], bool]
) -> Iterator[Finding]:
    """What is listed and not found, and what is found and not listed.

    Args:
        stated: As they stand in the release.
        again: What the rules say of its records.
        derived: Whether the records decide about a finding; others are not compared.
    """
    listed, found = ({one.id: one for one in group if derived(one)} for group in (stated, again))
    for name in sorted({*listed} - {*found}):
        one = listed[name]
        said = f"{one.target}: expected no finding of {one.rule}, got {one.message!r} in {name}"
        yield rules.FINDINGS.finding(one.target, one.pointer, said, _AGAIN)
    for name in sorted({*found} - {*listed}):
        one = found[name]
        said = f"{one.target}: expected {one.message!r} among the findings, got none of {one.rule}"
        yield rules.FINDINGS.finding(one.target, one.pointer, said, _AGAIN)
