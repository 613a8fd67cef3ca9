"""Dialogues of lives that are not there, among whole lives: who is left over, and who is lost."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from clustering_sources import Known
from sklearn.metrics import adjusted_rand_score

from memassay.synth.clusters.clustering import Clustering, cluster_dialogues

POOLS: Final = 30
"""Draws of whole lives and strangers."""
WHOLE: Final = 8
"""Scenarios that are there whole."""
EACH: Final = 2
"""Dialogues of every other life: fewer than the least of a cluster."""
SINGLE: Final = 10
"""Strangers of collections in which every dialogue is a life."""


@dataclass(frozen=True)
class Places:
    """Where dialogues of pools went, as counts.

    Attributes:
        strangers: How many there are.
        left: Strangers in no cluster.
        joined: Strangers in a cluster of which most dialogues belong to a life.
        members: Dialogues of whole lives.
        lost: Members in no cluster.
        right: Members in a cluster of which most members are of their life.
        ari: Adjusted Rand index of the members, the sum over pools.
        pools: How many.
    """

    strangers: int = 0
    left: int = 0
    joined: int = 0
    members: int = 0
    lost: int = 0
    right: int = 0
    ari: float = 0.0
    pools: int = 0

    def and_then(self, more: "Places") -> "Places":
        """The counts of both."""
        return Places(
            *(a + b for a, b in zip(vars(self).values(), vars(more).values(), strict=True))
        )

    def row(self, name: str) -> str:
        """A row of the table."""
        own = self.strangers - self.left - self.joined
        lost, right = (100 * each / self.members for each in (self.lost, self.right))
        return (
            f"{name:26} strangers {self.strangers:4}: left over {self.left:4}, in a life "
            f"{self.joined:4}, among themselves {own:4}   members {self.members:5}: lost "
            f"{lost:4.1f} %, right {right:5.1f} %   ARI {self.ari / self.pools:.3f}"
        )


def places_of(members: Sequence[Known], strangers: Sequence[Known]) -> Places:
    """Cluster a pool, and say where its dialogues went."""
    found: Clustering = cluster_dialogues([one.dialogue for one in [*members, *strangers]])
    life = {one.dialogue.id: one.life for one in members}
    joined = right = 0
    cluster: dict[str, str] = {}
    for each in found.clusters:
        ids = [one.dialogue for one in each.members]
        lives = Counter(life[one] for one in ids if one in life)
        cluster |= dict.fromkeys(ids, each.id)
        right += max(lives.values(), default=0)
        joined += (len(ids) - lives.total()) * (2 * lives.total() > len(ids))
    return Places(
        strangers=len(strangers),
        left=sum(one.dialogue.id not in cluster for one in strangers),
        joined=joined,
        members=len(members),
        lost=sum(one not in cluster for one in life),
        right=right,
        ari=adjusted_rand_score(list(life.values()), [cluster.get(one, one) for one in life]),
        pools=1,
    )


def pool_of(
    scenarios: Sequence[Known], random: Random, whole: int = WHOLE
) -> tuple[list[Known], list[Known]]:
    """Some scenarios whole, and two dialogues of each other one."""
    names = sorted({one.life for one in scenarios})
    random.shuffle(names)
    kept = set(names[:whole])
    return [one for one in scenarios if one.life in kept], some_of_each(
        [one for one in scenarios if one.life not in kept], random
    )


def some_of_each(known: Sequence[Known], random: Random) -> list[Known]:
    """Two dialogues of each life, or the one that it has."""
    by_life: dict[str, list[Known]] = {}
    for one in known:
        by_life.setdefault(one.life, []).append(one)
    return [one for own in by_life.values() for one in random.sample(own, min(EACH, len(own)))]


def measure(
    scenarios: Sequence[Known], others: dict[str, Callable[[Random], list[Known]]]
) -> dict[str, Places]:
    """Sums over pools: scenarios' strangers alone, then with each kind of others beside them."""
    found: dict[str, Places] = {}
    for seed in range(POOLS):
        members, strangers = pool_of(scenarios, Random(f"strangers {seed}"))
        rows = {"of other scenarios": strangers}
        for name, draw in others.items():
            rows[name] = draw(Random(f"{name} {seed}"))
        for name, each in rows.items():
            found[name] = found.get(name, Places()).and_then(places_of(members, each))
    return found


def measure_halves(scenarios: Sequence[Known]) -> list[Places]:
    """The same within each half of the lives by name: four of six are whole."""
    names = sorted({one.life for one in scenarios})
    found = []
    for half in (names[::2], names[1::2]):
        own = [one for one in scenarios if one.life in half]
        total = Places()
        for seed in range(POOLS):
            total = total.and_then(places_of(*pool_of(own, Random(f"half {seed}"), len(half) - 2)))
        found.append(total)
    return found
