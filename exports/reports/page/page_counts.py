"""What the report counts of a release while its conversations pass by, one at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date

from memassay.exports.release.public.facts import Facts, facts_of
from memassay.exports.reports.page import counts
from memassay.exports.reports.page.facts import checked_rules
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind


class PageCounts:
    """The numbers of a report; no record is kept.

    Attributes:
        facts: Those of the data card.
        rules: A row for each rule that certificates name.
        distances: Sessions between the first and the last evidence of a question.
        ages: Sessions from the last evidence of a question to its asking.
        images: Images and pages that a session shows.
        chains: Facts one after another that replace each other.
        words: By kind of speaker, words of each turn that says something.
        days: By conversation with dates, the days of its sessions.
        types: By conversation, questions by the paper's code of their type.
        verdicts: By the paper's code of the type, questions by the verdict about them.
        items: By both, ids of the questions in the order of the release.
    """

    def __init__(self, certificates: Iterable[Certificate]) -> None:
        """Count the certificates; the conversations follow.

        Args:
            certificates: Those of the release, one of which is looked at at a time.
        """
        self._verdict_of: dict[str, str] = {}
        self.rules = checked_rules(self._note(certificates))
        self.facts = Facts()
        self.distances, self.ages = Counter[int](), Counter[int]()
        self.images, self.chains = Counter[int](), Counter[int]()
        self._words: dict[str, Counter[int]] = {}
        self.days: list[tuple[str, list[date]]] = []
        self.types: dict[str, Counter[str]] = {}
        self.verdicts: dict[str, Counter[str]] = {}
        self.items: dict[tuple[str, str], list[str]] = {}

    def _note(self, certificates: Iterable[Certificate]) -> Iterator[Certificate]:
        for one in certificates:
            self._verdict_of[one.item] = one.verdict.value
            yield one

    def add(self, bundle: Bundle) -> None:
        """Count a conversation; they come in the order of the release."""
        self.facts.add(facts_of(bundle, {}))
        self.distances.update(counts.distances(bundle))
        self.ages.update(counts.ages(bundle))
        self.images.update(counts.images(bundle))
        self.chains.update(counts.chains(bundle))
        for kind, lengths in counts.words(bundle).items():
            self._words.setdefault(kind, Counter()).update(lengths)
        if days := counts.session_days(bundle):
            self.days.append((bundle.id, days))
        self.types[bundle.id] = Counter(item.benchmark_type for item in bundle.questions)
        for item in bundle.questions:
            verdict = self._verdict_of.get(item.id, counts.NO_CERTIFICATE)
            self.verdicts.setdefault(item.benchmark_type, Counter())[verdict] += 1
            self.items.setdefault((item.benchmark_type, verdict), []).append(item.id)

    @property
    def words(self) -> dict[str, Counter[int]]:
        """By kind of speaker, how often turns have so many words."""
        order = [*(kind.value for kind in SpeakerKind), counts.UNKNOWN]
        return {kind: self._words[kind] for kind in order if kind in self._words}

    @property
    def questions(self) -> int:
        """Questions of the release."""
        return sum(own.total() for own in self.types.values())
