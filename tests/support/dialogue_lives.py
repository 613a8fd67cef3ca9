"""Single dialogues of a few invented lives, in memory: what clustering has to bring together."""

from random import Random
from typing import Final

from memassay.synth.clusters.dialogue import Dialogue, Exchange

LIVES: Final = {
    "potter": "kiln glaze clay porcelain wheel firing studio bowl pottery cone stoneware",
    "sailor": "regatta mast harbour spinnaker tide keel mooring knots anchor crew buoy",
    "baker": "sourdough oven croissant flour starter dough rye crumb proofing loaf bakery yeast",
    "coder": "compiler parser recursion debugger refactor branch merge pipeline kernel thread",
}
NAMES: Final = {"potter": "Mira", "sailor": "Jonas", "baker": "Amara", "coder": "Tomas"}
COMMON: Final = "today morning friend idea weekend plan photo week question start help feel"
_ROUNDS: Final = 5


def life_of(dialogue: str) -> str:
    """The life that a dialogue's id names."""
    return dialogue.partition("/")[0]


def lives(sessions: int = 6, *, seed: int = 0, named: bool = True) -> list[Dialogue]:
    """So many dialogues of each life; `named`: replies address their person now and then."""
    return [
        session(life, at, seed=seed, named=named) for life in LIVES for at in range(1, sessions + 1)
    ]


def session(life: str, at: int, *, seed: int = 0, named: bool = True) -> Dialogue:
    """One dialogue of a life."""
    random = Random(f"{seed} {life} {at}")
    rounds = []
    for number in range(_ROUNDS):
        own, common = random.sample(LIVES[life].split(), 3), random.sample(COMMON.split(), 3)
        name = f", {NAMES[life]}" if named and number == 0 else ""
        told = f"I spent the {common[0]} on the {own[0]} and the {own[1]}, a {common[1]}."
        rounds.append(Exchange(told, f"That {own[2]} sounds lovely{name}! Any {common[2]}?"))
    return Dialogue(f"{life}/D{at}", tuple(rounds))
