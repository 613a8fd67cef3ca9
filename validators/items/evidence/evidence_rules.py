"""Rules on evidence: cited places exist, come in time, and belong to the answer."""

from collections.abc import Iterator

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.places import Parts, evidence_places, evidence_rounds, visible_sessions
from memassay.validators.registry import problem, question_rule

CITING_REFUSALS = frozenset({"locomo", "m2a"})
"""Collections whose unanswerable items cite the place that misleads (LoCoMo category 5)."""


def _places(item: QAItem) -> Iterator[tuple[Parts, str]]:
    """Every place an item names, with the way to it; one named in both lists comes once."""
    in_groups = {place for group in item.evidence.groups for place in group}
    for number, group in enumerate(item.evidence.groups):
        for at, place in enumerate(group):
            yield ("evidence", "groups", number, at), place
    for at, place in enumerate(item.evidence.canonical):
        if place not in in_groups:
            yield ("evidence", "canonical", at), place
    for at, place in enumerate(item.decoys):
        yield ("decoys", at), place


def has_evidence(item: QAItem) -> bool:
    """Whether an item cites anything."""
    return bool(item.evidence.groups or item.evidence.canonical)


def _cites_twice_or_more(item: QAItem) -> bool:
    return len(evidence_places(item)) > 1


@question_rule(
    "evidence.resolves",
    Severity.ERROR,
    "LoCoMo and Mem-Gallery data, evidence",
    applies=lambda item: has_evidence(item) or bool(item.decoys),
)
def unresolved_place(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Every cited place, decoys included, exists in the conversation."""
    for parts, place in _places(item):
        if not bundle.rounds_of(place):
            yield problem(
                item.id,
                parts,
                f"a place of conversation {bundle.id}",
                place,
                "cite the round in which the answer is said",
            )


def _rests_on_places(item: QAItem) -> bool:
    """Whether an item needs evidence; that there is no such thing has none, only near misses."""
    nothing_there = (item.query or {}).get("op") == "exists" and bool(item.decoys)
    return item.answerable and not nothing_there


@question_rule(
    "evidence.present",
    Severity.ERROR,
    "LoCoMo data, category 3 without evidence",
    applies=_rests_on_places,
)
def present(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """An answerable item cites at least one place, or the facts that it rests on."""
    if not has_evidence(item) and not item.evidence.facts:
        yield problem(
            item.id,
            ("evidence", "groups"),
            "at least one place",
            "none",
            "cite what proves the answer, or mark the item as not answerable",
        )


@question_rule(
    "evidence.refusal",
    Severity.WARNING,
    "Mem-Gallery data, AR items have no clue",
    applies=lambda item: not item.answerable,
)
def refusal(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """An item without an answer cites nothing, except where its collection cites the trap."""
    if bundle.conversation.collection not in CITING_REFUSALS and has_evidence(item):
        yield problem(
            item.id,
            ("evidence", "groups"),
            "no evidence for an item without an answer",
            evidence_places(item),
            "list misleading places as decoys, or mark the item as answerable",
        )


@question_rule(
    "evidence.repeated",
    Severity.WARNING,
    "LoCoMo data, a place cited twice",
    # With a ledger a place is cited once for every fact that it shows.
    applies=lambda item: _cites_twice_or_more(item) and not item.evidence.facts,
)
def repetition(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No place is cited twice, unless for different facts."""
    seen: set[str] = set()
    for number, group in enumerate(item.evidence.groups):
        for at, place in enumerate(group):
            if place in seen:
                yield problem(
                    item.id,
                    ("evidence", "groups", number, at),
                    "each place once",
                    place,
                    "drop the repetition",
                )
            seen.add(place)


@question_rule("evidence.canonical", Severity.ERROR, "memassay records", applies=has_evidence)
def canonical(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The canonical places are one of each group, in the order of the groups."""
    groups, named = item.evidence.groups, item.evidence.canonical
    fits = len(groups) == len(named) and all(
        place in group for place, group in zip(named, groups, strict=True)
    )
    if not fits:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"one place of each of the {len(groups)} groups",
            named,
            "list one place of every group, in the same order",
        )


@question_rule(
    "evidence.before_asking",
    Severity.ERROR,
    "WorldMemArena 4, checkpoints",
    applies=lambda item: item.asked_at.checkpoint is not None or item.asked_at.session is not None,
)
def before_asking(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Evidence lies in sessions that were seen before the question is asked."""
    visible = visible_sessions(bundle, item)
    for parts, place in _places(item):
        parsed = parse_place(place)
        if visible is not None and parsed is not None and parsed.session not in visible:
            asked = item.asked_at.checkpoint or item.asked_at.session
            yield problem(
                item.id,
                parts,
                f"a place seen by {asked}",
                place,
                "ask later, or cite an earlier place",
            )


@question_rule(
    "evidence.image_rounds",
    Severity.WARNING,
    "Mem-Gallery data, VS answers and clues",
    applies=lambda item: item.answerable and item.answer.format is AnswerFormat.IMAGE_ID,
)
def image_rounds(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The evidence of an item answered by images has the rounds that show those images."""
    shown = {each.id for value in item.answer.values for each in bundle.rounds_of(value)}
    cited = {each.id for place in evidence_places(item) for each in bundle.rounds_of(place)}
    # Images that do not exist are another rule's matter; a round in which somebody chooses one of
    # several images, or speaks of it, is evidence too.
    if not shown <= cited:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"the rounds of the answer's images ({', '.join(sorted(shown, key=natural_key))})",
            sorted(cited, key=natural_key),
            "cite the rounds that show the images, or correct the image ids",
        )


def _is_looked_at(item: QAItem) -> bool:
    return has_evidence(item) and any(each is not Modality.TEXT for each in item.modalities)


@question_rule(
    "evidence.pictured",
    Severity.WARNING,
    "our choice: a modality is that of a place",
    applies=_is_looked_at,
)
def picture(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """What is to be seen in a picture or document has one, in its evidence or its question."""
    shown = item.question.attachments or any(
        turn.attachments for each in evidence_rounds(bundle, item) for turn in each.turns
    )
    if not shown and evidence_rounds(bundle, item):
        yield problem(
            item.id,
            ("modalities",),
            "text, for no place that it cites shows anything",
            item.modalities,
            "correct the modality, or cite the place with the picture",
        )


@question_rule(
    "evidence.string_order",
    # A defect of the file that leaves no doubt about the answer.
    Severity.INFO,
    "M2A merge step 7 and LoCoMo data, evidence order",
    applies=_cites_twice_or_more,
)
def string_order(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Cited places are in the order of time, not in the order of strings (D10 before D2)."""
    places = evidence_places(item)
    if not all(bundle.rounds_of(place) for place in places):
        return
    if places == sorted(places) and places != sorted(places, key=natural_key):
        yield problem(
            item.id,
            ("evidence", "canonical"),
            "places in the order of time",
            places,
            "sort places by the numbers inside their ids",
        )
