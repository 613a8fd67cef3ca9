"""What talks need to be said: choices made together, beats in their time, files without faults."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.records.conversation import Speaker, SpeakerKind
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.paths.m2a.guests.author import talks as guest_talks
from memassay.synth.paths.m2a.hosts.author import lives
from memassay.synth.paths.m2a.talks.beats import Talks, Thread
from memassay.synth.paths.m2a.talks.checking import problems
from memassay.synth.paths.m2a.talks.pairing import pairings
from memassay.synth.paths.m2a.talks.world import Subject, World, make_world
from memassay.synth.world.grammar import wordings

OWNER = Speaker(id="speaker_a", name="Rosa", kind=SpeakerKind.HUMAN)
FRIEND = Speaker(id="speaker_b", name="Ellen", kind=SpeakerKind.HUMAN)


@pytest.mark.parametrize("talks", [lives(), guest_talks()], ids=["hosts", "guests"])
def test_files_that_ship_have_no_fault(talks: Talks) -> None:
    """Every exchange can be said, names what it asks about, and gets its answer."""
    assert list(problems(talks)) == []


def _talks(**beat: Any) -> Talks:
    said = {"turns": [{"f": "Well?"}, {"o": "Well."}]}
    first = {"ways": [[{"o": "I joined {c}."}]]}
    return Talks.model_validate(
        {
            "openings": [said] * 3,
            "closings": [said] * 3,
            "asides": [],
            "pictures": {"f": "Nice."},
            "people": ["Petra"],
            "kinds": {"choir": {"said": "the choir", "beats": {"join": first, "solo": beat}}},
        }
    )


def test_talks_without_fault_have_no_problem() -> None:
    """A question that names the subject, and its answer."""
    asked = [{"f": "How is [your choir|the choir]?"}, {"o": "{c} is well."}]
    assert list(problems(_talks(ways=[asked]))) == []


@pytest.mark.parametrize(
    ("beat", "words"),
    [
        ({"ways": [[{"f": "How many are you?"}, {"o": "Nine, in {c}."}]]}, "that names it"),
        (
            {"ways": [[{"o": "{c} sang."}, {"f": "[Bravo!|Did they clap?]"}]]},
            "to the last question",
        ),
        (
            {"ways": [[{"o": "{c}."}, {"f": "[Why?|How?]"}, {"o": "[A.|B.|C.]"}]]},
            "as many answers as questions",
        ),
        ({"ways": [[{"o": "{c} sang."}, {"o": "And again."}]]}, "both in turn"),
        ({"ways": [{"months": [6], "turns": [{"o": "{c} sang."}]}]}, "that can be told at any"),
        ({"after": "tour", "ways": [[{"o": "{c} sang."}]]}, "expected a beat of choir, got 'tour'"),
    ],
)
def test_what_cannot_be_said_is_found(beat: dict[str, Any], words: str) -> None:
    """One problem for each fault, with its place."""
    (found,) = problems(_talks(**beat))
    assert found.startswith("choir.solo")
    assert words in found


def test_a_time_without_openings_is_found() -> None:
    """Every hour of every month needs some."""
    morning = {"hours": (8, 12), "turns": [{"f": "Morning!"}, {"o": "Morning."}]}
    talks = _talks(ways=[[{"o": "{c} sang."}]])
    few = talks.model_copy(update={"openings": [type(talks.openings[0])(**morning)] * 3})
    assert any(one.startswith("openings: expected 3 or more") for one in problems(few))


def test_answers_are_for_their_questions() -> None:
    """The second answer is for the second question, along the whole exchange."""
    turns: Any = [{"f": "[Cold?|Far?]"}, {"o": "[Icy.|Miles.]"}, {"f": "[Brr.|Oh.] [Hm|Well]."}]
    assert pairings(turns) == [
        [{"f": "Cold?"}, {"o": "Icy."}, {"f": "Brr. [Hm|Well]."}],
        [{"f": "Far?"}, {"o": "Miles."}, {"f": "Oh. [Hm|Well]."}],
    ]


@given(
    st.lists(
        st.sampled_from(["Plain.", "[a|b]", "[a|b|c] end", "Begin [a|b] [c|d|e]"]),
        min_size=1,
        max_size=4,
    )
)
def test_pairing_says_nothing_new(patterns: list[str]) -> None:
    """Each turn is one that could be said without pairing, and each of these is said."""
    turns: Any = [{"fo"[at % 2]: pattern} for at, pattern in enumerate(patterns)]
    for at, pattern in enumerate(patterns):
        said = {
            text
            for variant in pairings(turns)
            for text in wordings(next(iter(variant[at].values())))
        }
        assert said == set(wordings(pattern))


def _world(thread: Thread, dates: list[str]) -> World:
    subject = Subject("Rosa", "bees", "my bees", "", thread, OWNER, FRIEND)
    return make_world("c", [subject], dates, [(1, 1)] * len(dates), ["Petra"], keyed_random("x"))


def test_a_beat_waits_for_its_days_and_its_months() -> None:
    """Honey comes in summer, and not before the bees have worked for it."""
    beats: dict[str, Any] = {
        "start": {"ways": [[{"o": "{c} came."}]]},
        "honey": {"days": 30, "months": [6, 7], "ways": [[{"o": "{c} gave honey."}]]},
    }
    dates = ["2023-05-20", "2023-06-01", "2023-06-10", "2023-06-25", "2023-07-01"]
    world = _world(Thread.model_validate({"said": "my bees", "beats": beats}), dates)
    told = {one.name: dates[at] for at, part in enumerate(world.sessions) for one in part}
    assert told == {"start": "2023-05-20", "honey": "2023-06-25"}
    assert (date.fromisoformat(told["honey"]) - date.fromisoformat(told["start"])).days >= 30
