"""Texts that nobody would have written: slots, markup, breaks, other languages, loops."""

import re
from collections.abc import Callable, Iterator

from defect_plants import Plant, Site, Spot, kind
from defect_words import append, with_text

_Change = Callable[[Site, Spot], str | None]


def _turns(site: Site, change: _Change, *, said_by: str = "", least: int = 80) -> Iterator[Plant]:
    for spot in site.spots(said_by=said_by, least=least):
        new = change(site, spot)
        if new and new != spot.turn["text"]:
            spot.turn["text"] = new
            shown = new if len(new) < 180 else f"{new[:60]} … {new[-110:]}"
            yield site.turn_plant(spot, f"{spot.turn['id']} is now: {shown}")


def _words(text: str) -> list[str]:
    return text.split(" ")


@kind("turn-raw-slot")
def raw_slot(site: Site) -> Iterator[Plant]:
    """A slot of a template was never filled."""
    slots = (
        "{name}",
        "[NAME]",
        "{{city}}",
        "<user_name>",
        "${amount}",
        "%s",
        "__DATE__",
        "[insert date]",
        "<PERSON_1>",
        "{0}",
        "[TBD]",
        "XXXX",
        "{{ user.pet }}",
    )

    def change(site: Site, spot: Spot) -> str:
        words = _words(spot.turn["text"])
        words[site.random.randrange(2, len(words) - 1)] = site.random.choice(slots)
        return " ".join(words)

    yield from _turns(site, change)


@kind("turn-markup")
def markup(site: Site) -> Iterator[Plant]:
    """A text holds markup of a page or a chat window."""
    forms = (
        "<p>{t}</p>",
        "**{a}** {b}",
        "{a}<br/>{b}",
        "### {a}\n{b}",
        "{a}&nbsp;{b}",
        "{a} &amp; {b}",
        "```\n{t}\n```",
        "<b>{a}</b> {b}",
        "{a}\n\n- {b}\n- and so on",
        "[{a}](https://example.org) {b}",
        '<span style="color:red">{a}</span> {b}',
    )

    def change(site: Site, spot: Spot) -> str:
        words = _words(spot.turn["text"])
        half = len(words) // 3
        a, b = " ".join(words[:half]), " ".join(words[half:])
        return str(site.random.choice(forms)).format(t=spot.turn["text"], a=a, b=b)

    yield from _turns(site, change)


@kind("turn-cut-off")
def cut_off(site: Site) -> Iterator[Plant]:
    """A text ends in the middle of a sentence or of a word."""

    def change(site: Site, spot: Spot) -> str:
        text = str(spot.turn["text"]).rstrip(" .!?…\"'")
        words = _words(text)
        short = " ".join(words[: site.random.randint(len(words) // 2, len(words) - 3)])
        short = short.rstrip(".,;:!?—-")
        return (
            short + site.one("", " and the", " because", " of")
            if site.random.random() < 0.6
            else short[:-2]
        )

    yield from _turns(site, change, least=120)


@kind("turn-other-language")
def other_language(site: Site) -> Iterator[Plant]:
    """A text goes on in another language, or is in one from its start."""
    texts = (
        "Das weiß ich leider auch nicht, aber ich frage morgen noch einmal nach und melde mich.",
        "Je ne sais pas encore, mais je vais demander demain et je te tiens au courant.",
        "No lo sé todavía, pero mañana pregunto otra vez y te aviso enseguida.",
        "我还不知道，不过明天我会再问一次，然后告诉你。",
        "Я пока не знаю, но завтра ещё раз спрошу и сразу напишу.",
        "Henüz bilmiyorum ama yarın tekrar soracağım ve sana haber vereceğim.",
        "まだ分かりませんが、明日もう一度聞いてみます。",
        "Ancora non lo so, ma domani chiedo di nuovo e poi ti faccio sapere.",
        "Nog geen idee, maar ik vraag het morgen nog een keer en laat het je weten.",
    )

    def change(site: Site, spot: Spot) -> str:
        text = str(site.random.choice(texts))
        return text if site.random.random() < 0.3 else append(spot.turn["text"], text)

    yield from _turns(site, change)


@kind("turn-model-speaks-of-itself")
def model_of_itself(site: Site) -> Iterator[Plant]:
    """A person, or an assistant out of its role, speaks as a language model."""
    texts = (
        "As an AI language model, I cannot have personal experiences.",
        "I'm just a large language model, so I can't see pictures.",
        "My knowledge cutoff is September 2021.",
        "I apologize, but I am unable to assist with that request.",
        "As a chatbot I do not have feelings, but I can simulate them.",
        "I was trained by OpenAI and have no memory of earlier sessions.",
        "Sure! Here is the dialogue you asked for:",
        "Note: the above conversation is fictional and was generated for training.",
        "I hope this message meets the requirements of the prompt.",
        "[The user then continues the scenario as instructed.]",
    )
    yield from _turns(site, lambda site, spot: append(spot.turn["text"], site.random.choice(texts)))


@kind("turn-repeated")
def repeated(site: Site) -> Iterator[Plant]:
    """A turn is, word for word, one of another session."""
    for spot in site.spots(least=100):
        others = [
            other
            for other in site.all_spots(spot.conversation["id"])
            if other.turn["speaker"] == spot.turn["speaker"]
            and other.session["id"] != spot.session["id"]
            and len(other.turn["text"] or "") > 100
            and other.place not in site.rounds_used
        ]
        if others:
            other = site.random.choice(others)
            spot.turn["text"] = other.turn["text"]
            yield site.turn_plant(spot, f"{spot.turn['id']} is now the words of {other.turn['id']}")


@kind("turn-repeats-itself")
def repeats_itself(site: Site) -> Iterator[Plant]:
    """A sentence or a word is written again and again in one turn."""

    def change(site: Site, spot: Spot) -> str:
        sentences = re.split(r"(?<=[.!?]) ", spot.turn["text"])
        if site.random.random() < 0.5:
            return " ".join([*sentences, *[sentences[-1]] * site.random.randint(3, 6)])
        words = _words(sentences[0] if " " in sentences[0] else spot.turn["text"])
        at = site.random.randrange(1, len(words))
        loop = " ".join([words[at - 1], words[at]]) + " "
        return (
            " ".join(words[:at]) + " " + loop * site.random.randint(5, 9) + " ".join(sentences[1:])
        )

    yield from _turns(site, change)


@kind("turn-praise-loop")
def praise_loop(site: Site) -> Iterator[Plant]:
    """Empty praise, several sentences of it."""
    praise = (
        "Wow, that's amazing!",
        "You're doing great!",
        "That is so inspiring!",
        "Keep it up!",
        "You're an inspiration!",
        "So proud of you!",
        "What a wonderful journey!",
        "Love that!",
        "You are absolutely incredible!",
        "That's awesome!",
        "You rock!",
        "Thank you so much!",
        "Absolutely fantastic!",
        "I am so happy for you!",
        "You've got this!",
    )

    def change(site: Site, _: Spot) -> str:
        chosen = site.random.sample(praise, site.random.randint(6, 9))
        if site.random.random() < 0.3:
            chosen = [chosen[0], chosen[1]] * 4
        return " ".join(chosen)

    yield from _turns(site, change)


@kind("turn-absurdly-long")
def absurdly_long(site: Site) -> Iterator[Plant]:
    """A turn is fifty times as long as the others."""

    def change(site: Site, spot: Spot) -> str:
        others = [
            other.turn["text"]
            for other in site.all_spots(spot.conversation["id"])
            if other.turn["speaker"] == spot.turn["speaker"] and other.turn["text"]
        ]
        return " ".join([spot.turn["text"], *site.random.choices(others, k=45)])

    yield from _turns(site, change)


@kind("turn-nearly-empty")
def nearly_empty(site: Site) -> Iterator[Plant]:
    """Nothing is left of a turn but a sign or two."""
    texts = (".", "-", "N/A", "null", "None", " ", "—", "nan", "undefined")
    yield from _turns(site, lambda site, _: str(site.random.choice(texts)))


@kind("turn-role-label")
def role_label(site: Site) -> Iterator[Plant]:
    """A turn begins with the label of a speaker, or holds two voices."""

    def change(site: Site, spot: Spot) -> str:
        text = spot.turn["text"]
        label = site.one(
            "User: ", "Assistant: ", "Human: ", "AI: ", "### Response:\n", "[assistant] "
        )
        if site.random.random() < 0.5:
            return str(label) + str(text)
        words = _words(text)
        half = len(words) // 2
        return f"{' '.join(words[:half])}\n{label}{' '.join(words[half:])}"

    yield from _turns(site, change)


@kind("turn-mojibake")
def mojibake(site: Site) -> Iterator[Plant]:
    """Bytes were read in the wrong encoding, or signs were lost."""

    def change(site: Site, spot: Spot) -> str:
        text = str(spot.turn["text"])
        words = _words(text)
        at = site.random.randrange(1, len(words))
        words[at] = site.one(
            "donâ€™t",
            "cafÃ©",
            "itâ€™s",
            "\ufffd\ufffd",
            "naÃ¯ve",
            "â‚¬20",
            "Ã¼ber",
            "we\u00e2\u20ac\u2122ll",
        )
        return " ".join(words)

    yield from _turns(site, change)


@kind("turn-control-characters")
def control_characters(site: Site) -> Iterator[Plant]:
    """Signs that nobody can see stand in a text."""

    def change(site: Site, spot: Spot) -> str:
        text = str(spot.turn["text"])
        sign = site.one("\u200b", "\x07", "\x1b[31m", "\ufeff", "\x00", "\u202e", "\x7f", "\u2028")
        at = site.random.randrange(5, len(text) - 5)
        return text[:at] + str(sign) + text[at:]

    yield from _turns(site, change)


@kind("turn-program-text")
def program_text(site: Site) -> Iterator[Plant]:
    """A piece of JSON, of a log or of a prompt stands in a turn."""
    pieces = (
        '{"speaker": "user", "text": "',
        '"role": "assistant", "content":',
        "Traceback (most recent call last):",
        "<|im_end|>",
        "[/INST]",
        "### Instruction: write the next turn in the style of the persona",
        '"image_id": ["D3:IMG_002"],',
        "\\n\\nHuman:",
        "<|endoftext|>",
        "Output only valid JSON.",
        "TO-DO: mention the price here",
        "(fact F0123, mention required)",
    )

    def change(site: Site, spot: Spot) -> str:
        words = _words(spot.turn["text"])
        words.insert(site.random.randrange(1, len(words)), str(site.random.choice(pieces)))
        return " ".join(words)

    yield from _turns(site, change)


@kind("turn-voices-exchanged", why="who asks and who answers can be read from what is written")
def voices_exchanged(site: Site) -> Iterator[Plant]:
    """What the assistant says stands under the user, and the other way about."""
    for spot in site.spots(said_by="human", least=40):
        turns = spot.round["turns"]
        if len(turns) == 2 and turns[0]["speaker"] != turns[1]["speaker"]:
            turns[0]["text"], turns[1]["text"] = turns[1]["text"], turns[0]["text"]
            yield site.turn_plant(spot, f"the two turns of {spot.round['id']} are exchanged")


@kind("turn-word-salad")
def word_salad(site: Site) -> Iterator[Plant]:
    """The words of a turn stand in no order."""

    def change(site: Site, spot: Spot) -> str:
        words = _words(spot.turn["text"])
        site.random.shuffle(words)
        return " ".join(words)

    yield from _turns(site, change, least=120)


@kind("question-raw-slot-or-markup")
def question_slot(site: Site) -> Iterator[Plant]:
    """The question holds a slot, a tag or the label of a template."""
    forms = (
        "Question: {t}",
        "<p>{t}</p>",
        "{t} {{answer}}",
        "**{t}**",
        "Q: {t} A:",
        "{t} [ANSWER]",
        "{t}\n\nAnswer:",
        "1. {t}",
        "{t} <|end|>",
    )
    for item in site.items():
        text = item["question"]["text"]
        if site.random.random() < 0.4:
            words = text.split(" ")
            words[site.random.randrange(1, len(words))] = site.one(
                "{subject}", "<NAME>", "[date]", "%s", "{{x}}"
            )
            new = " ".join(words)
        else:
            new = site.random.choice(forms).replace("{t}", text)
        with_text(item, new)
        yield site.item_plant(item, f"now: {new[:200]}")


@kind("question-cut-off")
def question_cut(site: Site) -> Iterator[Plant]:
    """The question ends before it has asked."""
    for item in site.items(formats=("free", "number", "date", "image_id", "refusal")):
        words = item["question"]["text"].split(" ")
        if len(words) > 7:
            new = " ".join(words[: site.random.randint(3, len(words) // 2)])
            with_text(item, new)
            yield site.item_plant(item, f"now: {new}")


@kind("question-of-other-language")
def question_language(site: Site) -> Iterator[Plant]:
    """The question is in another language than all others."""
    heads = (
        "Bitte beantworte auf Deutsch und so kurz wie möglich:",
        "Répondez en une phrase, s'il vous plaît :",
        "Responde brevemente a la siguiente pregunta:",
        "请简短回答以下问题：",
        "Ответьте кратко на вопрос:",
    )
    for item in site.items():
        new = f"{site.random.choice(heads)} {item['question']['text']}"
        with_text(item, new)
        yield site.item_plant(item, f"now: {new[:200]}")


@kind("gold-with-label-or-markup")
def gold_label(site: Site) -> Iterator[Plant]:
    """The gold holds a label, a tag or a remark of whoever wrote it."""
    forms = (
        "Answer: {t}",
        "**{t}**",
        "{t} (see D3:4)",
        "Gold: {t}",
        "<answer>{t}</answer>",
        "{t} [verified]",
        "The correct answer is {t}",
        "{t} — confidence: high",
        "{t}\n\nExplanation: see above",
    )
    for item in site.items(formats=("free",)):
        gold = item["answer"]["values"][0]
        new = site.random.choice(forms).format(t=gold)
        item["answer"] = {**item["answer"], "values": [new, *item["answer"]["values"][1:]]}
        yield site.item_plant(item, f"gold {gold!r} is now {new!r}")
