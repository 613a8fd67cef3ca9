"""What people scored, by type of question, and how far a judge model agrees with them."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Engine, insert, select, update

from memassay.annotation.measures.agreement import (
    Agreement,
    agreement,
    cohen_kappa,
    interval,
    krippendorff_alpha,
)
from memassay.annotation.measures.scoring_scales import MMRC, number_of
from memassay.annotation.storage.tables import VOTES
from memassay.annotation.voting.rows import JUDGE
from memassay.schemas.judgements.review import ReasonCode, Ruling


@dataclass(frozen=True)
class Scored:
    """One answer that people were given to score.

    Attributes:
        group: Type of its question.
        state: State of its item.
        answer: What people decided; empty while open, or where they could not.
        votes: What each of them answered, by name.
        judges: What each judge model answered, by its name.
    """

    group: str
    state: str
    answer: str
    votes: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupScores:
    """The scores of one type of question.

    Attributes:
        group: The type; `all` for all of them.
        asked: Answers given to people.
        scored: Those they decided on with a score.
        rejected: Those that could not be scored.
        mean: Mean score; a share of correct ones on that scale; None without any.
    """

    group: str
    asked: int
    scored: int
    rejected: int
    mean: float | None


@dataclass(frozen=True)
class JudgeAgreement:
    """How far a judge model agrees with what people decided.

    Attributes:
        judge: Its name.
        units: Answers that both scored.
        percent: Share scored alike; None without units.
        kappa: Cohen's kappa.
        alpha: Krippendorff's alpha for intervals; None on a scale without sizes.
        spearman: Correlation of ranks; None on such a scale, or where one of them never varies.
        bias: Mean of the judge's score less people's; None without units.
    """

    judge: str
    units: int
    percent: float | None
    kappa: float | None
    alpha: float | None
    spearman: float | None
    bias: float | None


def group_scores(scored: Sequence[Scored]) -> list[GroupScores]:
    """The scores of all answers, then by type of question in alphabetical order."""
    groups = sorted({one.group for one in scored if one.group})
    parts = [("all", list(scored))]
    parts += [(group, [one for one in scored if one.group == group]) for group in groups]
    return [_group(name, own) for name, own in parts]


def _group(name: str, own: Sequence[Scored]) -> GroupScores:
    values = [number_of(one.answer) for one in own]
    known = [value for value in values if value is not None]
    return GroupScores(
        group=name,
        asked=len(own),
        scored=len(known),
        rejected=sum(one.state == "decided" and not one.answer for one in own),
        mean=statistics.fmean(known) if known else None,
    )


def people_agreement(scored: Iterable[Scored], scale: str) -> Agreement:
    """How far people agree; alpha takes scores as sizes, names as names."""
    units = [one.votes for one in scored]
    if scale != MMRC:
        return agreement(units)
    # A rejection is no size: it counts in no agreement of scores.
    sized = [{name: given for name, given in unit.items() if given.isdecimal()} for unit in units]
    return agreement(sized, interval)


def judge_agreements(scored: Sequence[Scored], scale: str) -> list[JudgeAgreement]:
    """How far each judge agrees with what people decided, by its name."""
    names = sorted({name for one in scored for name in one.judges})
    return [_judge(name, scored, scale) for name in names]


def _judge(name: str, scored: Sequence[Scored], scale: str) -> JudgeAgreement:
    both = [(one.answer, one.judges[name]) for one in scored if one.answer and name in one.judges]
    sized = scale == MMRC
    pairs = [(number_of(people) or 0.0, number_of(judge) or 0.0) for people, judge in both]
    units = [{"people": people, "judge": judge} for people, judge in both]
    return JudgeAgreement(
        judge=name,
        units=len(both),
        percent=sum(a == b for a, b in both) / len(both) if both else None,
        kappa=cohen_kappa(both),
        alpha=krippendorff_alpha(units, interval) if sized else None,
        spearman=spearman(pairs) if sized else None,
        bias=statistics.fmean(judge - people for people, judge in pairs) if pairs else None,
    )


def spearman(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Correlation of ranks, ties ranked by their mean; None where one side never varies."""
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return statistics.correlation(_ranks(first), _ranks(second))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    mean_rank = {
        value: ordered.index(value) + (ordered.count(value) + 1) / 2 for value in set(values)
    }
    return [mean_rank[value] for value in values]


def keep_judgements(engine: Engine, judge: str, values: Mapping[str, str], at: float) -> None:
    """Keep what a judge model scored, by item; scored again, the last score holds."""
    mine = (VOTES.c.purpose == JUDGE) & (VOTES.c.reviewer == judge)
    with engine.begin() as connection:
        known = set(connection.execute(select(VOTES.c.item).where(mine)).scalars())
        for item, value in sorted(values.items()):
            if item in known:
                change = update(VOTES).where(mine, VOTES.c.item == item)
                connection.execute(change.values(answer=value))
                continue
            row = {"item": item, "reviewer": judge, "token": f"{judge} {item}", "purpose": JUDGE}
            ruled = {"ruling": str(Ruling.ACCEPT), "reason": str(ReasonCode.CORRECT)}
            rest = {"comment": "", "edits": "[]", "seconds": 0.0, "withdrawn": False}
            connection.execute(insert(VOTES).values(**row, **ruled, **rest, at=at, answer=value))
