"""Certificates of a release compared with those that rules and findings give again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from memassay.exports.release import rules
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome
from memassay.schemas.judgements.finding import Finding

SHOWN: Final = 5
"""Checks of one certificate that are told one by one."""
_FEW: Final = 10
"""What differs in a tenth of all certificates at most differs in few."""
_AGAIN: Final = "assay the question again"


def certificates_agree(
    stated: Sequence[Certificate], again: Iterable[Certificate], *, ours: bool, changed: bool
) -> Iterator[Finding]:
    """Findings about certificates that say something else than is found again.

    Args:
        stated: As they stand in the release.
        again: Made from the records, and from what the release says that was found in them.
        ours: Whether this memassay made the release. Another one may have had other rules: of it
            only what was found is compared, not which rules had nothing to say, unless that
            differs in more than a quarter of the rules that both have.
        changed: Whether the release was changed after it was made. What other rules explain
            differs in many certificates; what differs in a few of a changed release is told.
    """
    wanted = {certificate.item: certificate for certificate in again}
    drift = None if ours else _Drift(stated, wanted, changed=changed)
    for certificate in stated:
        if (other := wanted.get(certificate.item)) is None:
            continue
        for where, expected, got in _differences(certificate, other, drift):
            said = f"{certificate.id}{where}: expected {expected} of {certificate.item}, got {got}"
            yield rules.VERDICT.finding(certificate.item, where, said, _AGAIN)


class _Drift:
    """Differences that other rules explain: no finding on either side."""

    def __init__(
        self,
        stated: Sequence[Certificate],
        again: Mapping[str, Certificate],
        *,
        changed: bool,
    ) -> None:
        self.changed, self.number = changed, len(stated)
        # Of a rule that none of ours is, nobody can say whether it would pass again.
        self.known = {check.rule for each in again.values() for check in each.checks}
        self.seen = Counter(
            _step(rule, there.get(rule), wanted.get(rule))
            for each in stated
            if each.item in again
            for there, wanted in [(_by_rule(each), _by_rule(again[each.item]))]
            for rule in {*there, *wanted}
            if there.get(rule) != wanted.get(rule)
        )

    def explains(self, rule: str, stated: Check | None, again: Check | None) -> bool:
        """Whether a difference may come of other rules."""
        if self.changed and self.seen[_step(rule, stated, again)] * _FEW <= self.number:
            return False
        return all(
            each is None or (each.outcome is Outcome.PASSED and not each.detail)
            for each in (stated, again)
        )


def _step(rule: str, stated: Check | None, again: Check | None) -> tuple[str, str, str]:
    return rule, stated.outcome if stated else "", again.outcome if again else ""


def _differences(
    stated: Certificate, again: Certificate, drift: _Drift | None
) -> Iterator[tuple[str, str, str]]:
    """Where, what was expected, what is there."""
    there, wanted = _by_rule(stated), _by_rule(again)
    listed = [check.rule for check in stated.checks]
    if listed != sorted(set(listed)):
        yield "/checks", "each rule once, in order", "another list"
    every = sorted({*there, *wanted})
    differing = [rule for rule in every if there.get(rule) != wanted.get(rule)]
    # A few rules come and go between versions; a certificate without most checks is broken.
    shared = [rule for rule in there if drift is None or rule in drift.known]
    lost = sum(rule in shared for rule in differing)
    loose = drift if 4 * lost <= len(shared) else None
    told = [
        (f"/checks/{rule}", _outcome(wanted.get(rule)), _outcome(there.get(rule)))
        for rule in differing
        if not (loose and loose.explains(rule, there.get(rule), wanted.get(rule)))
    ]
    yield from told[:SHOWN]
    if len(told) > SHOWN:
        yield "/checks", "what rules give again", f"{len(told) - SHOWN} more that differ"
    if stated.verdict != again.verdict:
        yield "/verdict", str(again.verdict), str(stated.verdict)
    # The rules of another memassay have a hash of their own.
    for name in ("id", "probes", "extras", *(() if drift else ("rules_sha256",))):
        if (got := getattr(stated, name)) != (expected := getattr(again, name)):
            yield f"/{name}", repr(expected), repr(got)


def _by_rule(certificate: Certificate) -> Mapping[str, Check]:
    return {check.rule: check for check in certificate.checks}


def _outcome(check: Check | None) -> str:
    if check is None:
        return "no check"
    return f"{check.outcome} ({check.detail})" if check.detail else str(check.outcome)
