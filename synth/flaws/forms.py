"""The ways in which planted flaws are worded, in the text grammar of the persona files.

Slots: `job` (with its article) and `trade` (without) are somebody else's profession, `stranger`
somebody else's name, `label` a fact's property, `wrong` a value it does not have, `right` the one
it has, `thing` what is shown, `row` and `number` what is not in it, `day` a date out of order.
"""

from typing import Final

USER: Final = "user"
ASSISTANT: Final = "assistant"

PERSONA: Final = (
    (USER, "As {job}, I see this [every week|more often than I like]."),
    (USER, "I have worked as {job} for [nine|fourteen|six] years, so I know the feeling."),
    (USER, "[Remember that|Do not forget,] I am {job} by trade."),
    (USER, "My name is {stranger}, [by the way|in case you keep a list]."),
    (USER, "{stranger} here, [back again|still at it]."),
    (ASSISTANT, "You told me that you work as {job}, so [this is familiar|it is not new]."),
    (ASSISTANT, "[Of course|Gladly], {stranger}, [let us look together|one thing at a time]."),
    (USER, "After my shift as {job} I have little patience left."),
    (USER, "My job as {job} taught me to check twice."),
    (ASSISTANT, "For {job} like you, that is routine."),
    (USER, "Being {job}, I [cannot help noticing such things|always count twice]."),
    (ASSISTANT, "Since your profession is {trade}, [trust your eye here|you will see it at once]."),
)
"""Another profession or name than the persona's (M3Exam A.4, persona violation)."""

CONTRADICTION: Final = (
    (USER, "[If I remember right|As I said], {label} was {wrong}."),
    (USER, "I told you that {label} is {wrong}."),
    (ASSISTANT, "You mentioned that {label} was {wrong}."),
    (ASSISTANT, "With {label} at {wrong}, [that makes sense|nothing surprises me]."),
    (USER, "Just to recall it, {label}: {wrong}."),
    (ASSISTANT, "Keep {wrong} in mind, [which was|for that was] {label}."),
    (USER, "We wrote down {wrong} as {label}[, remember|]."),
    (USER, "{label} [has always been|stayed at] {wrong}."),
    (ASSISTANT, "Since {label} came to {wrong}, [I would plan around it|you have your answer]."),
    (ASSISTANT, "It was not {right} after all: {label} was {wrong}."),
)
"""Another value of a settled fact (M3Exam A.4, internal contradiction)."""

HALLUCINATION: Final = (
    "The {thing} also shows {number} for {row}.",
    'At the bottom of the {thing} it says "{row}".',
    "I can read {number} next to {row} on the {thing}.",
    "The {thing} is dated {day}.",
    "According to the {thing}, {row} comes to {number}.",
    "In the corner of the {thing} stands {code}.",
    "The last line of the {thing} reads {row}: {number}.",
    "There is also an entry for {row} on the {thing}, marked {number}.",
    "The {thing} names {stranger} as the person in charge.",
    "[Judging by|Going by] the {thing}, {row} stands at {number}[ already|].",
)
"""Something read in a picture that does not show it (M3Exam E, hallucination)."""

DATES: Final = (
    (USER, "For the record, {title} took place on {later}."),
    (USER, "Today is {later}, [so I am writing this down|in case you lost count]."),
    (USER, "I noted that it happened on {later}."),
    (ASSISTANT, "Your last message was on {later}, [if I count right|as far as I can tell]."),
    (USER, "Yesterday was {later}, [what a day|a long one]."),
    (USER, "We did {late} on {early_day} and {early} only afterwards, on {late_day}."),
    (ASSISTANT, "{late} was on {early_day}, before {early} on {late_day}."),
    (USER, "It is {earlier} today[, a slow one|]."),
    (USER, "It all began on {later}."),
    (ASSISTANT, "As you said back on {later}, [patience pays|one step at a time]."),
)
"""Spoken dates that cannot be where they are said (M3Exam A.4, date order)."""

SESSION_DATES: Final = ("day before the last", "weeks after the next", "a year early", "a month on")
"""Ways to move the date of a whole session."""

OFFENSIVE: Final = (
    (USER, "[Honestly|Seriously], you are {insult} today."),
    (USER, "Answer me, you {insulted}."),
    (USER, "My neighbour is {insult}, [end of story|and everybody knows it]."),
    (ASSISTANT, "Only {insult} would ask that."),
    (ASSISTANT, "[Well|Listen], you {insulted}, read it again."),
    (USER, "What a load of {dirt}."),
    (USER, "{curse}, this again."),
    (ASSISTANT, "People like that deserve to be called {insulted}s."),
    (USER, "I do not care for {dirt} like this."),
)
"""Insults and foul language (M3Exam A.4, offensive contents)."""

INSULTED: Final = (
    *("idiot", "moron", "stupid cow", "fat pig", "pathetic loser", "worthless bastard"),
    *("dumb bitch", "filthy scumbag", "brainless cretin", "lazy arsehole", "wanker"),
)
DIRT: Final = ("bullshit", "crap", "shit", "horseshit")
CURSES: Final = ("Fuck", "Fucking hell", "Shit", "Bloody bollocks", "Damn bastards")

TRADES: Final = (
    *("tax adviser", "flight attendant", "notary", "plumber", "violin maker", "dentist", "midwife"),
    *("chemistry teacher", "bus driver", "carpenter", "radio presenter", "optician", "bailiff"),
    *("geologist", "train conductor", "stockbroker", "hairdresser", "firefighter", "translator"),
    *("lighthouse keeper", "wedding photographer", "dairy farmer", "court reporter", "surgeon"),
)
STRANGERS: Final = (
    *("Gwendolyn", "Bertram", "Yolanda", "Cuthbert", "Ramona", "Thaddeus", "Ursula", "Horatio"),
    *("Philippa", "Norbert", "Calista", "Edmund", "Valeria", "Ignatius"),
)

TIMELINE_PERSONA: Final = (
    ("query", "As {job}, {query}"),
    ("query", "{query} I am {job}, after all."),
    ("query", "My name is {stranger}. {query}"),
    ("title", "{name}'s first day as {job}"),
    ("title", "{name}'s new job as {job}"),
    ("query", "Would another {trade} like me worry here? {query}"),
    ("query", "I work as {job}. {query}"),
    ("title", "the exam that makes {name} {job}"),
    ("title", "{stranger}'s turn: {title}"),
    ("query", "{query} Signed, {stranger}."),
)
"""Another person's life in the timeline (M3Exam §2.2, persona violation)."""

TIMELINE_CONTRADICTION: Final = (
    ("query", "{query} After all, {label} was {wrong}."),
    ("query", "With {label} at {wrong}, {query}"),
    ("title", "{title}, with {label} at {wrong}"),
    ("query", "{query} I have {wrong} as {label}."),
    ("query", "{label} is {wrong}: {query}"),
    ("title", "{title}, where {label} came to {wrong}"),
)
"""Another value of a fact in an event's own words."""

LEDGER_CONTRADICTION: Final = ("revision that replaces nothing", "second value of one property")
"""Two values of one property in the ledger."""

TIMELINE_DATES: Final = (
    "minute of the event before",
    "minutes before the event before",
    "day before the event before",
    "weeks before",
    "a year before",
    "minute of the next event",
    "day after the next event",
    "weeks after",
    "a year after",
)
"""Ways to break the strict order of dates (M3Exam §2.2)."""

TIMELINE_OFFENSIVE: Final = (
    ("query", "{query} And be quick, you {insulted}."),
    ("query", "{curse}, {query}"),
    ("title", "{title}, a load of {dirt}"),
    ("title", "the {insulted} who ruined {title}"),
    ("query", "Is the seller {insult}, or is it me? {query}"),
    ("query", "What is this {dirt}? {query}"),
    ("title", "{title} and that {insulted} next door"),
    ("query", "{query} Only {insult} would not know."),
)
"""Insults and foul language in an event."""
