"""What a release holds, compared with what its recipe gives when it is made again."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.agreement.identity import WRITER, is_ours, is_staged, writer
from memassay.exports.release.agreement.known import EDITS
from memassay.exports.release.check import ReleaseCheck
from memassay.exports.release.layout import LOGS, MANIFEST
from memassay.flows.recipes.again import rules
from memassay.flows.recipes.again.claims import without_claims
from memassay.flows.recipes.again.differences import differences, shorten_pair
from memassay.flows.recipes.again.remade import Released, remade_of
from memassay.flows.recipes.again.remaking import Key, Remade, document_of, is_same
from memassay.flows.recipes.again.sources import folder_of, not_here
from memassay.flows.recipes.released import released_recipe
from memassay.flows.stages.check_stages import OF_CHECKS, RULES_ASKED
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import InTurn, Mapper
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.question import QAItem
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.validators.certificates.certify import rules_sha256

_FIX: Final = "run the recipe again, or have a person decide about the change"
_DERIVED: Final = frozenset({"equivalents", "coarser"})
"""Of an answer what is derived from the gold, otherwise by a program of other rules."""
_FEW: Final = 10
"""One of so many questions at most has other derived parts, unless a program made them all."""
_NOTES: Final = ("bank", "cluster", "alteration", "flaw", "repair")
_RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("persona", "event", "fact"), rules.WORLD),
    **dict.fromkeys(("conversation", "mention"), rules.TOLD),
    **dict.fromkeys(("asset", "concept"), rules.DRAWN),
    "question": rules.ASKED,
    **dict.fromkeys((*_NOTES, "provenance", "finding"), rules.NOTED),
}
"""By kind of record, the rule that speaks of it."""
_FILES: Final = {kind: f"{stem}.jsonl" for stem, kind in LOGS.items()}
"""By kind of record, the log that holds it."""
_SHOWN: Final = 200
"""Differences of one record that are told one by one: a conversation is one, with all its turns."""
_ALIKE: Final = 0.95
"""Share of records that are the same where another memassay makes what this one does."""
_HARDLY: Final = 0.99
"""The same where stages say they were others: they made something otherwise, perhaps little."""
_AT_ALL: Final = 0.5
"""Share below which a recipe is not the one that a release was made from."""


def made_again(
    found: ReleaseCheck, folders: Sequence[Path] = (), mapper: Mapper | None = None
) -> list[Finding]:
    """Findings about what does not follow from the recipe; none where nothing follows from it.

    A conversation in which people changed anything may differ from what was made; so may a question
    that they changed, or wrote.

    Args:
        found: The release.
        folders: Where the recipe may have lain: what its sources are relative to.
        mapper: Has histories made again; one after the other if there is none.
    """
    recipe = released_recipe(found.recipe) if is_staged(found.recipe) else None
    if recipe is None:
        return []
    released = Released(found)
    plain = without_claims(recipe, released.records.values())
    folder = folder_of(plain, folders)
    if folder is None:
        return [not_here(plain, folders)]
    remade = remade_of(plain, released, folder, mapper or InTurn())
    if remade is None:
        return []
    remade.certain = plain == recipe
    return list(_Comparison(found, released, remade).findings())


class _Comparison:
    """A release beside what was made again."""

    def __init__(self, found: ReleaseCheck, released: Released, remade: Remade) -> None:
        self.recipe = found.recipe
        self.released, self.remade = released, remade
        self.clusters = {
            content_hash(one) for key, one in remade.records.items() if key[0] == "cluster"
        }
        self.others = self._other_stages()
        self.set_aside = self._drifted_parts() if self._has_other_rules() else frozenset[str]()

    def findings(self) -> Iterator[Finding]:
        """What differs, or that too much of it does."""
        odd = list(self._odd())
        wanted = [key for key in self.remade.records if key[0] in DATA_KINDS]
        names = {key for _, key, _, _ in odd if key[0] in DATA_KINDS}
        alike = 1 - len(names) / max(1, len(wanted), len(names))
        if self.others or not (is_ours(self.recipe) and self.remade.certain):
            if alike >= (_HARDLY if self.others else _ALIKE):
                yield from (_finding(rules.OTHERWISE, *one[1:]) for one in odd)
            elif self.remade.certain:
                yield self._of_another()
        elif alike < _AT_ALL:
            yield self._of_another() if self._other_cards() else self._other_recipe(len(names))
        else:
            yield from (_finding(*one) for one in odd)

    def _other_stages(self) -> list[str]:
        """Stages that say they were of another version than ours when they made the release."""
        ours = {one.stage: one.stage_version for one in self.remade.traced}
        traced = [one for one in self.released.records.values() if isinstance(one, Provenance)]
        said = {(one.stage, one.stage_version) for one in traced if one.stage in ours}
        return sorted(stage for stage, version in said if ours[stage] != version)

    def _has_other_rules(self) -> bool:
        return self.recipe.get(RULES_ASKED) != rules_sha256()

    def _drifted_parts(self) -> frozenset[str]:
        """Parts of answers that a program of other rules derived otherwise: in more than a few."""
        items = [key for key in self.remade.records if key[0] == "question"]
        differing = Counter[str]()
        for key in items:
            made, there = self.remade.records[key], self.released.records.get(key)
            if isinstance(made, QAItem) and isinstance(there, QAItem) and made is not there:
                wanted, held = made.answer.model_dump(), there.answer.model_dump()
                differing.update(name for name in _DERIVED if wanted[name] != held[name])
        return frozenset(name for name in differing if differing[name] * _FEW > len(items))

    def _of_another(self) -> Finding:
        made = str(self.recipe.get(WRITER, "none"))
        if self.others:
            made += f" with stages of other versions: {', '.join(self.others)}"
        owners = sorted({key[1] for key in self.remade.records if key[0] == "conversation"})
        message = (
            f"{MANIFEST}.recipe.{WRITER}: expected {writer()}, which makes other histories of this "
            f"recipe, got '{made}'; nothing of {', '.join(owners)} was compared with its recipe"
        )
        fix = "check it with the memassay that made it"
        return rules.UNMADE.finding(MANIFEST, pointer("recipe", WRITER), message, fix)

    def _other_recipe(self, number: int) -> Finding:
        message = (
            f"{MANIFEST}.recipe: expected the recipe and seed that the release was made from, got "
            f"one that makes {number} records otherwise"
        )
        return rules.RECIPE.finding(MANIFEST, "/recipe", message, _FIX)

    def _other_cards(self) -> bool:
        """Whether the events were made from cards that this memassay does not have."""
        own = {one.source_sha256 for one in _events(self.remade.records)}
        held = [one.source_sha256 for one in _events(self.released.records)]
        return bool(held) and 4 * sum(one in own for one in held) < len(held)

    def _member_moves(self) -> dict[str, tuple[str, str]]:
        """The cluster of a dialogue as made and as listed, where these differ."""
        made, there = _cluster_of(self.remade.records), _cluster_of(self.released.records)
        names = sorted({*made, *there})
        pairs = {name: (made.get(name, "none"), there.get(name, "none")) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def _odd(self) -> Iterator[tuple[Rule, Key, str, str]]:
        """Rule, record, place in it, and what to say, for all that differs."""
        yield from self._records()
        if is_ours(self.recipe):
            yield from self._provenance()
            if not self.remade.worded:
                yield from self._noted_findings()

    def _records(self) -> Iterator[tuple[Rule, Key, str, str]]:
        gone = self._missing_conversations()
        yield from (
            self._difference(("conversation", name), "a conversation", "none") for name in gone
        )
        moved = self._member_moves()
        yield from (self._difference(("cluster", name), *pair) for name, pair in moved.items())
        # What else their clusters say follows from their members.
        concerned = {("cluster", name) for pair in moved.values() for name in pair}
        for key, made in self.remade.records.items():
            owner = belongs_to(made)
            if key[0] not in _RULES or owner in gone or self._is_left(key, owner):
                continue
            if key in concerned:
                continue
            there = self.released.records.get(key)
            if there is None:
                if key[0] in ("conversation", "persona") or owner not in self.released.apart:
                    yield self._difference(key, f"a {key[0]}", "none")
            elif there is not made and not is_same(made, there):
                yield from self._differences(key, made, there)
        for key, there in self.released.records.items():
            owner = belongs_to(there)
            if key in self.remade.records or key[0] not in _RULES or key[0] == "finding":
                continue
            if key[0] == "provenance" or key in concerned or self._is_left(key, owner):
                continue
            if content_hash(there) not in self.released.by_people:
                yield self._difference(key, f"no such {key[0]}", "one")

    def _missing_conversations(self) -> list[str]:
        """Conversations that are neither released nor held out."""
        made = [name for kind, name in self.remade.records if kind == "conversation"]
        there = self.released.records
        return [
            name
            for name in made
            if ("conversation", name) not in there and name not in self.released.apart
        ]

    def _is_left(self, key: Key, owner: str) -> bool:
        return owner in self.released.left or key[1] in self.released.edited

    def _difference(
        self, key: Key, expected: str, got: str, place: str = "", within: str = ""
    ) -> tuple[Rule, Key, str, str]:
        field = place.lstrip("/").replace("/", ".")
        name = f"{key[1]}{'.' if field else ''}{field}"
        within = _FILES.get(key[0], within)
        where = f" ({within})" if within else ""
        return _RULES[key[0]], key, place, f"{name}{where}: expected {expected!r}, got {got!r}"

    def _differences(
        self, key: Key, made: Record, there: Record
    ) -> Iterator[tuple[Rule, Key, str, str]]:
        wanted, held = document_of(made, there), there.model_dump(mode="json")
        self._set_aside(wanted, held)
        every = list(differences(wanted, held))
        for one in every[:_SHOWN]:
            place = pointer(*map(str, one.place))
            yield self._difference(key, one.expected, one.got, place, one.within)
        if len(every) > _SHOWN:
            yield self._difference(key, "no further difference", f"{len(every) - _SHOWN} more")

    def _set_aside(self, wanted: dict[str, Any], held: dict[str, Any]) -> None:
        """Take over what other rules or other libraries give otherwise, and rules ask of."""
        if isinstance(wanted.get("answer"), dict):
            wanted["answer"] |= {name: held["answer"].get(name) for name in self.set_aside}
        wanted["schema_version"] = held.get("schema_version")

    def _provenance(self) -> Iterator[tuple[Rule, Key, str, str]]:
        """How records were made; where people changed some, what they left as it was."""
        made = {one.id: one for one in self.remade.traced}
        odd = {belongs_to(one) for key, one in self.released.records.items() if self._differs(key)}
        for key, there in self.released.records.items():
            if not isinstance(there, Provenance) or there.id.endswith(EDITS):
                continue
            owner = belongs_to(there)
            if owner in self.released.left or owner in odd:
                continue
            one = made.pop(there.id, None)
            if one is None:
                yield self._difference(key, "no such stage of it", there.stage)
                continue
            one = self._as_kept(one, there)
            if one != there and there.stage not in self.remade.worded:
                yield from self._differences(key, one, there)
        for one in made.values():
            if belongs_to(one) not in {*self.released.left, *odd, *self._missing_conversations()}:
                yield self._difference(("provenance", one.id), f"what {one.stage} made", "none")

    def _as_kept(self, made: Provenance, there: Provenance) -> Provenance:
        """The provenance with clusters as they may have been when a life was made.

        A life is kept when a later run gives its cluster other scores.
        """
        if len(made.parents) != len(there.parents):
            return made
        pairs = zip(made.parents, there.parents, strict=True)
        parents = [then if now in self.clusters else now for now, then in pairs]
        return made.model_copy(update={"parents": parents})

    def _differs(self, key: Key) -> bool:
        """Whether the hash of a record cannot be the one that was traced."""
        made, there = self.remade.records.get(key), self.released.records[key]
        return key[0] in DATA_KINDS and made is not None and made is not there

    def _noted_findings(self) -> Iterator[tuple[Rule, Key, str, str]]:
        """Findings of stages about their own work."""
        # A stage declares its rules when it is imported: a constant of this module misses some.
        ours = {rule.id for rule in SYNTHESIS_RULES} - OF_CHECKS
        passed_over = {*self.released.left, *self._missing_conversations()}

        def asked_of(findings: Sequence[Finding]) -> dict[str, Finding]:
            of = (one for one in findings if one.rule in ours)
            return {one.id: one for one in of if belongs_to(one) not in passed_over}

        made, stated = asked_of(self.remade.findings), asked_of(self.released.findings)
        for name in sorted({*made, *stated}):
            if name not in made:
                got = shorten_pair(stated[name].message, "")[0]
                yield self._difference(("finding", stated[name].target), "no such finding", got)
            elif name not in stated:
                message = shorten_pair(made[name].message, "")[0]
                yield self._difference(("finding", made[name].target), message, "no such finding")
            elif made[name] != stated[name]:
                yield from self._differences(("finding", name), made[name], stated[name])


def _cluster_of(records: Mapping[Key, Record]) -> dict[str, str]:
    """The cluster that each dialogue is a member of."""
    clusters = [one for one in records.values() if isinstance(one, Cluster)]
    return {each.dialogue: one.id for one in clusters for each in one.members}


def _events(records: Mapping[Key, Record]) -> Iterator[TimelineEvent]:
    return (one for one in records.values() if isinstance(one, TimelineEvent))


def _finding(rule: Rule, key: Key, place: str, message: str) -> Finding:
    return rule.finding(key[1], place, message, _FIX)
