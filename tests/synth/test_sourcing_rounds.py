"""How sourced images come up: in the first round of their event, and again when it is mended."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Mention
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.material.intake import caption_fact
from memassay.synth.sourcing.rounds import SourcedImages

RANDOMS = partial(keyed_random, "7")
CAPTIONS = {"SRC_E001_1": "A hive {in} spring.", "SRC_E001_2": None, "SRC_E002_1": "I"}


def _asset(name: str) -> Asset:
    note = {"event": f"ada/{name[4:8]}", "keyword": "bees", "page": "https://photos.example"}
    return Asset(
        id=f"ada/{name}",
        availability=Availability.MISSING,
        origin="openverse:1",
        extras={"sourcing": note},
    )


ASSETS = [_asset(name) for name in CAPTIONS]
FACTS = [caption_fact(f"ada/{name}", said) for name, said in CAPTIONS.items() if said]


def _round(place: str, event: str, *shown: Attachment) -> Round:
    turns = [
        Turn(id=f"{place}.1", speaker="user", text=f"This is {place}.", attachments=list(shown)),
        Turn(id=f"{place}.2", speaker="assistant", text="Noted."),
    ]
    return Round(id=place, kind=RoundKind.EXCHANGE, turns=turns, event=event)


def _talk() -> Conversation:
    drawn = Attachment(id="D1:IMG_002", asset="ada/drawn")
    first = [_round("D1:1", "ada/E001"), _round("D1:2", "ada/E001", drawn)]
    return Conversation(
        id="ada",
        collection="m3exam",
        path="m3exam",
        speakers=[Speaker(id="user", name="Ada", kind=SpeakerKind.HUMAN)],
        sessions=[
            Session(id="D1", index=1, rounds=first),
            Session(id="D2", index=2, rounds=[_round("D2:1", "ada/E002")]),
        ],
    )


def _images() -> SourcedImages:
    return SourcedImages(ASSETS, FACTS, RANDOMS)


def _turns(records: Sequence[Record]) -> dict[str, Turn]:
    talk = next(record for record in records if isinstance(record, Conversation))
    return {turn.id: turn for turn in talk.turns()}


def _spans(records: Sequence[Record]) -> dict[str, str]:
    """What stands at the span of each mention, by fact."""
    turns = _turns(records)
    mentions = [record for record in records if isinstance(record, Mention)]
    assert len({mention.id for mention in mentions}) == len(mentions)
    return {
        mention.fact: turns[str(mention.turn)].text[slice(*(mention.span or ()))]
        for mention in mentions
    }


SAID = {fact.id: fact.value.text for fact in FACTS}


def test_images_are_shown_in_the_first_round_of_their_event() -> None:
    """With numbers that the session has not used, and the caption or keyword beside them."""
    turns = _turns(_images().tell([_talk()]))
    shown = [(item.id, item.asset, item.caption) for item in turns["D1:1.1"].attachments]
    assert shown == [
        ("D1:IMG_003", "ada/SRC_E001_1", "A hive {in} spring."),
        ("D1:IMG_004", "ada/SRC_E001_2", "bees"),
    ]
    assert turns["D1:1.1"].attachments[1].extras == {"material": {"note": "caption from keyword"}}
    assert [item.asset for item in turns["D1:2.1"].attachments] == ["ada/drawn"]
    assert [item.id for item in turns["D2:1.1"].attachments] == ["D2:IMG_001"]


def test_captions_are_said_word_for_word() -> None:
    """Each mention's span is its caption, however short, and no full stop is doubled."""
    told = _images().tell([_talk()])
    assert _spans(told) == SAID
    assert _turns(told)["D1:1.1"].text.endswith("A hive {in} spring.")
    assert _turns(told)["D1:1.2"].text == "Noted."


def test_without_sourced_images_nothing_changes() -> None:
    """A history that has none is told as ever."""
    nothing = SourcedImages([], [], RANDOMS)
    assert nothing.tell([_talk()]) == [_talk()]
    assert nothing.around([_talk()], {"ada/D1_1"}, list) == [_talk()]


def _mender(seen: list[str], text: str) -> Any:
    """Writes another text into the first round, and keeps what it was given."""

    def mend(made: Sequence[Record]) -> list[Record]:
        seen.extend(turn.text for turn in _turns(made).values())
        assert not [one for one in made if isinstance(one, Mention) and one.round == "D1:1"]
        talk = next(record for record in made if isinstance(record, Conversation))
        rounds = list(talk.sessions[0].rounds)
        turn = rounds[0].turns[0].model_copy(update={"text": text})
        rounds[0] = rounds[0].model_copy(update={"turns": [turn, rounds[0].turns[1]]})
        first = talk.sessions[0].model_copy(update={"rounds": rounds})
        new = talk.model_copy(update={"sessions": [first, *talk.sessions[1:]]})
        return [new if one is talk else one for one in made]

    return mend


def test_a_mended_round_says_its_captions_again() -> None:
    """The mender sees no sentence about images; afterwards all is as before but its words."""
    told, seen = _images().tell([_talk()]), list[str]()
    mended = _images().around(told, {"ada/D1_1"}, _mender(seen, "Told anew."))
    assert seen[0] == "This is D1:1."
    assert _turns(mended)["D1:1.1"].text.startswith("Told anew. ")
    assert _spans(mended) == SAID
    before, after = _turns(told), _turns(mended)
    assert {name for name in before if before[name] != after[name]} == {"D1:1.1"}
    assert before["D1:1.1"].attachments == after["D1:1.1"].attachments


def test_mending_with_the_same_words_changes_nothing() -> None:
    """Taking the sentences out and putting them back gives the same dialogue."""
    told = _images().tell([_talk()])
    mended = _images().around(told, {"ada/D1_1", "ada/D2_1"}, list)
    assert sorted(mended, key=lambda one: one.id) == sorted(told, key=lambda one: one.id)


def test_a_flaw_that_replaced_the_sentences_is_mended() -> None:
    """A turn that lost its captions gets them back, once."""
    told = _images().tell([_talk()])
    flawed = _mender([], "Quite another story.")([one for one in told if _kept(one)])
    mended = _images().around(flawed, {"ada/D1_1"}, _mender([], "Told anew."))
    assert _spans(mended) == SAID


def _kept(one: Record) -> bool:
    return not (isinstance(one, Mention) and one.round == "D1:1")
