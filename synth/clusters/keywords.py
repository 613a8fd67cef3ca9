"""Keywords of dialogues: weighted terms, or what a language model names (Mem-Gallery A.2.2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.errors import AuthorError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.cluster import ClusterKeyword
from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.words import stem, words
from memassay.synth.findings import SYNTHESIS_RULES

if TYPE_CHECKING:
    from memassay.synth.clusters.features import Features

KEYWORDS: Final = 8
"""Keywords of one dialogue or cluster."""

NOT_NAMED: Final = SYNTHESIS_RULES.declare(
    "cluster.keywords",
    Severity.WARNING,
    "A model names the keywords of every dialogue; weighted terms take the place of what it fails.",
    "Mem-Gallery A.2.2, keywords",
)


def no_keywords(dialogue: str, error: AuthorError) -> Finding:
    """A model named no keywords of a dialogue."""
    said = f"{dialogue}: expected keywords, got none; {error} ({error.reason})"
    fix = "Nothing to do: its weighted terms are used. --retry-failed asks again."
    return NOT_NAMED.finding(dialogue, "", said, fix)


class DialogueKeywords(BaseModel):
    """What a dialogue is about and what tells whose it is."""

    keywords: list[str] = Field(min_length=1, description="One to three words each.")


def dialogue_keywords(dialogue: Dialogue, count: int = KEYWORDS) -> Task[DialogueKeywords]:
    """Keywords by an author; best of several drafts, a judge or a person keeps the better."""
    rounds = [
        {"told": one.text, "reply": one.reply, "shown": one.captions} for one in dialogue.rounds
    ]
    inputs = {"rounds": rounds, "topics": list(dialogue.tags), "count": str(count)}
    return Task("dialogue_keywords", inputs, DialogueKeywords, record=dialogue.id)


def with_keywords(dialogue: Dialogue, found: DialogueKeywords) -> Dialogue:
    """The dialogue with an author's keywords among its topics, which clustering reads."""
    named = dict.fromkeys(" ".join(one.split()) for one in found.keywords)
    keywords = tuple(one for one in named if one)[:KEYWORDS]
    return replace(dialogue, tags=(*dialogue.tags, *keywords), keywords=keywords)


def add_keywords(dialogues: Sequence[Dialogue], context: StageContext) -> list[Dialogue]:
    """Dialogues with the keywords that an author names; one that gets none stays as it is.

    A failed reply is reported, and its dialogue has its weighted terms alone.

    Raises:
        UndecidedError: People have yet to choose among the keywords of several authors.
    """
    made = []
    replies = context.write_each(dialogue_keywords(one) for one in dialogues)
    for dialogue, reply in zip(dialogues, replies, strict=True):
        if isinstance(reply, AuthorError):
            context.emit(no_keywords(dialogue.id, reply))
            made.append(dialogue)
        else:
            made.append(with_keywords(dialogue, reply))
    return made


def cluster_keywords(
    features: "Features", dialogues: Sequence[Dialogue], members: Sequence[int]
) -> list[ClusterKeyword]:
    """What an author named for most of some dialogues, then their heaviest terms.

    Args:
        features: Of all dialogues, in the order of `dialogues`.
        dialogues: All of them.
        members: Places of those that are meant.
    """
    named = _author_keywords([dialogues[at] for at in members])
    known = {stem(word) for one in named for word in words(one.word)}
    terms = weighted_keywords(features, dialogues, members)
    # Weights of the two are shares of counts and of rarities: the heaviest of each is 1.
    more = [one for one in terms if not {stem(word) for word in words(one.word)} <= known]
    return [*named, *more][:KEYWORDS]


def _author_keywords(dialogues: Sequence[Dialogue]) -> list[ClusterKeyword]:
    """Keywords that authors named, those of most dialogues first."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for word in (word for one in dialogues for word in one.keywords):
        counts[word.casefold()] += 1
        written.setdefault(word.casefold(), word)
    # What one dialogue alone is about does not tell a cluster of several.
    least = 2 if len(dialogues) > 1 else 1
    best = sorted(counts, key=lambda word: (-counts[word], word))[:KEYWORDS]
    return [
        ClusterKeyword(word=written[one], weight=round(counts[one] / counts[best[0]], 3))
        for one in best
        if counts[one] >= least
    ]


def weighted_keywords(
    features: "Features", dialogues: Sequence[Dialogue], members: Sequence[int]
) -> list[ClusterKeyword]:
    """The heaviest terms of some dialogues together, as they are written most often.

    Args:
        features: Of all dialogues, in the order of `dialogues`.
        dialogues: All of them.
        members: Places of those that are meant; several should share a word for it to count.
    """
    # They need SciPy; asking a model for keywords does not.
    import numpy as np

    from memassay.synth.clusters.features import terms_of

    columns, rows = terms_of(features, members)
    weights = np.asarray(rows.sum(axis=0)).ravel()
    if len(members) > 1:
        weights = weights * (np.bincount(rows.indices, minlength=len(weights)) > 1)
    # Digits beyond these differ between machines.
    best = np.lexsort((columns, -weights.round(4)))[:KEYWORDS]
    best = best[weights[best] > 0]
    if not len(best):
        return []
    terms = [features.terms[at] for at in columns[best]]
    written = _common_spellings(dialogues, members, set(terms))
    shares = weights[best] / weights[best[0]]
    return [
        ClusterKeyword(word=written.get(term, term), weight=round(float(share), 3))
        for term, share in zip(terms, shares, strict=True)
    ]


def _common_spellings(
    dialogues: Sequence[Dialogue], members: Sequence[int], wanted: set[str]
) -> dict[str, str]:
    """The commonest spelling of each stem."""
    spellings: dict[str, Counter[str]] = {}
    for at in members:
        texts = [one.text for one in dialogues[at].rounds] + list(dialogues[at].tags)
        for word in (word for text in texts for word in words(text)):
            if (found := stem(word)) in wanted:
                spellings.setdefault(found, Counter())[word.removesuffix("'s")] += 1
    return {
        found: min(counts, key=lambda word: (-counts[word], word))
        for found, counts in spellings.items()
    }
