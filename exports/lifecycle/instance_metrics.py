"""The metrics of one conversation, from the scores of its sessions and questions."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from memassay.exports.lifecycle.scores import ConversationScores, QuestionScores
from memassay.exports.lifecycle.stage_metrics import (
    Interference,
    Update,
    Verdict,
    Writing,
    answer_shares,
    flagged_share,
    interference_rejection,
    mean_of_types,
    mean_over_sessions,
    update_score,
    written_shares,
)


def instance_metrics(
    scores: ConversationScores,
    questions: Sequence[QuestionScores],
    verdicts: Mapping[str, Verdict | None],
) -> dict[str, float | None]:
    """By name, in the order of the stages; None where there is nothing to measure.

    Args:
        scores: The conversation.
        questions: Those of its questions that count.
        verdicts: By id of a question, what its answer is; empty if nobody answered.
    """
    found: dict[str, float | None] = {}
    # Without points nobody can say what is right to write, or to hold.
    if not any(one.points or any(one.interference.values()) for one in scores.sessions):
        scores = scores.model_copy(update={"shows_writing": False, "shows_holding": False})
    if scores.shows_writing:
        found |= _writing(scores)
    if scores.shows_holding:
        found |= _holding(scores)
    found |= dict(_retrieval(questions))
    if verdicts:
        found |= _use(questions, verdicts)
    return found


def is_right(question: QuestionScores, verdicts: Mapping[str, Verdict | None]) -> bool | None:
    """Whether an answer is right, or where nobody answers, whether it could be."""
    if not verdicts:
        return question.answerable
    verdict = verdicts.get(question.id)
    return None if verdict is None else verdict is Verdict.CORRECT


def type_metrics(
    questions: Sequence[QuestionScores], verdicts: Mapping[str, Verdict | None]
) -> dict[str, float]:
    """Share of right answers by the paper's type (B.5), of types that have any."""
    found: dict[str, list[bool]] = {}
    for one in questions:
        right = is_right(one, verdicts)
        if right is not None:
            found.setdefault(one.benchmark_type, []).append(right)
    return {code: sum(own) / len(own) for code, own in found.items()}


def _use(
    questions: Sequence[QuestionScores], verdicts: Mapping[str, Verdict | None]
) -> dict[str, float | None]:
    shares = answer_shares(verdicts.get(one.id) for one in questions)
    return {
        **{f"QA {kind}": None if shares is None else shares[kind] for kind in Verdict},
        "QA correct, mean of types": mean_of_types(type_metrics(questions, verdicts)),
    }


def _writing(scores: ConversationScores) -> dict[str, float | None]:
    sessions = scores.sessions
    shares = [written_shares([*Counter(one.written).elements()]) for one in sessions]
    known = [own for own in shares if own is not None]
    return {
        "write recall": mean_over_sessions(one.recall for one in sessions),
        "write recall, text": mean_over_sessions(one.recall_text for one in sessions),
        "write recall, pixels": mean_over_sessions(one.recall_pixels for one in sessions),
        **{str(kind): mean_over_sessions(own[kind] for own in known) for kind in Writing},
    }


def _holding(scores: ConversationScores) -> dict[str, float | None]:
    updates, lasting = Counter[Update](), Counter[Update]()
    interference = Counter[Interference]()
    for session in scores.sessions:
        updates.update(session.updates)
        lasting.update(session.lasting)
        interference.update(session.interference)
    # A memory that has failed shows nothing, which must not count as having rejected it.
    rejected = None if scores.failure else interference_rejection(interference)
    return {
        "update": update_score(updates),
        "update lasts": update_score(lasting),
        "interference rejected": rejected,
        "interference flagged": flagged_share(interference),
    }


def _retrieval(questions: Sequence[QuestionScores]) -> Iterator[tuple[str, float | None]]:
    yield "retrieval coverage", mean_over_sessions(one.coverage for one in questions)
    for name, of in _RANKED.items():
        given = [of(one) for one in questions]
        for cutoff in given[0] if given else ():
            head, _, rest = name.partition(",")
            title = ",".join(filter(None, (f"{head}@{cutoff}", rest)))
            yield title, mean_over_sessions(each[cutoff] for each in given)
    yield "answerable", mean_over_sessions(_number(one.answerable) for one in questions)
    yield "answerable, mean of types", mean_of_types(type_metrics(questions, {}))


_RANKED: Final[Mapping[str, Callable[[QuestionScores], Mapping[str, float | None]]]] = {
    "recall": lambda one: one.ranks.recall_strict,
    "recall, soft": lambda one: one.ranks.recall_soft,
    "NDCG": lambda one: one.ranks.ndcg_strict,
    "NDCG, soft as printed": lambda one: one.ranks.ndcg_printed,
    "NDCG, soft as coded": lambda one: one.ranks.ndcg_coded,
}


def _number(value: bool | None) -> float | None:
    return None if value is None else float(value)
