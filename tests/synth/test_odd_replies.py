"""Any bytes as a reply are one typed failure, or a response: nothing else ever comes of them."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel
from support.odd_replies import good, odd_body

from memassay.schemas.contracts.calls import ModelReply, ReplyStatus
from memassay.synth.models.gemini_client import read_answer
from memassay.synth.models.openai_client import read_completion, read_response
from memassay.synth.models.reply_reading import UnusableError, read_reply

READERS: dict[str, Callable[[str, int], ModelReply]] = {
    "openai-chat": read_completion,
    "openai-responses": read_response,
    "gemini": read_answer,
}


class Summary(BaseModel):
    """A reply."""

    summary: str


class Anything(BaseModel):
    """A reply of many types."""

    summary: Any
    score: float = 0.0
    parts: list[dict[str, Any]] = []


@pytest.mark.parametrize("kind", READERS)
def test_a_good_answer_is_read(kind: str) -> None:
    """Words and counts of an answer as it should be."""
    reply = READERS[kind](json.dumps(good(kind, '{"summary": "yes"}')), 2)
    assert read_reply(reply, Summary).response.summary == "yes"
    assert (reply.usage.input, reply.usage.cached, reply.usage.images) == (9, 1, 2)
    assert reply.usage.output == (5 if kind == "gemini" else 3)


@pytest.mark.slow(seconds=0.3)
@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("response", [Summary, Anything])
def test_odd_answers_are_typed_failures_or_responses(kind: str, response: type[BaseModel]) -> None:
    """Of 340 odd answers each, every one can be stored, read, and written as JSON."""
    random = Random(f"odd {kind} {response.__name__}")
    ends = set()
    for _ in range(340):
        body = odd_body(kind, random).decode("utf-8", "replace")
        reply = READERS[kind](body, 1)
        assert 0 <= reply.usage.cached <= reply.usage.input <= 10**8
        reply.model_dump_json().encode("utf-8")
        try:
            read = read_reply(reply, response)
        except UnusableError as error:
            ends.add(error.reason)
        else:
            ends.add("read")
            json.dumps(read.response.model_dump(mode="json"), allow_nan=False)
    assert {"read", "malformed"} <= ends


@pytest.mark.parametrize("count", [-1, 10**30, "9", [], {}, True, 1.5, float("inf")])
def test_a_count_that_cannot_be_true_is_none(count: Any) -> None:
    """A usage with one such number counts nothing; the words are used all the same."""
    answer = good("openai-chat", '{"summary": "yes"}')
    answer["usage"]["completion_tokens"] = count
    reply = read_completion(json.dumps(answer), 0)
    assert (reply.usage.input, reply.usage.output) == (0, 0)
    assert read_reply(reply, Summary).response.summary == "yes"


def test_content_in_parts_is_joined() -> None:
    """Servers that send the content as a list of parts are understood."""
    answer = good("openai-chat", "")
    parts = [{"type": "text", "text": '{"summary": '}, {"type": "text", "text": '"yes"}'}]
    answer["choices"][0]["message"]["content"] = parts
    reply = read_completion(json.dumps(answer), 0)
    assert read_reply(reply, Summary).response.summary == "yes"


@pytest.mark.parametrize("content", [5, {"text": "x"}, True])
def test_content_of_another_type_is_malformed(content: Any) -> None:
    """It is no empty reply: the endpoint does not keep to its protocol."""
    answer = good("openai-chat", "")
    answer["choices"][0]["message"]["content"] = content
    assert read_completion(json.dumps(answer), 0).status is ReplyStatus.MALFORMED


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ('{"summary": "a sentence."}', False),
        ('```json\n{"summary": "a sentence."}\n```', False),
        ('Here it is: {"summary": "a sentence."} Good luck!', False),
        ('{"summary": "half a sen', True),
        ('{"summary": "half"} {"summary": "half and the other ha', True),
        ('{"summary": "a sentence."} and {"more', True),
        ('{"summary": "a sentence.",}', True),
    ],
)
def test_a_reply_that_had_to_be_mended_is_marked(text: str, repaired: bool) -> None:
    """Other words around a whole object are no harm; an object that was closed for it is."""
    reply = read_completion(json.dumps(good("openai-chat", text)), 0)
    assert read_reply(reply, Summary).repaired is repaired


REPLY = '{"summary": "a sentence."}'
AROUND = [
    f"<think>\nLet me see.\n</think>\n\n{REPLY}",
    f"<think>\nThe reply is of the form {{json}}.\n</think>\n{REPLY}",
    f'<think>\nFirst idea: {{"summary": "wrong"}}\nNo.\n</think>\n{REPLY}',
    f'<think>\nIt begins with {{"summary": and so on\n</think>\n{REPLY}',
    f'Of the form {{json}}? {{"summary": "wrong"}} is not so.</think>\n{REPLY}',
    f"[THINK]Form: {{json}}[/THINK]{REPLY}",
    f'The form is {{"summary": "a" | "b"}}. So:\n```json\n{REPLY}\n```\nSay {{more}} if you like.',
    f'First {{"summary": "wrong"}}, no: {REPLY} I am {{"sure": 1}}.',
    '<think>a</think>{"summary": "a sentence."}',
]


@pytest.mark.parametrize("text", AROUND)
def test_the_last_reply_among_other_words_counts(text: str) -> None:
    """Thinking, forms, drafts and asides with braces of their own cost no second call."""
    reply = read_completion(json.dumps(good("openai-chat", text)), 0)
    read = read_reply(reply, Summary)
    assert (read.response.summary, read.repaired) == ("a sentence.", False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"<think>A draft: {REPLY}</think>\n", "empty"),
        (f"<think>A draft: {REPLY} and so on", "empty"),
        (f'<think>A draft: {REPLY}</think>{{"summary": 5}}', "malformed"),
        (f'A draft: {REPLY}. No: {{"summary": 5}}', "malformed"),
    ],
)
def test_a_draft_is_never_the_reply(text: str, reason: str) -> None:
    """Where the last reply is missing or wrong, what was thought before does not replace it."""
    reply = read_completion(json.dumps(good("openai-chat", text)), 0)
    with pytest.raises(UnusableError) as caught:
        read_reply(reply, Summary)
    assert caught.value.reason == reason


def test_a_tag_of_thinking_inside_a_reply_is_text() -> None:
    """Only what is before the reply is thinking."""
    text = '{"summary": "he wrote </think> here"}'
    reply = read_completion(json.dumps(good("openai-chat", text)), 0)
    assert read_reply(reply, Summary).response.summary == "he wrote </think> here"


@pytest.mark.parametrize("content", [None, "", "<think>I am still at it"])
def test_a_reply_cut_off_before_its_first_word_says_so(content: str | None) -> None:
    """It names what gives a reply more room."""
    answer = good("openai-chat", "")
    answer["choices"][0] |= {"message": {"content": content}, "finish_reason": "length"}
    with pytest.raises(UnusableError, match=r"before its first word: raise `max_output_tokens`"):
        read_reply(read_completion(json.dumps(answer), 0), Summary)
