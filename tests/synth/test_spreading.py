"""A history that shows one image a round, if that is asked for, and the one of before if not."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.told import SIZES, told

from memassay.flows.recipes.loading import load_recipe
from memassay.synth.histories.sections import SizesSection
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.paths.mem_gallery.stories_recipe import StoriesSection
from memassay.synth.telling.spreading import spread_images
from memassay.synth.world.persona_checks import texts_of
from memassay.synth.world.persona_file import (
    PERSONAS,
    CardSpec,
    ImageSpec,
    PersonaFile,
    RoundSpec,
    known_personas,
    load_persona,
)
from memassay.synth.world.sizes import Sizes

RECIPE = M3ExamRecipe(path="m3exam", personas=["wei-courier"])


def _cards(persona: PersonaFile) -> list[CardSpec]:
    return [*persona.cards, *persona.side]


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("name", known_personas()[::6])
def test_no_round_shows_more_and_nothing_is_lost(name: str, most: int) -> None:
    """Images, pages and words are those of before in their order, and so is each stage."""
    persona = load_persona(PERSONAS / f"{name}.yaml")
    for old, new in zip(_cards(persona), _cards(spread_images(persona, most)), strict=True):
        assert all(len(one.shows) <= most for one in new.rounds)
        for field in ("shows", "pages"):
            shown = [
                [each for one in card.rounds for each in getattr(one, field)] for card in (old, new)
            ]
            assert shown[0] == shown[1]
        said = [
            [(one.user, one.assistant, one.pages) for one in card.rounds] for card in (old, new)
        ]
        assert [one for one in said[1] if one in said[0]] == said[0]
        assert [one.stage for one in old.rounds if one.stage] == [
            one.stage for one in new.rounds if one.stage
        ]


def test_nothing_changes_while_nothing_is_asked() -> None:
    """Cards, the keys of work and the recipe in a manifest are those of before."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    assert spread_images(persona, None) is persona
    assert "images_a_round" not in Sizes().config
    assert "images_a_round" not in SizesSection().model_dump()
    assert Sizes(images_a_round=1).config == {**Sizes().config, "images_a_round": 1}


def test_a_round_that_comes_up_sometimes_is_spread_with_its_condition() -> None:
    """No further image is shown where the first is not."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    card = next(one for one in persona.cards if any(len(each.shows) > 1 for each in one.rounds))
    rounds = [one.model_copy(update={"when": {"luck": "good"}}) for one in card.rounds]
    cards = [card.model_copy(update={"rounds": rounds})]
    (spread,) = spread_images(persona.model_copy(update={"cards": cards}), 1).cards
    assert len(spread.rounds) > len(rounds)
    assert all(one.when == {"luck": "good"} for one in spread.rounds)
    assert [*texts_of(spread)]


def test_a_history_shows_one_image_a_round(tmp_path: Path) -> None:
    """As many images as asked for, and questions of every type that two images allow."""
    sizes = replace(SIZES, images_a_round=1, documents=0)
    bundle = told("lily-cooking-newbie", 9, tmp_path, sizes)
    shown = [
        sum(len(turn.attachments) for turn in each.turns) for each in bundle.conversation.rounds()
    ]
    assert max(shown) == 1
    assert abs(sum(shown) - sizes.sessions * sizes.images) <= 0.2 * sizes.sessions * sizes.images
    assert len({item.benchmark_type for item in bundle.questions}) >= 6


def test_paths_of_mem_gallery_plan_so(tmp_path: Path) -> None:
    """Its dialogues show one image a round unless their recipe says how many."""
    assert RECIPE.one_image_a_round == RECIPE.model_copy(
        update={"sizes": SizesSection(images_a_round=1)}
    )
    two = RECIPE.model_copy(update={"sizes": SizesSection(images_a_round=2)})
    assert two.one_image_a_round == two
    recipe = tmp_path / "clusters.yaml"
    recipe.write_text(
        "path: mem-gallery\nfrom: clusters\n"
        "dialogues: {path: m3exam, personas: [wei-courier], sizes: {sessions: 4}}\n",
        encoding="utf-8",
    )
    assert StoriesSection(personas=["wei-courier"]).history_sizes.images_a_round == 1
    before = load_recipe(recipe).before
    assert isinstance(before, M3ExamRecipe)
    assert before.history_sizes == Sizes(sessions=4, images_a_round=1)


def test_what_is_asked_comes_with_the_last_image() -> None:
    """Those before are named, in the person of who speaks; the stage begins with the first."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    rounds = [RoundSpec(user="Why?", assistant="So.", shows=["old", "new"], stage="plan")]
    images = {
        name: ImageSpec(kind="plan", title=name, about=f"the {name} plan of Wei's room")
        for name in ("old", "new")
    }
    card = persona.cards[0].model_copy(update={"rounds": rounds, "images": images})
    (spread,) = spread_images(persona.model_copy(update={"cards": [card]}), 1).cards
    first, last = spread.rounds
    assert (first.stage, last.stage) == ("plan", None)
    assert (first.shows, last.shows) == (["old"], ["new"])
    assert "the old plan of my room" in first.user
    assert "the old plan of your room" in first.assistant
    assert (last.user, last.assistant) == ("Why?", "So.")
