"""Batches at the model servers: OpenAI's files and batches, Gemini's inlined requests."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer

Line = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


@dataclass
class OpenAIBatchServer:
    """Adds files and batches to a server.

    Attributes:
        server: Answers the lines.
        polls: Looks at a batch before it has ended.
        skipped: Lines at the end of each batch that it never answers, as when it expires; for
            the first so many batches.
    """

    server: OpenAIServer
    polls: int = 1
    skipped: tuple[int, int] = (0, 0)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Add the routes."""
        router = self.server.app.router
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{file}/content", self._content)
        router.add_post("/v1/batches", self._create)
        router.add_get("/v1/batches", self._list)
        router.add_get("/v1/batches/{batch}", self._get)

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        part: Any = form["file"]
        name = f"file-{len(self.files) + 1}"
        self.files[name] = part.file.read()
        size = len(self.files[name])
        about = {"id": name, "object": "file", "bytes": size, "created_at": 1, "purpose": "batch"}
        return web.json_response({**about, "filename": part.filename, "status": "processed"})

    async def _content(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["file"]])

    async def _create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        name = f"batch_{len(self.batches) + 1}"
        batch = {
            "id": name,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "created_at": 1,
            "status": "validating",
            "metadata": asked.get("metadata"),
            "looked": 0,
        }
        self.batches[name] = batch
        return web.json_response(batch)

    async def _list(self, _request: web.Request) -> web.Response:
        found = list(self.batches.values())
        ends = {"first_id": None, "last_id": None, "has_more": False}
        return web.json_response({"object": "list", "data": found, **ends})

    async def _get(self, request: web.Request) -> web.Response:
        batch = self.batches[request.match_info["batch"]]
        batch["looked"] += 1
        if batch["looked"] > self.polls and batch["status"] != "completed":
            self._end(batch)
        return web.json_response(batch)

    def _end(self, batch: dict[str, Any]) -> None:
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        if int(batch["id"].removeprefix("batch_")) <= self.skipped[1]:
            lines = lines[: len(lines) - self.skipped[0]]
        answered = []
        for line in lines:
            status, body = self.server.line(line["body"])
            answer = {"status_code": status, "request_id": "r", "body": body}
            answered.append({"id": "l", "custom_id": line["custom_id"], "response": answer})
        name = f"file-{len(self.files) + 1}"
        self.files[name] = "\n".join(json.dumps(line) for line in answered).encode("utf-8")
        batch |= {"status": "completed", "output_file_id": name}


@dataclass
class GeminiBatchServer:
    """Adds batches to a server; its attributes are those of `OpenAIBatchServer`."""

    server: GeminiServer
    polls: int = 1
    skipped: tuple[int, int] = (0, 0)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Add the routes."""
        self.server.batch = self._create
        router = self.server.app.router
        router.add_get("/{version}/batches", self._list)
        router.add_get("/{version}/batches/{batch}", self._get)

    async def _create(self, request: web.Request) -> web.Response:
        asked = (await request.json())["batch"]
        name = f"batches/{len(self.batches) + 1}"
        model = request.match_info["call"].partition(":")[0]
        about = {"displayName": asked["displayName"], "state": "BATCH_STATE_PENDING"}
        batch = {"name": name, "metadata": {**about, "model": model, "name": name}}
        lines = asked["inputConfig"]["requests"]["requests"]
        self.batches[name] = {"shown": batch, "lines": lines, "looked": 0, "model": model}
        return web.json_response(batch)

    async def _list(self, _request: web.Request) -> web.Response:
        return web.json_response({"operations": [one["shown"] for one in self.batches.values()]})

    async def _get(self, request: web.Request) -> web.Response:
        batch = self.batches[f"batches/{request.match_info['batch']}"]
        batch["looked"] += 1
        if batch["looked"] > self.polls and "done" not in batch["shown"]:
            self._end(batch)
        return web.json_response(batch["shown"])

    def _end(self, batch: dict[str, Any]) -> None:
        lines = batch["lines"]
        if int(batch["shown"]["name"].removeprefix("batches/")) <= self.skipped[1]:
            lines = lines[: len(lines) - self.skipped[0]]
        answers = []
        for line in lines:
            status, body = self.server.line(line["request"], batch["model"])
            answer = {"response": body} if status == 200 else {"error": {"code": 13, **body}}
            answers.append({"metadata": line["metadata"], **answer})
        shown = batch["shown"]
        shown["metadata"]["state"] = "BATCH_STATE_SUCCEEDED"
        shown["metadata"]["output"] = {"inlinedResponses": {"inlinedResponses": answers}}
        shown["done"] = True
