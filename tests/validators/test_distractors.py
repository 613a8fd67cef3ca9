"""Sessions of others that answer a question of their host are found; those that do not are not."""

from functools import cache
from pathlib import Path

import pytest
from support.fixtures import item
from support.places import REPOSITORY
from support.visit_cases import visited

from memassay.exports.formats.registry import FORMATS
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.changes.merging import Visit, merged
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.certificate import Outcome
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Session, SessionArc, Turn
from memassay.schemas.records.question import AnswerOption
from memassay.validators.certificates.certify import certify
from memassay.validators.check import RULES, check_conversation

SAMPLES = REPOSITORY / "recipes" / "samples"
RULE = "distractors.answer"


@cache
def _read(name: str, folder: Path) -> Bundle:
    found = FORMATS["mem-gallery"]
    (source,) = found.sources(SAMPLES / name)
    bundle = found.read(source, BlobFolder(folder), "CC-BY-4.0").bundle
    assert bundle is not None
    return bundle


def _with(host: Bundle, session: Session, date: str = "2025-05-01") -> Bundle:
    """The host with a session of somebody else behind its third."""
    guest = host.model_copy(
        update={
            "conversation": host.conversation.model_copy(update={"sessions": [session]}),
            **{name: [] for name in ("assets", "facts", "mentions", "questions")},
        }
    )
    return merged(host, guest, Visit("other.D1", 3, [date], {}, SessionArc.SIDE)).bundle


def _flagged(bundle: Bundle) -> set[str]:
    found = check_conversation(bundle, RuleContext(draws=False), [RULES[RULE]])
    return {one.target.partition("/")[2] for one in found}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The scenario of the samples."""
    return _read("mem-gallery", tmp_path_factory.mktemp("blobs"))


def _session(host: Bundle, text: str, caption: str = "") -> Session:
    like = host.conversation.sessions[0]
    shown = like.rounds[2].turns[0].attachments[0].model_copy(update={"caption": caption})
    user, assistant = like.rounds[0].turns
    turns = [
        user.model_copy(update={"text": text, "attachments": [shown] if caption else []}),
        assistant.model_copy(update={"text": "Thank you, I will remember that."}),
    ]
    only: Round = like.rounds[0].model_copy(update={"turns": turns})
    return like.model_copy(update={"rounds": [only]})


PLANTED = {
    "value: price": ("Q0001", "I bought a dinghy last week and paid 310 pounds for it."),
    "value: year": ("Q0002", "Alec was wrong by the way: Wagtail was built in 1958."),
    "value: rule": ("Q0010", "The rule is to steam a rib for two hours per inch of thickness."),
    "value: wood": ("Q0027", "The new foot of the mast is made of oak, Alec says."),
    "value: flag": ("Q0034", "From June the Kelp flag must fly before you bring a boat down."),
    "value: fee": ("Q0015", "Membership of the Slipway Club costs 60 pounds from now on."),
    "value: planks": ("Q0008", "I looked again: the planks of Wagtail are made of cedar."),
    "value: seller": ("Q0007", "In truth I bought Wagtail at the boatyard in Penmarrow."),
    "count: planks": ("Q0012", "Two more planks have to be marked for replacement."),
    "count: sails": ("Q0036", "Three more boats with a red sail came into the harbour picture."),
    "sum: receipts": ("Q0023", "Another receipt came from Kestrel Chandlery, over 41.20 pounds."),
    "sum: enamel": ("Q0022", "A litre of enamel covers only eight square metres of hull a coat."),
    "first: showing": ("Q0011", "Alec had shown me how to steam a rib once before, in January."),
    "first: winch": ("Q0028", "I had to book the club winch again, for the 7th of June."),
    "last: rivet": ("Q0016", "Today I had to drive one more rivet, the very last of them."),
    "last: oil": ("Q0017", "I gave the inside a third coat of linseed oil this morning."),
    "last: colour": ("Q0018", "I changed my mind: the hull gets another colour, Signal Red."),
    "last: budget": ("Q0019", "I had to revise the budget for the restoration to 1,400 pounds."),
    "refusal: insurer": ("Q0009", "My company of choice insures the boat against theft now."),
    "refusal: engine": ("Q0025", "The outboard engine came, it has five horsepower."),
    "refusal: school": ("Q0038", "The school that Isla attends is called Millbrook Primary."),
    "refusal: sail": ("Q0039", "The sail number of Wagtail is 1187."),
}


def test_sessions_that_change_an_answer_are_found(host: Bundle) -> None:
    """Values, counts, sums, firsts, lasts and refusals by hand: all, and nearly all by the item."""
    found = {
        name: _flagged(_with(host, _session(host, text))) for name, (_, text) in PLANTED.items()
    }
    assert [name for name, flagged in found.items() if not flagged] == []
    missed = [name for name, (question, _) in PLANTED.items() if question not in found[name]]
    assert missed in ([], ["value: flag"])


OTHER_WORDS = [
    ("Is Ann married?", "yes", "The divorce came through on Friday."),
    ("When did Ann last go swimming?", "3 May 2024", "I was at the pool again this morning."),
    ("How many children does Ann have?", "two", "Our third was born on Friday, a boy."),
    ("What is Ann's job?", "a baker", "I quit, and on Monday I start as a nurse."),
]


def test_statements_in_other_words_are_found_with_the_rules_on_visits() -> None:
    """What shares no word with the question is found by what a statement can answer."""
    rules = [RULES[one] for one in (RULE, "visits.changes")]
    for question, gold, said in OTHER_WORDS:
        (bundle,) = visited(said, item(question, [gold])).bundles
        talk = bundle.conversation
        sessions = [
            one.model_copy(update={"arc": SessionArc.SIDE}) if one.origin else one
            for one in talk.sessions
        ]
        aside = talk.model_copy(update={"sessions": sessions})
        bundle = bundle.model_copy(update={"conversation": aside})
        assert check_conversation(bundle, RuleContext(draws=False), rules) != [], said


def test_sessions_without_pictures_leave_it_open_whom_a_new_picture_shows(host: Bundle) -> None:
    """`Who is this?` is changed by who names the concept, or shows what no caption describes."""
    (_, shown), *_ = host.conversation.attachments()
    options = [AnswerOption(label="A", text="<rex>"), AnswerOption(label="B", text="<bo>")]
    asked = item("Who is this?", ["B"], ["D1:1"], shown=[shown], options=options)
    own = asked.model_copy(update={"conversation": host.id, "id": f"{host.id}/Q999"})
    asking = host.model_copy(update={"questions": [own]})
    bare = _session(host, "Look at this.", "?")
    rounds = [
        one.model_copy(update={"turns": [_bare(turn) for turn in one.turns]}) for one in bare.rounds
    ]
    assert _flagged(_with(asking, _session(host, "It rained all day."))) == set()
    assert _flagged(_with(asking, _session(host, "Is <bo> yours?"))) == {"Q999"}
    assert _flagged(_with(asking, bare.model_copy(update={"rounds": rounds}))) == {"Q999"}


def _bare(turn: Turn) -> Turn:
    shown = [one.model_copy(update={"caption": None}) for one in turn.attachments]
    return turn.model_copy(update={"attachments": shown})


def test_a_picture_that_is_asked_for_is_found(host: Bundle) -> None:
    """By its caption; a picture without one may show anything."""
    upside = "A white dinghy lies upside down on two trestles in a yard."
    assert "Q0005" in _flagged(_with(host, _session(host, "Look at this.", upside)))


@pytest.mark.parametrize(
    "text",
    [
        "Our choir rehearses a requiem, and I stand between two basses.",
        "I planted garlic and broad beans, four rows of each.",
        "The French verbs are hard, but the crêpes were good.",
        "My train was late, so I read a whole comic on the platform.",
    ],
)
def test_other_sessions_are_left_in_peace(host: Bundle, text: str) -> None:
    """What somebody else tells about other things flags no question."""
    assert _flagged(_with(host, _session(host, text))) == set()


def test_a_session_on_the_date_asked_for_is_found(host: Bundle) -> None:
    """A question places what it asks for in a month; whatever is told then may belong to it."""
    text = "My train was late today."
    assert "Q0006" in _flagged(_with(host, _session(host, text), "2025-02-25"))
    assert "Q0006" not in _flagged(_with(host, _session(host, text)))


def test_certificates_say_that_distractors_were_looked_at(host: Bundle) -> None:
    """Each question has the check as passed; without distractors it does not apply."""
    text = "Our choir rehearses a requiem, and I stand between two basses."
    for bundle, outcome in (
        (host, Outcome.NOT_APPLICABLE),
        (_with(host, _session(host, text)), Outcome.PASSED),
    ):
        checks = [one for each in certify(bundle, []) for one in each.checks if one.rule == RULE]
        assert {one.outcome for one in checks} == {outcome}
        assert len(checks) == len(bundle.questions)
