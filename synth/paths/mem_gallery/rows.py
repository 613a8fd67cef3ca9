"""The conversations of a recipe's stories, each with its sizes and questions (Table 5)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from memassay.schemas.contracts.recipes import ClusterSection
from memassay.schemas.copies import with_copies
from memassay.schemas.errors import RecipeError
from memassay.schemas.ids import slug
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.histories.personas import find_persona
from memassay.synth.lessons.fitting import NAMES, Room, lessons_need
from memassay.synth.paths.mem_gallery.apportioning import question_matrix
from memassay.synth.paths.mem_gallery.stories_recipe import ScenarioSection, StoriesSection
from memassay.synth.telling.abridging import abridge
from memassay.synth.telling.spreading import spread_images
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

_LEAST: Final = (2, 4)
"""Sessions of a history, and rounds of each, that are the least to be told."""


@dataclass(frozen=True)
class Joined:
    """What a conversation of dialogues gets beside them.

    Attributes:
        sessions: New sessions.
        rounds: Rounds of these together.
        images: Images of these together.
        bridges: Rounds between two sessions.
        questions: By code, questions of the new sessions.
    """

    sessions: int = 0
    rounds: int = 0
    images: int = 0
    bridges: int = 0
    questions: Mapping[str, int] = field(default_factory=dict)


def joined_by(section: ClusterSection | None) -> Joined:
    """What bridges and new sessions bring, as far as it is known before they are made."""
    if section is None:
        return Joined()
    number = section.extensions
    # The first session begins a story, the last ends one, those between do both. Of each story
    # two values are replaced, and four claims are asked about.
    rounds = (0, 8)[number] if number < 2 else 12 + 11 * (number - 2)
    stories = number if number < 2 else number - 1
    asked = {"KR": 2 * stories, "CD": 4 * stories}
    return Joined(number, rounds, 2 * number, section.bridges, asked)


@dataclass(frozen=True)
class StoryRow:
    """A conversation to be told.

    Attributes:
        persona: Whose life it is: a name that ships, or a file.
        title: What the conversation is called; empty: who speaks.
        sizes: How large its history is, lessons apart.
        questions: By code, how many questions are asked in words alone.
        apart: Whether its sessions become single dialogues, to be put together again.
        whole: How large it is with all that joins it, and what lessons ask; None where lessons are
            as their section says.
        seed: Decides which cards of a persona are told where it is that large.
        deck: Which of how many lives of its persona it is.
    """

    persona: str
    title: str
    sizes: Sizes
    questions: Mapping[str, int]
    apart: bool = False
    whole: Room | None = None
    seed: tuple[str, ...] = ()
    deck: tuple[int, int] = (0, 1)

    def retell(self, persona: PersonaFile) -> PersonaFile:
        """The cards as they are told."""
        if self.whole is None:
            return spread_images(persona, self.sizes.images_a_round)
        return abridge(persona, self.sizes, keyed_random(*self.seed, "abridged"), self.deck)

    def with_rest(self, persona: PersonaFile) -> PersonaFile:
        """The cards as they are told, and those that are not as they would be in a longer life."""
        spread, told = spread_images(persona, self.sizes.images_a_round), self.retell(persona)
        known = {card.id: card for card in (*told.cards, *told.side)}
        cards, side = (
            [known.get(card.id, card) for card in some] for some in (spread.cards, spread.side)
        )
        return spread.model_copy(update={"cards": cards, "side": side})


def rows_of(
    section: StoriesSection, joined: Joined, folder: Path, seed: int = 0, copies: int = 1
) -> dict[str, StoryRow]:
    """By id, the conversations of a section.

    Args:
        section: What the recipe says.
        joined: What a conversation of dialogues gets beside them.
        folder: What files are relative to.
        seed: Root of every draw.
        copies: How many conversations are made of each.

    Raises:
        RecipeError: Numbers do not fit together, or two conversations have one id.
        UsageError: A persona does not exist or does not fit.
    """
    rows: dict[str, StoryRow] = {}
    for name, row in _rows(section, joined, folder):
        if name in rows:
            raise RecipeError(
                f"stories: expected conversations with names of their own, got {name} twice; "
                "change one `name`, or leave one persona out"
            )
        rows[name] = row
    copied = with_copies(rows, copies)
    lives = Counter(row.persona for row in copied.values())
    nth = Counter[str]()
    made: dict[str, StoryRow] = {}
    for name, row in copied.items():
        deck = nth[row.persona], lives[row.persona]
        made[name] = replace(row, seed=(str(seed), name), deck=deck)
        nth[row.persona] += 1
    return made


def cut_apart(section: StoriesSection, copies: int) -> frozenset[str]:
    """Ids of the conversations whose sessions become single dialogues."""
    named = {_id_of(one): one for one in section.scenarios if one.from_ == "clusters"}
    return frozenset(with_copies(named, copies))


def _id_of(scenario: ScenarioSection) -> str:
    return slug(scenario.name, scenario.persona)


def _rows(section: StoriesSection, joined: Joined, folder: Path) -> Iterator[tuple[str, StoryRow]]:
    if section.scenarios:
        yield from _scenario_rows(section, joined)
    for persona in section.personas:
        _, file = find_persona(persona, folder)
        yield file.id, StoryRow(persona, "", section.history_sizes, section.asked_in_words)


def _scenario_rows(section: StoriesSection, joined: Joined) -> Iterator[tuple[str, StoryRow]]:
    scenarios = section.scenarios
    matrix, shown = question_matrix(
        [one.questions for one in scenarios],
        [one.question_images for one in scenarios],
        section.by_code,
        {str(code): number for code, number in section.question_images.items()},
        [joined.questions if one.from_ == "clusters" else {} for one in scenarios],
        [{str(code): number for code, number in one.at_most.items()} for one in scenarios],
    )
    for scenario, wanted, pictures in zip(scenarios, matrix, shown, strict=True):
        names = wanted.pop(NAMES, 0)
        bare = names - pictures.get(NAMES, 0)
        if pictures and section.lessons is None:
            raise RecipeError("stories.lessons: expected some that teach what questions show")
        apart = scenario.from_ == "clusters"
        asked = {code: number for code, number in pictures.items() if number}
        room = Room(scenario.sessions, scenario.rounds, scenario.images, asked, bare)
        yield (
            _id_of(scenario),
            StoryRow(
                persona=scenario.persona,
                title=scenario.name,
                sizes=_history_sizes(scenario, room, joined if apart else Joined()),
                questions={code: number - asked.get(code, 0) for code, number in wanted.items()},
                apart=apart,
                whole=room,
            ),
        )


def _history_sizes(scenario: ScenarioSection, room: Room, joined: Joined) -> Sizes:
    """What is left for a history beside lessons, bridges and new sessions.

    Raises:
        RecipeError: Nothing is.
    """
    sessions, rounds, images = lessons_need(room)
    sessions = scenario.sessions - sessions - joined.sessions
    rounds = scenario.rounds - rounds - joined.rounds - joined.bridges * (sessions - 1)
    images = scenario.images - images - joined.images
    if images > rounds:
        raise RecipeError(
            f"stories.scenarios: expected at most {rounds} images for the history of "
            f"{scenario.name!r}, one for each of its rounds, got {images}; lower `images` or raise "
            "`rounds`"
        )
    if sessions < _LEAST[0] or rounds < _LEAST[1] * sessions or images < sessions:
        raise RecipeError(
            f"stories.scenarios: expected room for a history in {scenario.name!r} beside its "
            f"lessons and new sessions, got {sessions} sessions of {rounds} rounds with {images} "
            "images; ask fewer questions that show an image, or make it longer"
        )
    return Sizes(
        sessions=sessions,
        rounds=rounds / sessions,
        images=images / sessions,
        documents=0,
        procedures=0,
        inferences=0,
        images_a_round=1,
        exact=True,
    )
