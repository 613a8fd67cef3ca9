"""What a life speaks of again and again is found without any word known beforehand."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.release_builder import MemoryBlobs, bundle, exchange

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.synth.lives.extending.matters import EXTENSION, Matter, matters_of


def _life(*said: Sequence[str], captions: Sequence[str] = ()) -> Bundle:
    """A life that says so in its sessions; the first shows pictures with these captions."""
    told = bundle("ada", "Rex", "red", MemoryBlobs())
    sessions = []
    for at, (session, texts) in enumerate(zip(told.conversation.sessions, said, strict=False)):
        rounds = [
            exchange(f"{session.id}:{nth}", text, "I see.") for nth, text in enumerate(texts, 1)
        ]
        if at == 0 and captions:
            first = rounds[0].turns[0]
            images = [
                Attachment(id=f"D1:IMG_{nth:03d}", asset=f"ada/A{nth}", caption=one)
                for nth, one in enumerate(captions, 1)
            ]
            turns = [first.model_copy(update={"attachments": images}), *rounds[0].turns[1:]]
            rounds[0] = rounds[0].model_copy(update={"turns": turns})
        sessions.append(session.model_copy(update={"rounds": rounds}))
    talk = told.conversation.model_copy(update={"sessions": sessions})
    return Bundle(conversation=talk)


def _best(life: Bundle) -> Matter:
    return matters_of(life, "user", 99)[0]


def test_a_thing_that_pictures_show_is_found() -> None:
    """With its article, and the day on which it was spoken of most."""
    life = _life(
        ["I saw the view.", "We liked the view."],
        ["I cleaned the oven.", "I opened the oven again.", "We bought the view."],
        ["It is in the oven."],
        captions=["A white oven in a kitchen", "Two trays beside an oven"],
    )
    found = _best(life)
    assert (found.thing, found.about, found.when) == ("oven", "the oven", "on 2 March 2024")


def test_a_name_is_found_and_an_adjective_is_not() -> None:
    """`Lisbon` is spoken of, `Danish` says what something is; who speaks is neither."""
    life = _life(
        ["We went to Lisbon.", "I had some Danish cheese.", "They call me Ada."],
        ["I miss Lisbon.", "We got Danish butter.", "So I, Ada, said no."],
    )
    names = [one.about for one in matters_of(life, "user", 99)]
    assert names[0] == "Lisbon"
    assert not {"Danish", "Ada"} & {*names}


def test_a_sentence_is_quoted_unless_it_gives_a_gold_away() -> None:
    """One that is clear by itself, of a round that no question rests on."""
    life = _life(["I love the light of Lisbon in May."], ["We flew to Lisbon."])
    assert _best(life).quote == "I love the light of Lisbon in May"
    item = bundle("ada", "Rex", "red", MemoryBlobs()).questions[0]
    answer = item.answer.model_copy(update={"values": ["in May"]})
    asked = life.model_copy(update={"questions": [item.model_copy(update={"answer": answer})]})
    assert _best(asked).quote == ""


def test_sessions_that_were_added_say_nothing() -> None:
    """A life that was extended goes on with what it spoke of itself."""
    life = _life(["I like Rome."], ["Back to Rome."], ["In Oslo.", "We saw Oslo.", "From Oslo."])
    added = life.conversation.sessions[2].model_copy(update={"origin": f"{EXTENSION}1"})
    sessions = [*life.conversation.sessions[:2], added]
    talk = life.conversation.model_copy(update={"sessions": sessions})
    found = matters_of(life.model_copy(update={"conversation": talk}), "user", 99)
    assert [one.about for one in found] == ["Rome"]


@given(st.lists(st.lists(st.text(max_size=60), max_size=3), max_size=4))
def test_any_text_can_be_read(said: list[list[str]]) -> None:
    """Whatever people write, what is found can be put into a text of the grammar."""
    life = _life(*([text or "." for text in texts] or ["."] for texts in said or [[]]))
    for one in matters_of(life, "user", 99):
        assert not set("{}[]|") & set(f"{one.thing}{one.about}{one.when}{one.quote}")
        assert one.fill("{thing} {about}") == f"{one.thing} {one.about}"


@pytest.mark.parametrize("known", [1, 2])
def test_only_sessions_before_count(known: int) -> None:
    """What comes up later is not spoken of yet."""
    life = _life(["I like Rome."], ["I like Oslo."])
    found = {one.about for one in matters_of(life, "user", known)}
    assert found == {"Rome", "Oslo"} if known == 2 else found == {"Rome"}
