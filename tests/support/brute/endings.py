"""Truth about what is there and what has ended: `absent`, `exists`, `ended`."""

from support.brute.claims import truth
from support.brute.common import ENDED, Document, WrongQuery
from support.brute.scalars import Reading, Values
from support.brute.selecting import Found, ids


class Endings(Reading):
    """The evaluation of `absent`, `exists` and `ended`."""

    def _is_over(self, fact: Document) -> bool:
        """Whether a fact has ended; a deletion that somebody asks for tells of an end itself."""
        return fact["operation"] == "delete" or self.world.ended(fact, self.world.now)

    def _there(self, query: Document) -> Found:
        """What was found; what was there and has ended is an error."""
        found = self.finding.find(query["of"])
        lasting = [
            each for each in found.facts if each["id"] in found.settled or not self._is_over(each)
        ]
        was_there = [*found.facts, *found.aside, *found.ended, *found.deletions]
        if was_there and not lasting:
            raise WrongQuery(ENDED)
        return found

    def _absent(self, query: Document) -> Values:
        found = self._there(query)
        return truth(not found.facts, ids(found.facts))

    def _exists(self, query: Document) -> Values:
        found = self._there(query)
        return truth(bool(found.facts), found.why if found.facts else frozenset())

    def _ended(self, query: Document) -> Values:
        found = self.finding.find(query["of"])
        facts = [*found.facts, *found.aside] or found.ended
        alone = [] if facts else found.deletions
        if not facts and not alone:
            raise self.finding.nothing(query["of"])
        lasting = [each for each in facts if not self._is_over(each)]
        compared = found.why - ids(found.facts)
        if lasting:
            return truth(False, ids(lasting) | compared)
        return truth(True, frozenset(map(self._end, facts)) | ids(alone) | compared)

    def _end(self, fact: Document) -> str:
        """What tells of the end of a fact: an id, or that of its denial."""
        world = self.world
        if fact["operation"] == "delete":
            return str(fact["id"])
        known = self._replacing(fact)
        for each in known:
            if each["operation"] == "delete":
                return str(each["id"])
        if fact["status"] == "retracted" and world.mentioned(fact, world.now, "denied"):
            return f"denial of {fact['id']}"
        return str(known[0]["id"] if known else fact["id"])

    def _replacing(self, fact: Document) -> list[Document]:
        """What is known to replace a fact, by place: directly, else through what is not known."""
        world, before, seen = self.world, [fact], [fact]
        while before:
            after = [
                each
                for each in world.facts
                if each["status"] != "interference"
                and each not in seen
                and any(one["id"] in each["supersedes"] for one in before)
            ]
            known = [each for each in after if world.known(each, world.now)]
            if known:
                return sorted(
                    known,
                    key=lambda each: [
                        world.position(one)[0] for one in world.mentioned(each, world.now)
                    ][:1],
                )
            before, seen = after, [*seen, *after]
        return []
