"""A server that speaks Gemini's protocol: generateContent."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from support.model_servers.asked import Answer, Asked, as_text, by_schema, cut_off
from support.model_servers.faults import Fault, Faults, drip

_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
}

TOKENS_AN_IMAGE = 258
"""What Gemini counts for an image that is one tile."""


class GeminiServer:
    """Answers generateContent; `log` holds the request bodies in order."""

    def __init__(self, faults: Faults | None = None, answer: Answer = by_schema) -> None:
        """Take the script and who answers."""
        self.faults = faults or Faults()
        self.answer = answer
        self.log: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.valid_keys: set[str] | None = None
        self.models: set[str] | None = None
        self.bills_most = False
        self.echo: Callable[[str], Any] | None = None
        self.batch: Callable[[web.Request], Awaitable[web.Response]] | None = None
        self.app = web.Application(client_max_size=64 * 1024 * 1024)
        self.app.router.add_post("/{version}/models/{call}", self._generate)

    async def _generate(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["call"].endswith(":batchGenerateContent"):
            assert self.batch is not None
            return await self.batch(request)
        body: dict[str, Any] = await request.json()
        self.log.append(body)
        self.keys.append(request.headers.get("x-goog-api-key", ""))
        model = request.match_info["call"].partition(":")[0]
        if self.echo is not None:
            answered: web.Response = self.echo(self.keys[-1])
            return answered
        if self.valid_keys is not None and self.keys[-1] not in self.valid_keys:
            return error(401, "API key not valid")
        if self.models is not None and model not in self.models:
            return error(404, f"models/{model} is not found")
        await asyncio.sleep(self.faults.latency)
        fault = self.faults.meet(json.dumps(body["contents"]))
        if fault == "429":
            return self._throttled()
        if fault == "400":
            return error(400, "Request contains an invalid argument")
        if fault == "500":
            return error(500, "An internal error has occurred")
        if fault == "drop":
            assert request.transport is not None
            request.transport.close()
        document = self._answer(body, model, fault)
        if self.bills_most:
            room = body.get("generationConfig", {}).get("maxOutputTokens", 1_000_000)
            read = len(json.dumps(body, ensure_ascii=False).encode())
            document["usageMetadata"] |= {"promptTokenCount": read, "candidatesTokenCount": room}
        return await drip(request, document) if fault == "drip" else web.json_response(document)

    def line(self, body: dict[str, Any], model: str) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer to one line of a batch."""
        self.log.append(body)
        fault = self.faults.meet(json.dumps(body["contents"]))
        if fault in {"400", "429", "500"}:
            return int(fault), {"message": "failed"}
        return 200, self._answer(body, model, fault)

    def _throttled(self) -> web.Response:
        wait = self.faults.retry_after
        details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait}s"}]
        return error(429, "You exceeded your current quota", details if wait else [])

    def _answer(self, body: dict[str, Any], model: str, fault: Fault) -> dict[str, Any]:
        asked = _read(body, model)
        text = "" if fault == "empty" else as_text(self.answer(asked))
        if fault == "malformed":
            text = f"Sure! {text.replace('{', '(', 1)}"
        elif fault == "schema":
            text = json.dumps({"unexpected": True})
        elif fault == "cut":
            text = cut_off(text)
        finish = {"cut": "MAX_TOKENS", "refusal": "SAFETY"}.get(fault, "STOP")
        candidate: dict[str, Any] = {"index": 0, "finishReason": finish}
        if fault != "refusal":
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
        size = len(asked.system + asked.text) // 4 + TOKENS_AN_IMAGE * asked.images
        written = len(text) // 4
        return {
            "candidates": [candidate],
            "modelVersion": model,
            "usageMetadata": {
                "promptTokenCount": size,
                "candidatesTokenCount": written,
                "totalTokenCount": size + written,
            },
        }


def error(status: int, message: str, details: list[Any] | None = None) -> web.Response:
    """An error in Google's shape."""
    body = {"code": status, "message": message, "status": _STATUS[status]}
    return web.json_response({"error": {**body, "details": details or []}}, status=status)


def _read(body: dict[str, Any], model: str) -> Asked:
    parts = body["contents"][-1]["parts"]
    config = body.get("generationConfig") or {}
    system = "".join(p.get("text", "") for p in (body.get("systemInstruction") or {})["parts"])
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    return Asked(
        model=model,
        system=system,
        text="\n".join(part["text"] for part in parts if "text" in part),
        images=sum("inlineData" in part for part in parts),
        schema_name="",
        schema=schema or {"type": "object", "properties": {}},
    )
