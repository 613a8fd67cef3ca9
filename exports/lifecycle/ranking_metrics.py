"""Recall and NDCG of what a memory found against gold points (WorldMemArena B.4).

A find is a list of items, best first, each given as the set of gold points that it matches
(0-based positions in the evidence of the question). The paper's text and its code differ in two
ways, so NDCG comes as printed and as coded. As coded (`evaluators/qa.py`), the second rank is not
discounted (log2 of the position counted from 0, plus 1), and an item that matches several golds
covers all of them for one credit, so that no later item can earn the others.
"""

import math
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

CUTOFFS: Final = (1, 5, 10)
"""Ranks at which the paper cuts."""
_WORD: Final = re.compile(r"\w+")
_OVERLAP: Final = 0.75

Matches = Sequence[AbstractSet[int]]


@dataclass(frozen=True)
class GoldPoint:
    """A point of the evidence, as the paper's soft match sees it.

    Attributes:
        id: Its id.
        content: Its sentence.
        session: Session that it is from; empty if unknown.
    """

    id: str
    content: str
    session: str = ""


@dataclass(frozen=True)
class FoundItem:
    """An item that was found, as the paper's soft match sees it.

    Attributes:
        text: What a model is shown of it.
        ids: Its ids and the path of its image, those that it has.
        sessions: Sessions that it is from.
    """

    text: str
    ids: tuple[str, ...] = ()
    sessions: frozenset[str] = frozenset()


def soft_match(item: FoundItem, gold: GoldPoint) -> bool:
    """Whether an item is about a gold point, as upstream's code has it.

    Any of: the id of the gold is in the item's ids, path or text, even as the beginning of a longer
    one (`S01_img_1` in `S01_img_10`); the item is from the gold's session; the words of the gold
    are a part of the item's text, or three quarters of them occur in it.
    """
    hay = "\n".join([*item.ids, item.text]).lower()
    if gold.id and gold.id.lower() in hay:
        return True
    if gold.session and gold.session in item.sessions:
        return True
    wanted, given = _words(gold.content), _words(item.text)
    if not wanted or not given:
        return False
    if " ".join(wanted) in " ".join(given):
        return True
    return len(set(wanted) & set(given)) / len(set(wanted)) >= _OVERLAP


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def names_whole(text: str, name: str) -> bool:
    """Whether a text has an id that is not a part of a longer one."""
    return re.search(rf"(?<![\w.:-]){re.escape(name)}(?![\w:-]|\.\w)", text) is not None


def recall_at(matches: Matches, golds: int, cutoff: int) -> float | None:
    r"""Share of gold points that any of the first items matches (equation 10).

    .. math:: Recall@K = |\{g : \exists k \le K, r_k \approx g\}| / |V|

    None where there is no gold: nothing that is found could be right. The paper counts 0.
    """
    if not golds:
        return None
    covered: set[int] = set().union(*matches[:cutoff])
    return len(covered) / golds


def ndcg_as_printed(matches: Matches, golds: int, cutoff: int) -> float:
    r"""NDCG (equations 11 to 14), 0 without a gold.

    .. math::
        \rho_k = [r_k \text{ matches a gold that no earlier item was given}], \quad
        DCG = \rho_1 + \sum_{k=2}^{K} \rho_k / \log_2(k + 1), \quad
        IDCG = 1 + \sum_{k=2}^{\min(|V|, K)} 1 / \log_2(k + 1)

    Every item is given one gold at most, the first in the order of the evidence.
    """
    taken: set[int] = set()
    hits = []
    for own in matches:
        rest = own - taken
        hits.append(bool(rest))
        if rest:
            taken.add(min(rest))
    gained = sum(1 / math.log2(at + 2) for at, hit in enumerate(hits[:cutoff]) if hit)
    ideal = sum(1 / math.log2(at + 2) for at in range(min(golds, cutoff)))
    return gained / ideal if golds else 0.0


def ndcg_as_coded(matches: Matches, golds: int, cutoff: int) -> float:
    r"""NDCG as upstream's `_ranking_metrics` computes it, 0 without a gold.

    .. math:: DCG = \rho_1 + \sum_{k=2}^{K} \rho_k / \log_2(k)

    so rank 2 counts as much as rank 1; an item covers every gold that it matches.
    """
    taken: set[int] = set()
    hits = []
    for own in matches:
        rest = own - taken
        hits.append(bool(rest))
        taken |= rest
    gained = sum(_coded_discount(at) for at, hit in enumerate(hits[:cutoff]) if hit)
    ideal = sum(_coded_discount(at) for at in range(min(golds, cutoff)))
    return gained / ideal if golds else 0.0


def _coded_discount(position: int) -> float:
    return 1.0 if position == 0 else 1 / math.log2(position + 1)
