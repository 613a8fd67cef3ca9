"""What is known of a conversation at a point, from plain records and by looking at all of them."""

from functools import cached_property

from memassay.schemas.records.bundle import Bundle
from support.brute.common import HIDDEN, MALFORMED, Document, WrongQuery


class World:
    """The records of a conversation, and the sessions that have been seen when it is asked."""

    def __init__(self, bundle: Bundle, asked_at: Document) -> None:
        """Turn the records into dictionaries; nothing is indexed."""
        document = bundle.model_dump(mode="json")
        self.conversation: Document = document["conversation"]
        self.facts: list[Document] = document["facts"]
        self.mentions: list[Document] = document["mentions"]
        self.sessions: list[str] = [each["id"] for each in self.conversation["sessions"]]
        self.now = self.sessions
        if asked_at.get("checkpoint"):
            self.now = self.until(asked_at["checkpoint"])
        elif asked_at.get("session"):
            self.now = self.until(asked_at["session"])

    def until(self, name: str) -> list[str]:
        """The sessions seen at a session or checkpoint, which may not come after asking time."""
        seen = getattr(self, "now", self.sessions)
        for checkpoint in self.conversation["checkpoints"]:
            if checkpoint["id"] == name:
                return self.until(checkpoint["covered_sessions"][-1])
        if name not in self.sessions:
            raise WrongQuery(MALFORMED)
        reached = self.sessions[: self.sessions.index(name) + 1]
        if reached[-1] not in seen:
            raise WrongQuery(HIDDEN)
        return reached

    @cached_property
    def places(self) -> list[tuple[str, str, str]]:
        """Session, round and turn of every turn, in order of time."""
        return [
            (session["id"], round_["id"], turn["id"])
            for session in self.conversation["sessions"]
            for round_ in session["rounds"]
            for turn in round_["turns"]
        ]

    def images(self) -> list[str]:
        """The ids of all images of the conversation, in order of place, each once."""
        shown = [
            attachment["id"]
            for session in self.conversation["sessions"]
            for round_ in session["rounds"]
            for turn in round_["turns"]
            for attachment in turn["attachments"]
        ]
        return list(dict.fromkeys(each for each in shown if ":IMG_" in each))

    def session_of(self, mention: Document) -> str:
        """The session in which a mention stands."""
        return next(session for session, round_, _ in self.places if round_ == mention["round"])

    def position(self, mention: Document) -> tuple[int, int]:
        """Where a mention stands: number of its round, number of its turn (0 if it names none)."""
        rounds = [round_ for _, round_, _ in self.places]
        turns = [turn for _, _, turn in self.places]
        turn = turns.index(mention["turn"]) + 1 if mention["turn"] else 0
        return rounds.index(mention["round"]), turn

    def date_of(self, name: str) -> str | None:
        """The date at the end of a session: of its last round, else its own."""
        session = next(each for each in self.conversation["sessions"] if each["id"] == name)
        found: str | None = session["rounds"][-1].get("date") or session["date"]
        return found

    def mentioned(self, fact: Document, seen: list[str], *forms: str) -> list[Document]:
        """Mentions of a fact in some sessions, in order of place; without denials, if not asked."""
        wanted = forms or ("full", "partial")
        found = [
            each
            for each in self.mentions
            if each["fact"] == fact["id"]
            and self.session_of(each) in seen
            and each["form"] in wanted
        ]
        return sorted(found, key=lambda each: (self.position(each), each["id"]))

    def fact(self, name: str) -> Document | None:
        """The fact with an id."""
        return next((each for each in self.facts if each["id"] == name), None)

    def placed(self, fact: Document) -> str | None:
        """The session after which a fact is known, if no mention says it more exactly."""
        implied = fact["status"] == "implied"
        if implied or self.mentioned(fact, self.sessions, "full", "partial", "denied"):
            return None
        session: str | None = fact["session"]
        return session

    def known(self, fact: Document, seen: list[str], above: tuple[str, ...] = ()) -> bool:
        """Mentioned, from outside, of the question, or implied by what is known."""
        if fact["holder"] == "external" or fact["scope"] == "question":
            return True
        if self.mentioned(fact, seen) or self.placed(fact) in seen:
            return True
        reasons = [self.fact(name) for name in fact["entailed_by"]]
        if fact["status"] != "implied" or not reasons or fact["id"] in above:
            return False
        way = (*above, fact["id"])
        return all(each is not None and self.known(each, seen, way) for each in reasons)

    def replacements(self, fact: Document, seen: list[str]) -> list[Document]:
        """What supersedes a fact and is known."""
        return [each for each in self.replacing(fact) if self.known(each, seen)]

    def retracted(self, fact: Document, seen: list[str]) -> bool:
        """Whether a retraction counts: from its denial or replacement on, without both always."""
        if fact["status"] != "retracted":
            return False
        ever = [self.mentioned(fact, self.sessions, "denied"), self.replacing(fact)]
        by_now = [self.mentioned(fact, seen, "denied"), self.replacements(fact, seen)]
        return any(by_now) or not any(ever)

    def replacing(self, fact: Document) -> list[Document]:
        """What supersedes a fact, or supersedes that, known or not."""
        found: list[Document] = []
        old = [fact]
        while old:
            new = [
                each
                for each in self.facts
                if {one["id"] for one in old} & set(each["supersedes"])
                and each["status"] != "interference"
                and each not in found
            ]
            found, old = found + new, new
        return [each for each in found if each is not fact]

    def told_on(self, fact: Document) -> str | None:
        """The date of the round, or else of the session, in which a fact was first told."""
        told = self.mentioned(fact, self.now)
        if told:
            return self.day_of(told[0])
        session = self.first_session(fact)
        return self.date_of(session) if session else None

    def day_of(self, mention: Document) -> str | None:
        """The date of a mention's round, or else of its session."""
        for session in self.conversation["sessions"]:
            for round_ in session["rounds"]:
                if round_["id"] == mention["round"]:
                    found: str | None = round_.get("date") or session["date"]
        return found

    def first_session(self, fact: Document) -> str | None:
        """The session of the first visible mention, else that of the fact."""
        told = self.mentioned(fact, self.now)
        if told:
            return self.session_of(told[0])
        session: str | None = fact["session"]
        return session if session in self.now else None

    def date(self, fact: Document) -> str | None:
        """The date of a fact: `valid_from`, else a value that is one, else the telling."""
        if fact["valid_from"]:
            return str(fact["valid_from"])
        if fact["value"]["type"] == "date":
            return str(fact["value"]["text"])
        return self.told_on(fact)
