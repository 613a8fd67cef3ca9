"""Rounds of paper mode: a model with an aim writes messages, another replies (MMRC §3.2)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.ids import record_id, round_id, session_id, turn_id
from memassay.schemas.records.conversation import Attachment, Round, RoundKind, Turn
from memassay.synth.extraction.quoting import quoted_round, shown_images
from memassay.synth.packs.plans.dealing import deal
from memassay.synth.packs.plans.plan import Plan
from memassay.synth.packs.words.naming import ASSISTANT, USER
from memassay.synth.paths.mmrc.paper.tasks import Chat, aim_assistant_turn, aim_user_turn

SESSION: Final = session_id(1)
_MANNERS: Final = (
    "few words, no capitals, straight to the point",
    "chatty, jumps from one thing to the next",
    "careful, explains why, asks back",
    "in a hurry, a little cross, dry humour",
    "curious, enthusiastic, full sentences",
)
"""How users write (our choice); each in turn."""

Write = Callable[[Task[Any]], Any]


def aim_of(plan: Plan) -> dict[str, Any]:
    """What a user is about: topic, people and things in it, manner, and habits of the card.

    What a plan says of scenes and values is no part of it.
    """
    pack, card = plan.pack, plan.card
    habits = []
    if card.updates:
        habits.append(f"You change or correct one and the same thing {card.updates} times in all.")
    if card.pieces:
        habits.append(f"You name {card.pieces} things of one kind, each in a message of its own.")
    return {
        "category": pack.category,
        "domain": pack.domain,
        "people_and_things": [
            found[0].intro or found[0].name
            for role, found in plan.cast.items()
            if not pack.roles[role].many
        ],
        "manner": deal(_MANNERS, plan.ordinal, plan.seed, pack.pack, "manner"),
        "habits": habits,
    }


class Chatting:
    """Writes the rounds of one dialogue.

    Attributes:
        rounds: What is written.
    """

    def __init__(
        self,
        plan: Plan,
        conversation: str,
        shown: Mapping[int, list[Attachment]],
        blobs: Mapping[str, str],
        write: Write,
    ) -> None:
        """Take what a dialogue is to be like.

        Args:
            plan: Its plan, of which cast and card are used.
            conversation: Its id.
            shown: By number of the round, what is attached to the message.
            blobs: SHA-256 of the bytes by asset.
            write: Fulfils a task.
        """
        self.plan, self.conversation, self.shown = plan, conversation, shown
        self.blobs, self.write = blobs, write
        self.aim = aim_of(plan)
        self.rounds: list[Round] = []
        self._images: list[ShownImage] = []

    def chat(self) -> list[Round]:
        """As many rounds as the card says.

        Raises:
            AuthorError: A model gave no usable reply.
        """
        for number in range(1, self.plan.card.rounds + 1):
            self.rounds.append(self._round(number))
        return self.rounds

    def _round(self, number: int) -> Round:
        place, attached = round_id(SESSION, number), self.shown.get(number, [])
        fresh = shown_images(attached, self.blobs)
        self._images += fresh
        chat = Chat(
            record=record_id(self.conversation, place),
            ordinal=self.plan.ordinal,
            so_far=[quoted_round(one) for one in self.rounds],
            shown=attached,
            images=fresh,
        )
        left = self.plan.card.rounds - number
        asked = self.write(aim_user_turn(chat, self.aim, left)).text
        reply = self.write(aim_assistant_turn(chat, asked, self._images)).text
        turns = [
            Turn(id=turn_id(place, 1), speaker=USER, text=asked, attachments=list(attached)),
            Turn(id=turn_id(place, 2), speaker=ASSISTANT, text=reply),
        ]
        return Round(id=place, kind=RoundKind.EXCHANGE, turns=turns)
