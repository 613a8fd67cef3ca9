"""Servers of one's own: each takes the shape of a reply in some forms, and refuses the others."""

from collections.abc import Collection
from typing import Any

from aiohttp import web

from support.model_servers.asked import Answer, Asked
from support.model_servers.openai_server import OpenAIServer, error

LLAMA = "[{'loc': ('body',), 'msg': \"Input should be 'text' or 'json_object'\"}]"
"""What llama-cpp-python says of `json_schema`, with status 500."""


def form_of(body: dict[str, Any]) -> str:
    """The form that a request has."""
    if "tools" in body:
        return "tools"
    return str((body.get("response_format") or {}).get("type", "prompt"))


class OwnServer(OpenAIServer):
    """Takes some forms, and passes over the schema in others."""

    def __init__(
        self,
        takes: Collection[str],
        answer: Answer,
        *,
        ignores: Collection[str] = (),
        status: int = 500,
        words: str = LLAMA,
    ) -> None:
        """Take the forms, and how the others are refused."""
        self.takes = {*takes, *ignores, "prompt"}
        self.ignores = set(ignores)
        self.status = status
        self.words = words
        super().__init__(answer=self._follow)
        self._told = answer

    @property
    def forms(self) -> list[str]:
        """The form of each request, in order."""
        return [form_of(body) for body in self.log]

    async def _taken(self, request: web.Request) -> tuple[dict[str, Any], web.Response | None]:
        body, refused = await super()._taken(request)
        if refused is None and form_of(body) not in self.takes:
            return body, error(self.status, self.words)
        return body, refused

    def _follow(self, asked: Asked) -> Any:
        """A greeting to who asks for nothing else: a model that sees no schema knows none."""
        if form_of(self.log[-1]) in self.ignores:
            return "Hello there!"
        return self._told(asked)
