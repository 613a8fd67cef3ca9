"""A server that speaks OpenAI's protocol: chat completions and responses."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import web

from support.model_servers.asked import Answer, Asked, as_text, by_schema, cut_off
from support.model_servers.faults import Fault, Faults, drip

TOKENS_AN_IMAGE = 425
"""What OpenAI counts for an image of 640 x 480: 85, and 170 for each of its two tiles."""


class OpenAIServer:
    """Answers chat completions and responses; `log` holds the request bodies in order."""

    def __init__(self, faults: Faults | None = None, answer: Answer = by_schema) -> None:
        """Take the script and who answers."""
        self.faults = faults or Faults()
        self.answer = answer
        self.log: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.valid_keys: set[str] | None = None
        self.models: set[str] | None = None
        self.bills_most = False
        self.usage: dict[str, Any] = {}
        self.echo: Callable[[str], Any] | None = None
        self.app = web.Application(client_max_size=64 * 1024 * 1024)
        self.app.router.add_post("/v1/chat/completions", self._chat)
        self.app.router.add_post("/v1/responses", self._respond)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body, refused = await self._taken(request)
        if refused is not None:
            return refused
        fault = self.faults.meet(json.dumps(body["messages"]))
        document = _completion(body, self.answer, fault)
        if self.bills_most:
            document["usage"] |= _most(body, "prompt_tokens", "completion_tokens")
        document["usage"] |= self.usage
        return await _finish(request, fault, self.faults, document)

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        body, refused = await self._taken(request)
        if refused is not None:
            return refused
        fault = self.faults.meet(json.dumps(body["input"]))
        document = _response(body, self.answer, fault)
        if self.bills_most:
            document["usage"] |= _most(body, "input_tokens", "output_tokens")
        return await _finish(request, fault, self.faults, document)

    def line(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer to one line of a batch."""
        self.log.append(body)
        fault = self.faults.meet(json.dumps(body.get("messages", body.get("input"))))
        if fault in {"400", "429", "500"}:
            return int(fault), {"error": {"message": "failed", "type": "error"}}
        make = _completion if "messages" in body else _response
        return 200, make(body, self.answer, fault)

    async def _taken(self, request: web.Request) -> tuple[dict[str, Any], web.Response | None]:
        body: dict[str, Any] = await request.json()
        self.log.append(body)
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.keys.append(key)
        if self.echo is not None:
            return body, self.echo(request.headers["Authorization"])
        if self.valid_keys is not None and key not in self.valid_keys:
            return body, error(401, "Incorrect API key provided")
        if self.models is not None and body["model"] not in self.models:
            return body, error(404, f"The model `{body['model']}` does not exist")
        await asyncio.sleep(self.faults.latency)
        return body, None


def _most(body: dict[str, Any], read: str, written: str) -> dict[str, int]:
    """The most that a request can be billed: a token a byte, 4,096 an image, all of its room."""
    words = [text for text in _texts(body) if not text.startswith("data:")]
    images = len(_texts(body)) - len(words)
    room = body.get("max_completion_tokens") or body.get("max_output_tokens") or 1_000_000
    return {read: sum(len(text.encode()) for text in words) + 4096 * images, written: int(room)}


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, part in value.items() for text in [key, *_texts(part)]]
    return [text for part in value for text in _texts(part)] if isinstance(value, list) else []


def error(status: int, message: str, headers: dict[str, str] | None = None) -> web.Response:
    """An error in OpenAI's shape."""
    document = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return web.json_response(document, status=status, headers=headers)


async def _finish(
    request: web.Request, fault: Fault, faults: Faults, document: dict[str, Any]
) -> web.StreamResponse:
    if fault == "429":
        wait = faults.retry_after
        headers = {} if wait is None else {"Retry-After": str(wait)}
        return error(429, "Rate limit reached", headers)
    if fault == "400":
        return error(400, "Invalid request")
    if fault == "500":
        return error(500, "The server had an error")
    if fault == "drop":
        assert request.transport is not None
        request.transport.close()
    if fault == "drip":
        return await drip(request, document)
    return web.json_response(document)


def _written(asked: Asked, answer: Answer, fault: Fault) -> str:
    text = as_text(answer(asked))
    if fault == "malformed":
        return f"Sure! {text.replace('{', '(', 1)}"
    if fault == "schema":
        return json.dumps({"unexpected": True})
    if fault == "empty":
        return ""
    return cut_off(text) if fault == "cut" else text


def _completion(body: dict[str, Any], answer: Answer, fault: Fault) -> dict[str, Any]:
    asked = _read_chat(body)
    refused = fault == "refusal"
    message = {
        "role": "assistant",
        "content": None if refused else _written(asked, answer, fault),
        "refusal": "I cannot help with that." if refused else None,
    }
    size = len(asked.system + asked.text) // 4 + TOKENS_AN_IMAGE * asked.images
    written = len(message["content"] or "") // 4
    if "tools" in body and not refused:
        called = {"name": asked.schema_name, "arguments": message["content"]}
        calls = [{"id": "call_1", "type": "function", "function": called}]
        message |= {"content": None, "tool_calls": calls}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": "length" if fault == "cut" else "stop",
                "message": message,
                "logprobs": None,
            }
        ],
        "usage": {
            "prompt_tokens": size,
            "completion_tokens": written,
            "total_tokens": size + written,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def _read_chat(body: dict[str, Any]) -> Asked:
    system = " ".join(m["content"] for m in body["messages"] if m["role"] == "system")
    content = next(m["content"] for m in reversed(body["messages"]) if m["role"] == "user")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    form = body.get("response_format") or {}
    tools = [tool["function"] for tool in body.get("tools", [])]
    shape = form.get("json_schema") or {}
    if tools:
        shape = {"name": tools[0]["name"], "schema": tools[0]["parameters"]}
    return Asked(
        model=body["model"],
        system=system,
        text="\n".join(part["text"] for part in parts if part["type"] == "text"),
        images=sum(part["type"] == "image_url" for part in parts),
        schema_name=shape.get("name", ""),
        schema=shape.get("schema") or _schema_in(system),
    )


def _schema_in(system: str) -> dict[str, Any]:
    """In JSON mode the instructions quote the schema last."""
    quoted = Asked("", "", system, 0, "", {}).data()
    return json.loads(quoted[-1]) if quoted else {"type": "object", "properties": {}}


def _response(body: dict[str, Any], answer: Answer, fault: Fault) -> dict[str, Any]:
    parts = body["input"][-1]["content"]
    form = (body.get("text") or {}).get("format") or {}
    system = body.get("instructions") or ""
    asked = Asked(
        model=body["model"],
        system=system,
        text="\n".join(part["text"] for part in parts if part["type"] == "input_text"),
        images=sum(part["type"] == "input_image" for part in parts),
        schema_name=form.get("name", ""),
        schema=form.get("schema") or _schema_in(system),
    )
    text = _written(asked, answer, fault)
    content: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    if fault == "refusal":
        content = {"type": "refusal", "refusal": "I cannot help with that."}
    size = len(asked.system + asked.text) // 4 + TOKENS_AN_IMAGE * asked.images
    written = len(text) // 4
    cut = fault == "cut"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body["model"],
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "status": "completed",
                "role": "assistant",
                "content": [content],
            }
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": size,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": size + written,
        },
    }
