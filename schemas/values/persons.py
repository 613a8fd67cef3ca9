"""A noun phrase in the person of who says or hears it."""

import re


def in_person(title: str, name: str, whose: str = "my", own: str = "mine") -> str | None:
    """A noun phrase as somebody says it, or hears it, whose name is in it; None if it is no more.

    Args:
        title: `the choice of Lily's board`, `a soup of Lily's`.
        name: `Lily`.
        whose: What comes in place of `Lily's`.
        own: The same where nothing follows.
    """
    said = re.sub(rf"\b{re.escape(name)}'s(?= )", whose, title)
    said = re.sub(rf"\b{re.escape(name)}'s$", own, said)
    foreign = rf"\b{re.escape(name)}\b" + (r"|\b(?:his|her)\b" if said != title else "")
    return None if re.search(foreign, said) else said
