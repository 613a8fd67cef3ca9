"""Certificates of a release compared with those that rules and findings give again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memassay.exports.release import rules
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome
from memassay.schemas.judgements.finding import Finding

SHOWN: Final = 5
"""Checks of one certificate that are told one by one."""
_FEW: Final = 10
"""What differs in a tenth of all certificates at most differs in few."""
_AGAIN: Final = "assay the question again"


Step = tuple[str, Check | None, Check | None]
"""A rule, its check as stated, and as found again."""


class Differing(NamedTuple):
    """A certificate that says something else than the one that is found again.

    Attributes:
        id: Its id.
        item: The question.
        rules: Rules of its checks, as listed.
        steps: Checks that differ, by rule.
        verdict: The verdict found again and the one stated, if they differ.
        fields: Other fields that differ, each with what was expected and what is there.
    """

    id: str
    item: str
    rules: tuple[str, ...]
    steps: tuple[Step, ...]
    verdict: tuple[str, str] | None
    fields: tuple[tuple[str, str, str], ...]


class Compared(NamedTuple):
    """Certificates of one conversation beside those that are found again.

    Attributes:
        known: Rules of those that are found again.
        differing: Those that differ.
    """

    known: frozenset[str]
    differing: tuple[Differing, ...]


def compare_certificates(stated: Iterable[Certificate], again: Iterable[Certificate]) -> Compared:
    """Certificates of a conversation as stated, beside those that are found again.

    Args:
        stated: As they are in the release; those of questions that are not there are passed over.
        again: Made from the records, and from what the release says that was found in them.
    """
    wanted = {certificate.item: certificate for certificate in again}
    pairs = [(one, wanted[one.item]) for one in stated if one.item in wanted]
    found = (_compare(one, other) for one, other in pairs)
    known = frozenset(check.rule for each in wanted.values() for check in each.checks)
    return Compared(known, tuple(each for each in found if each is not None))


def _compare(stated: Certificate, again: Certificate) -> Differing | None:
    there, wanted = _by_rule(stated), _by_rule(again)
    listed = tuple(check.rule for check in stated.checks)
    steps = tuple(
        (rule, there.get(rule), wanted.get(rule))
        for rule in sorted({*there, *wanted})
        if there.get(rule) != wanted.get(rule)
    )
    same = stated.verdict == again.verdict
    verdict = None if same else (str(again.verdict), str(stated.verdict))
    fields = tuple(
        (name, repr(expected), repr(got))
        for name in ("id", "probes", "extras", "rules_sha256")
        if (got := getattr(stated, name)) != (expected := getattr(again, name))
    )
    if not (steps or verdict or fields or _is_unsorted(listed)):
        return None
    return Differing(stated.id, stated.item, listed, steps, verdict, fields)


def _is_unsorted(listed: Sequence[str]) -> bool:
    return list(listed) != sorted({*listed})


def certificates_agree(
    compared: Sequence[Compared], number: int, *, ours: bool, changed: bool
) -> Iterator[Finding]:
    """Findings about certificates that say something else than is found again.

    Args:
        compared: The certificates of each conversation.
        number: How many there are in the release.
        ours: Whether this memassay made the release. Another one may have had other rules: of it
            only what was found is compared, not which rules had nothing to say, unless that
            differs in more than a quarter of the rules that both have.
        changed: Whether the release was changed after it was made. What other rules explain
            differs in many certificates; what differs in a few of a changed release is told.
    """
    drift = None if ours else _Drift(compared, number, changed=changed)
    every = (one for own in compared for one in own.differing)
    for one in sorted(every, key=lambda each: (natural_key(each.id), each.id)):
        for where, expected, got in _differences(one, drift):
            said = f"{one.id}{where}: expected {expected} of {one.item}, got {got}"
            yield rules.VERDICT.finding(one.item, where, said, _AGAIN)


class _Drift:
    """Differences that other rules explain: no finding on either side."""

    def __init__(self, compared: Sequence[Compared], number: int, *, changed: bool) -> None:
        self.changed, self.number = changed, number
        # Of a rule that none of ours is, nobody can say whether it would pass again.
        self.known = {rule for own in compared for rule in own.known}
        every = (one for own in compared for one in own.differing)
        self.seen = Counter(_outcomes(step) for one in every for step in one.steps)

    def explains(self, step: Step) -> bool:
        """Whether a difference may come of other rules."""
        if self.changed and self.seen[_outcomes(step)] * _FEW <= self.number:
            return False
        return all(
            each is None or (each.outcome is Outcome.PASSED and not each.detail)
            for each in step[1:]
        )


def _outcomes(step: Step) -> tuple[str, str, str]:
    rule, stated, again = step
    return rule, stated.outcome if stated else "", again.outcome if again else ""


def _differences(one: Differing, drift: _Drift | None) -> Iterator[tuple[str, str, str]]:
    """Where, what was expected, what is there."""
    if _is_unsorted(one.rules):
        yield "/checks", "each rule once, in order", "another list"
    # A few rules come and go between versions; a certificate without most checks is broken.
    shared = {rule for rule in one.rules if drift is None or rule in drift.known}
    lost = sum(rule in shared for rule, _, _ in one.steps)
    loose = drift if 4 * lost <= len(shared) else None
    told = [
        (f"/checks/{rule}", _outcome(again), _outcome(stated))
        for rule, stated, again in one.steps
        if not (loose and loose.explains((rule, stated, again)))
    ]
    yield from told[:SHOWN]
    if len(told) > SHOWN:
        yield "/checks", "what rules give again", f"{len(told) - SHOWN} more that differ"
    if one.verdict:
        yield "/verdict", *one.verdict
    for name, expected, got in one.fields:
        # The rules of another memassay have a hash of their own.
        if drift is None or name != "rules_sha256":
            yield f"/{name}", expected, got


def _by_rule(certificate: Certificate) -> Mapping[str, Check]:
    return {check.rule: check for check in certificate.checks}


def _outcome(check: Check | None) -> str:
    if check is None:
        return "no check"
    return f"{check.outcome} ({check.detail})" if check.detail else str(check.outcome)
