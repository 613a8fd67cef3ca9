"""One user for all members: the same people speak, and they go by the same name."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.life import Change
from memassay.synth.lives.members import dialogue_id
from memassay.synth.lives.unifying.names import (
    Known,
    aliases_of,
    common_name,
    names_of,
    other_names,
    people_of,
    pronouns_of,
    same_person,
)
from memassay.synth.lives.unifying.renaming import NotRenamed, rename_user


@dataclass
class OneUser:
    """Members in which the same people speak.

    Attributes:
        members: Those that stay.
        rewrites: By dialogue, what was rewritten in it.
        left_out: Reason by the dialogue's id.
    """

    members: list[Bundle] = field(default_factory=list)
    rewrites: dict[str, list[Change]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def one_user(members: Sequence[Bundle]) -> OneUser:
    """The members between the people who speak in most of them, under their most common name.

    Dialogues between other people are left out. A user of another name gets the common one; where
    that would touch somebody else or a gold, the dialogue is left out.
    """
    result = OneUser()
    among = Counter(people_of(one) for one in members)
    people = max(among, key=lambda one: among[one], default=())
    for one in members:
        if people_of(one) != people:
            reason = f"people: {_who(people_of(one))} speak in it, in the others {_who(people)}"
            result.left_out[dialogue_id(one)] = reason
    staying = [one for one in members if people_of(one) == people]
    # Where several people speak, their names are compared above.
    known = [[] if people else names_of(one) for one in staying]
    name = common_name(known)
    aliases = aliases_of(known, name) if name else []
    for one, own in zip(staying, known, strict=True):
        others = other_names(own, name, aliases) if name else []
        if not name or not others:
            result.members.append(one)
        elif why := _other_pronoun(one, others, staying, known, name):
            at = f"as in {_place_of(staying, known, name)}"
            reason = f"name of the user: {others[0].name!r} is {name!r} in the others, {at}"
            result.left_out[dialogue_id(one)] = f"{reason}; not rewritten: {why}"
        else:
            _rename(result, one, others, name, _place_of(staying, known, name))
    return result


def _who(people: Sequence[str]) -> str:
    return " and ".join(people) or "a user and an assistant"


def _other_pronoun(
    member: Bundle,
    others: Sequence[Known],
    members: Sequence[Bundle],
    known: Sequence[Sequence[Known]],
    name: str,
) -> str:
    """Why a dialogue is about another person, if it calls its user `he` and the others `she`."""
    common = frozenset().union(
        *(
            pronouns_of(one, [each.name for each in names if same_person(each.name, name)])
            for one, names in zip(members, known, strict=True)
        )
    )
    strange = pronouns_of(member, [each.name for each in others]) - common
    if len(common) != 1 or not strange:
        return ""
    return f"its questions or profile say {min(strange)!r}, theirs {min(common)!r}"


def _place_of(members: Sequence[Bundle], known: Sequence[Sequence[Known]], name: str) -> str:
    """Where the common name comes from."""
    return next(
        f"{one.id}/{each.place}" if each.place else dialogue_id(one)
        for one, own in zip(members, known, strict=True)
        for each in own
        if each.name == name
    )


def _rename(result: OneUser, member: Bundle, others: Sequence[Known], name: str, at: str) -> None:
    dialogue, old = dialogue_id(member), list(dict.fromkeys(one.name for one in others))
    because = f"{old[0]!r} is {name!r} in the other dialogues, as in {at}"
    try:
        made, changes = rename_user(member, old, name, because)
    except NotRenamed as why:
        result.left_out[dialogue] = f"name of the user: {because}; not rewritten: {why}"
    else:
        result.members.append(made)
        result.rewrites[dialogue] = changes
