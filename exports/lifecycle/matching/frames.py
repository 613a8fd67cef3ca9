"""Whether the sentences around a claim set it aside: denied, a joke, a question, taken back."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from memassay.exports.lifecycle.matching.canonical import canonical_words, stems_of
from memassay.exports.lifecycle.matching.sought import Sought, content_stems
from memassay.schemas.changes.locating import locate
from memassay.schemas.judgements.claim_scopes import (
    Verdict,
    claim_stretch,
    verdict_around,
    verdict_later,
)

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")


def verdict_in(
    one: Sought, text: str, says: Callable[[str], bool], is_of_its_own: Callable[[str], bool]
) -> Verdict:
    """What a text makes of a claim, there or later.

    Args:
        one: The fact that is claimed.
        text: The text.
        says: Whether a sentence makes the claim.
        is_of_its_own: Whether a sentence names a thing or a property by itself.
    """
    sentences = [part for part in _SENTENCE.split(text) if part.strip()]
    made = [at for at, sentence in enumerate(sentences) if says(sentence)]
    if not made:
        return Verdict.PLAIN
    later = list(_later_verdicts(one, sentences[made[-1] + 1 :]))
    if later:
        return later[-1]
    found = {_verdict_at(one, sentences, at, is_of_its_own) for at in made}
    return found.pop() if len(found) == 1 else Verdict.PLAIN


def claims_alone(one: Sought, text: str) -> str:
    """The sentences of a text without what is around a claim."""
    sentences = _SENTENCE.split(text)
    stretches = [(sentence, _stretch(one, sentence)) for sentence in sentences]
    return "\n".join(sentence[begin:end] for sentence, (begin, end) in stretches)


def _verdict_at(
    one: Sought, sentences: Sequence[str], at: int, is_of_its_own: Callable[[str], bool]
) -> Verdict:
    sentence = sentences[at]
    begin, end = _stretch(one, sentence)
    following = sentences[at + 1] if at + 1 < len(sentences) else ""
    behind = "" if is_of_its_own(following) else following
    found = verdict_around(sentence[:begin], f"{sentence[end:]} {behind}")
    is_question = sentence.rstrip().endswith("?")
    return Verdict.ASIDE if found is Verdict.PLAIN and is_question else found


def _later_verdicts(one: Sought, sentences: Sequence[str]) -> Iterator[Verdict]:
    """What sentences that name the property without its value make of the claim."""
    names = content_stems(one.fact.subject) | content_stems(one.fact.attribute)
    for sentence in sentences:
        words = canonical_words(sentence)
        if names <= stems_of(words) and not set(one.value) <= set(words):
            begin, end = _stretch(one, sentence)
            verdict = verdict_later(sentence[:begin], sentence[end:])
            if verdict is not Verdict.PLAIN:
                yield verdict


def _stretch(one: Sought, sentence: str) -> tuple[int, int]:
    fact = one.fact
    return claim_stretch(sentence, locate(sentence, fact.value), (fact.subject, fact.attribute))
