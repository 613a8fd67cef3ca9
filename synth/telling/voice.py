"""The user's voice: phrases mixed into turns, none of them twice until all were used."""

from random import Random

from memassay.synth.world.grammar import NOTHING, Expansion, expand
from memassay.synth.world.persona_file import Voice


class PhraseBag:
    """Phrases drawn without replacement; a bag that is empty stays silent."""

    def __init__(self, phrases: list[str], share: float, random: Random) -> None:
        """Mix phrases into a share (0..1) of the places that ask."""
        self._left = random.sample(phrases, len(phrases))
        self._share = share
        self._random = random

    def draw(self) -> Expansion:
        """A phrase, or nothing."""
        if not self._left or self._random.random() >= self._share:
            return NOTHING
        return expand(self._left.pop(), self._random, {})


class UserVoice:
    """Openers, thanks and asides in a persona's own words."""

    def __init__(self, voice: Voice, random: Random) -> None:
        """Shuffle the phrases of a persona."""
        self._openers = PhraseBag(voice.openers, 0.4, random)
        self._thanks = PhraseBag(voice.thanks, 0.35, random)
        self._asides = PhraseBag(voice.asides, 0.1, random)

    def opener(self) -> Expansion:
        """Words before the first message of a session."""
        return self._openers.draw()

    def thanks(self) -> Expansion:
        """Words after the last message of an event."""
        return self._thanks.draw()

    def aside(self) -> Expansion:
        """A small remark in between."""
        return self._asides.draw()
