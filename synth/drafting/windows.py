"""Windows that questions of each type are written from; their shapes are the bank's (A.3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.questions.windows import window


@dataclass(frozen=True)
class Window:
    """Some rounds, in time order."""

    rounds: tuple[Round, ...]

    @property
    def places(self) -> frozenset[str]:
        """Ids of its rounds."""
        return frozenset(one.id for one in self.rounds)

    @property
    def images(self) -> list[str]:
        """Ids of its attachments, in the order shown."""
        return list(_images(self.rounds))


def window_of(kind: QuestionKind, talk: Conversation, random: Random) -> Window | None:
    """A window of a type drawn afresh; None if the conversation has none.

    As many sessions as the type's shape allows are drawn, or all there are, and in each a round
    that the window is drawn around: one with an image, where the type is about images.
    """
    least, most = kind.window.sessions
    shown = [(one, len([*_images(one.rounds)])) for one in talk.sessions if one.rounds]
    told = [session for session, images in shown if images >= kind.images]
    if not told:
        return None
    count = random.randint(min(least, len(told)), min(most, len(told)))
    sessions = random.sample(told, count)
    anchors = [_anchor(session, kind, random) for session in sessions]
    places = window(kind.window, talk, anchors, random)
    return Window(tuple(one for one in talk.rounds() if one.id in places))


def _anchor(session: Session, kind: QuestionKind, random: Random) -> str:
    rounds = [one for one in session.rounds if not kind.images or any(_images([one]))]
    return random.choice(rounds).id


def _images(rounds: list[Round] | tuple[Round, ...]) -> Iterator[str]:
    return (item.id for one in rounds for turn in one.turns for item in turn.attachments)
