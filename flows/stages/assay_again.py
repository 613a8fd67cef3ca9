"""What the checking stages said in a release, compared with what they say again."""

from collections.abc import Iterable, Iterator

from memassay.exports.release.agreement.certificates import certificates_agree
from memassay.exports.release.agreement.findings import findings_agree
from memassay.exports.release.agreement.identity import is_ours, is_staged
from memassay.exports.release.check import ReleaseCheck
from memassay.flows.stages.check_stages import RULES_ASKED, rules_sha256
from memassay.schemas.contracts.rules import LooksAt
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.question import ItemOrigin
from memassay.validators.certificates.certify import certify
from memassay.validators.check import RULES


def assayed_again(found: ReleaseCheck, said: Iterable[Finding]) -> Iterator[Finding]:
    """Findings about certificates and findings of a release that do not follow from its records.

    Args:
        found: The release as it was read.
        said: What the rules say of its records now.
    """
    if not is_staged(found.recipe):
        return
    same_rules = found.recipe.get(RULES_ASKED) == rules_sha256()
    ours = same_rules and is_ours(found.recipe)
    stated = [one for one in found.records.get("certificate", ()) if isinstance(one, Certificate)]
    noted = [one for one in found.records.get("finding", ()) if isinstance(one, Finding)]
    # Only what people wrote is probed before it is released.
    written = {
        item.id
        for bundle in found.bundles
        for item in bundle.questions
        if item.origin is ItemOrigin.PERSON
    }
    probed = {one.item_sha256: one.probes for one in stated if one.item in written}
    again = [one for bundle in found.bundles for one in certify(bundle, noted, probed)]
    yield from certificates_agree(stated, again, ours=ours)
    if ours and not found.recipe.get("thresholds"):
        alone = {rule.id for rule in RULES if rule.looks_at is LooksAt.QUESTION}
        items = {item.id for bundle in found.bundles for item in bundle.questions}
        yield from findings_agree(noted, said, alone, items)
