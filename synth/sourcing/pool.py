"""A pool of files that is searched by keyword: captions and file names, without a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from memassay.schemas.ids import natural_key
from memassay.schemas.values.text import tokens

MATCH: Final = 0.5
"""A file fits a keyword if it has more than this share of its words (our choice)."""
_EMPTY: Final = frozenset(
    (
        *("a", "an", "and", "at", "by", "for", "from", "her", "his", "in", "into", "its", "of"),
        *("on", "or", "over", "the", "their", "to", "under", "with"),
    )
)


@dataclass(frozen=True)
class Hit:
    """A file that fits a keyword.

    Attributes:
        name: Its name in the pool.
        score: Share (above 0.5, at most 1) of the keyword's words that it has.
        closeness: Share (0..1) of its own words that the keyword has.
    """

    name: str
    score: float
    closeness: float

    @property
    def order(self) -> tuple[object, ...]:
        """Sorts the best first, and equals by name."""
        return -self.score, -self.closeness, natural_key(self.name)


class Pool:
    """Files by the words of their captions and names.

    Word forms count as one (`bees`, `bee`) where English endings tell; words like `the` do not
    count. A few words per file are too little for statistics of words to say more.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take the words of each file, by its name."""
        self._words = {name: words_of(text) for name, text in texts.items()}

    def search(self, keyword: str, limit: int) -> list[Hit]:
        """The files that fit a keyword, best first, equals in natural order of their names."""
        wanted = words_of(keyword)
        hits: list[Hit] = []
        for name, words in self._words.items():
            shared = len(wanted & words)
            if shared and shared / len(wanted) > MATCH:
                hits.append(Hit(name, shared / len(wanted), shared / len(words)))
        return sorted(hits, key=lambda hit: hit.order)[:limit]


def words_of(text: str) -> frozenset[str]:
    """The stems of a text's words, without those that every caption has."""
    return frozenset(_stem(word) for word in tokens(text) if word not in _EMPTY)


@cache
def _stem(word: str) -> str:
    from nltk.stem.snowball import SnowballStemmer

    return str(SnowballStemmer("english").stem(word))
