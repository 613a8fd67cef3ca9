"""Keywords of dialogues: weighted terms, or what a language model names (Mem-Gallery A.2.2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.cluster import ClusterKeyword
from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.features import Features, terms_of
from memassay.synth.clusters.words import stem, words

KEYWORDS: Final = 8
"""Keywords of one dialogue or cluster."""


class DialogueKeywords(BaseModel):
    """What a dialogue is about and what tells whose it is."""

    keywords: list[str] = Field(min_length=1, description="One to three words each.")


def dialogue_keywords(dialogue: Dialogue, count: int = KEYWORDS) -> Task[DialogueKeywords]:
    """Keywords by an author; best of several drafts, a judge or a person keeps the better."""
    rounds = [
        {"told": one.told, "reply": one.reply, "shown": one.captions} for one in dialogue.rounds
    ]
    inputs = {"rounds": rounds, "topics": list(dialogue.tags), "count": str(count)}
    return Task("dialogue_keywords", inputs, DialogueKeywords, record=dialogue.id)


def with_keywords(dialogue: Dialogue, found: DialogueKeywords) -> Dialogue:
    """The dialogue with an author's keywords among its topics, which clustering reads."""
    return replace(dialogue, tags=(*dialogue.tags, *found.keywords))


def weighted_keywords(
    features: Features, dialogues: Sequence[Dialogue], members: Sequence[int]
) -> list[ClusterKeyword]:
    """The heaviest terms of some dialogues together, as they are written most often.

    Args:
        features: Of all dialogues, in the order of `dialogues`.
        dialogues: All of them.
        members: Places of those that are meant; several should share a word for it to count.
    """
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
    written = _written(dialogues, members, set(terms))
    shares = weights[best] / weights[best[0]]
    return [
        ClusterKeyword(word=written.get(term, term), weight=round(float(share), 3))
        for term, share in zip(terms, shares, strict=True)
    ]


def _written(
    dialogues: Sequence[Dialogue], members: Sequence[int], wanted: set[str]
) -> dict[str, str]:
    """The commonest spelling of each stem."""
    spellings: dict[str, Counter[str]] = {}
    for at in members:
        texts = [one.told for one in dialogues[at].rounds] + list(dialogues[at].tags)
        for word in (word for text in texts for word in words(text)):
            if (found := stem(word)) in wanted:
                spellings.setdefault(found, Counter())[word.removesuffix("'s")] += 1
    return {
        found: min(counts, key=lambda word: (-counts[word], word))
        for found, counts in spellings.items()
    }
