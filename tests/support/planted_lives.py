"""Dialogues of one invented user, with and without a sentence that contradicts the others."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Path,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)

PLANTED: Final[dict[str, tuple[str, str]]] = {
    "birth-year": (
        "I was born in 1988, so cassettes were my whole childhood.",
        "Being born in 1996, I never owned a cassette player.",
    ),
    "birth-year-and-age": (
        "Class of '83 babies like me, I was born in 1983, remember it well.",
        "I turned 29 in spring and I still feel like a teenager.",
    ),
    "age": (
        "I'm 34 and my knees already complain on the stairs.",
        "As a 52-year-old woman I want a trail without much climbing.",
    ),
    "second-only-child": (
        "My only child, Mia, starts school on Monday.",
        "Our only son Theo wants a drum kit for his birthday.",
    ),
    "only-child-with-brother": (
        "I grew up as an only child, so board games were a lonely affair.",
        "My older brother and I used to fight over the window seat.",
    ),
    "home": (
        "I live in Porto, so the hills are my gym.",
        "We live in Oslo, and the light in winter is a problem for the plants.",
    ),
    "home-flat": (
        "The balcony of my apartment in Lyon gets four hours of sun.",
        "My apartment in Denver has no balcony at all.",
    ),
    "home-whole-life": (
        "I've lived in Bristol all my life.",
        "I'm based in Toronto, so shipping takes a while.",
    ),
    "job": (
        "I work as a nurse on a children's ward.",
        "I'm a software engineer, so I sit all day.",
    ),
    "job-at": (
        "After a long day as a high school teacher I need quiet.",
        "I'm an attorney and my suits have to last.",
    ),
    "dead-pet": (
        "Our dog Rufus died three years ago and I still look for him at the door.",
        "Rufus is barking at the neighbour's cat again, I should walk him.",
    ),
    "dead-cat": (
        "My late cat Olive used to sleep on this chair.",
        "I gave Olive her breakfast and she wanted more.",
    ),
    "vegetarian": (
        "I've been a vegetarian since college, so no meat please.",
        "I had a ribeye steak last night and it was the best I ever ate.",
    ),
    "vegan": (
        "I'm vegan, what can I use for the glaze?",
        "My favourite lunch is a bacon cheeseburger, I have one every week.",
    ),
    "allergy": (
        "I am allergic to peanuts, so the sauce needs something else.",
        "I eat peanut butter on toast every single morning.",
    ),
    "dog-name": (
        "My dog Bella pulls on the leash when she sees squirrels.",
        "My dog Rocky is afraid of thunder.",
    ),
    "cat-name": (
        "We have a cat named Miso who hates closed doors.",
        "My cat, Pixel, knocked over the vase.",
    ),
    "two-eldest": (
        "My eldest daughter Anna plays the cello.",
        "Our oldest daughter, Clara, is looking at colleges.",
    ),
    "never-married": (
        "My husband built the shelves in the hall.",
        "I've never been married, so I decide about the furniture alone.",
    ),
    "husband-name": (
        "My husband Tom is the cook in our house.",
        "My husband, Greg, never cooks.",
    ),
    "husband-and-wife": (
        "My husband and I painted the kitchen.",
        "My wife says the kitchen is too yellow.",
    ),
    "single": (
        "I'm single and I like my evenings quiet.",
        "My wife and I have been together for twelve years.",
    ),
    "own-name": (
        "By the way, my name is Laura.",
        "You can call me Peter.",
    ),
    "no-pets": (
        "I don't have any pets because of the lease.",
        "My cat sleeps on the radiator.",
    ),
    "no-children": (
        "I don't have kids, so weekends are free.",
        "My daughter has football practice on Saturdays.",
    ),
    "number-of-children": (
        "I have two kids and both are picky eaters.",
        "As a mother of four I buy rice in sacks.",
    ),
    "sisters": (
        "I have one sister and no brothers.",
        "My three sisters are coming for the holidays.",
    ),
    "retired": (
        "I retired in 2015 and took up gardening.",
        "I have to be at the hospital for my shift at six, I work as a nurse.",
    ),
    "home-country": (
        "I live in Japan, so the summers are humid.",
        "Here in Canada, where I live, the snow stays until April.",
    ),
    "no-car": (
        "I don't own a car, so it has to fit on a bike.",
        "I drove my car to the garage for new brakes.",
    ),
    "handedness": (
        "I'm left-handed, so most scissors hurt.",
        "Since I'm right-handed the lamp should stand on the left.",
    ),
    "alcohol": (
        "I don't drink alcohol at all.",
        "I opened a bottle of red wine last night and drank half of it.",
    ),
    "gluten": (
        "I have coeliac disease, so gluten is out.",
        "I had a croissant for breakfast as always.",
    ),
    "birthday": (
        "My birthday is on March 3rd.",
        "My birthday is on 17 October, so it's always rainy.",
    ),
    "grew-up": (
        "I grew up in a village in Kerala.",
        "I grew up in Texas, so heat is no problem.",
    ),
    "dead-mother": (
        "My mother died when I was ten.",
        "I had lunch with my mother yesterday and she loved the scarf.",
    ),
    "pet-kind": (
        "Biscuit, our cat, likes the sunny spot.",
        "I took my dog Biscuit to the lake.",
    ),
    "wedding-year": (
        "We got married in 2010 in a barn.",
        "My husband and I got married in 2018.",
    ),
    "alone": (
        "I live alone, so I cook small portions.",
        "My roommate ate the rest of the pie.",
    ),
    "no-siblings": (
        "I have no siblings.",
        "My younger sister borrowed the tent.",
    ),
}
"""By what is planted: a sentence of the life, and one of another dialogue that contradicts it."""

CLEAN: Final[dict[str, tuple[str, ...]]] = {
    "moved": ("I live in Porto near the river.", "I just moved to Oslo and everything is white."),
    "moving": (
        "My apartment in Lyon is too small.",
        "We are moving to Denver next month.",
        "My new apartment in Denver has two balconies.",
    ),
    "visit": ("I live in Porto.", "I'm in Oslo this week and it rains.", "Greetings from Rome!"),
    "country": ("I live in Berlin.", "Here in Germany, where I live, shops close on Sundays."),
    "other-person-home": ("I live in Porto.", "My brother lives in Oslo with his family."),
    "second-dog": ("My dog Bella is six.", "We got a second dog, Rocky, and Bella is jealous."),
    "two-dogs": ("My dogs love the beach.", "My dog Bella is wet.", "My dog Rocky is wet too."),
    "dog-of-another": ("My dog Bella is six.", "My neighbour's dog Rocky barks all night."),
    "new-puppy": ("My dog Bella died last year.", "My puppy Rocky ate a shoe."),
    "pet-dies": ("My cat Olive is hungry.", "My cat Olive died yesterday, I can't stop crying."),
    "memory-of-dead": ("Our dog Rufus died two years ago.", "Rufus used to love this beach."),
    "new-job": ("I work as a nurse.", "I started a new job as a teacher and it's fun."),
    "former-job": ("I work as a nurse.", "I used to work as a waiter when I was a student."),
    "wished-job": ("I work as a nurse.", "I wish I were a pilot.", "I'm a bit of a chef at home."),
    "job-in-play": ("I'm a teacher.", "Imagine I'm a detective and you are the witness."),
    "wife-of-another": ("My husband is tall.", "My brother and his wife come for dinner."),
    "divorced": ("My husband snores.", "Since the divorce last month the house is quiet."),
    "wedding": ("I'm single and happy.", "I met somebody!", "My fiancé and I got engaged."),
    "two-sons": ("My son Theo plays drums.", "My son Max plays chess."),
    "eldest-and-youngest": ("My eldest daughter Anna.", "My youngest daughter Clara is four."),
    "only-as-just": ("My only complaint is noise.", "It was only my son who called."),
    "grandmother": ("My late grandmother loved tea.", "My other grandmother called today."),
    "mother-in-law": ("My mother died long ago.", "My mother-in-law called this morning."),
    "sister-in-law": ("I'm an only child.", "My sister-in-law lent us a tent."),
    "like-a-brother": ("I'm an only child.", "My best friend is like a brother to me."),
    "steak-for-others": (
        "I'm vegetarian.",
        "I grilled a steak for my husband and corn for me.",
        "Can you give me a recipe for a vegetarian burger?",
    ),
    "peanut-free": ("I'm allergic to peanuts.", "I ordered pad thai without peanuts."),
    "became-vegan": ("I had a steak last night.", "I went vegan in January."),
    "birthday-of-son": ("My birthday is on March 3rd.", "My son's birthday is on 17 October."),
    "older": ("I'm 34.", "I turned 35 last week.", "I'm 5 minutes late.", "I'm 100% sure."),
    "new-car": ("I don't own a car.", "I bought my first car and drove it home."),
    "no-alcohol-wine-gift": ("I don't drink alcohol.", "I bought a bottle of wine for my boss."),
    "quoted": ("I live in Porto.", 'The sign says "I live in Oslo" in neon letters.'),
    "question": ("I work as a nurse.", "Am I a teacher or a student in this story?"),
    "if": ("I don't have kids.", "If I had a daughter, I'd call her Ida.", "My cat is my child."),
    "name-of-friend": ("My name is Laura.", "My friend's name is Peter.", "This is Peter's hat."),
    "nickname": ("My name is Laura Miller.", "Just call me Laura."),
    "roommate-gone": ("My roommate moved out.", "I live alone now."),
    "student-job": ("I'm a student.", "I work as a barista on weekends."),
    "holiday-home": ("I live in Porto.", "My parents' house in Oslo has a sauna."),
}
"""By what looks like a contradiction and is none: sentences of dialogues of one life."""

_ASIDES: Final = (
    ("Which paint dries faster?", "Acrylic paint dries in minutes, oil in days."),
    ("How long do I boil beets?", "About forty minutes, until a knife goes in easily."),
    ("What does this symbol mean?", "It is the sign for a pedestrian zone."),
    ("Is linen hard to wash?", "Wash it cool and hang it up damp."),
    ("How do I read a tide table?", "Look for the highest and lowest figures of the day."),
    ("What is a good first chess opening?", "The Italian game is easy to learn."),
    ("Why do leaves turn red?", "Sugar that stays in the leaf makes red pigments."),
    ("How heavy is a cubic metre of sand?", "About 1.6 tonnes when it is dry."),
)


def member(
    name: str, told: Sequence[str], *, date: str | None = None, user: str = "user"
) -> Bundle:
    """A dialogue of one session in which a user says some sentences, each in its own round."""
    first = sum(map(ord, name)) % len(_ASIDES)
    pairs = [
        _ASIDES[first],
        *((one, "Thank you, I keep that in mind.") for one in told),
        _ASIDES[(first + 3) % len(_ASIDES)],
    ]
    rounds = [
        Round(
            id=f"D1:{at}",
            kind=RoundKind.EXCHANGE,
            turns=[
                Turn(id=f"D1:{at}.1", speaker="user", text=asked),
                Turn(id=f"D1:{at}.2", speaker="assistant", text=answered),
            ],
        )
        for at, (asked, answered) in enumerate(pairs, 1)
    ]
    talk = Conversation(
        id=name,
        collection="planted",
        path=Path.CURATE,
        speakers=[
            Speaker(id="user", name=user, kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=[Session(id="D1", index=1, date=date, rounds=rounds)],
    )
    return Bundle(conversation=talk)
