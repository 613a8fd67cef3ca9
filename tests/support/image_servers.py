"""A local server that speaks the protocols of Openverse and Wikimedia Commons, by script."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from support import own_material

CREATOR = "Mary Example"


@dataclass
class Shot:
    """One image that the server has.

    Attributes:
        name: Name of its file; with the server's address it makes the URL.
        title: What it is called; None leaves the field out.
        licence: Openverse's `license` and `license_version`, or Commons' short name; None
            leaves the fields out.
        data: Its bytes; None answers 404.
        url: Where it says to be, if not here.
        left_out: Fields that its record does not have.
    """

    name: str
    title: str | None = None
    licence: str | None = "by 4.0"
    data: bytes | None = None
    url: str | None = None
    left_out: tuple[str, ...] = ()


@dataclass
class ImageServer:
    """Answers searches by keyword and gives bytes; `log` holds what was asked, in order.

    Attributes:
        shots: What is found, by keyword in lower case.
        faults: Answers that come before the usual ones: status, headers and body.
        hang: Seconds before each answer.
    """

    shots: dict[str, list[Shot]] = field(default_factory=dict)
    faults: deque[tuple[int, dict[str, str], bytes]] = field(default_factory=deque)
    hang: float = 0.0
    log: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    app: web.Application = field(default_factory=web.Application)

    def __post_init__(self) -> None:
        """Add the routes."""
        self.app.router.add_get("/v1/images/", self._openverse)
        self.app.router.add_get("/w/api.php", self._commons)
        self.app.router.add_get("/files/{name}", self._file)
        self.app.router.add_get("/moved/{name}", self._moved)

    async def _fault(self, request: web.Request) -> web.Response | None:
        self.log.append(str(request.rel_url))
        self.agents.add(request.headers.get("User-Agent", ""))
        await asyncio.sleep(self.hang)
        if not self.faults:
            return None
        status, headers, body = self.faults.popleft()
        return web.Response(status=status, headers=headers, body=body)

    async def _openverse(self, request: web.Request) -> web.Response:
        fault = await self._fault(request)
        if fault is not None:
            return fault
        size = int(request.query["page_size"])
        shots = self.shots.get(request.query["q"].lower(), [])[:size]
        results = [self._result(shot, request) for shot in shots]
        about = {"result_count": len(results), "page_count": 1, "page_size": size, "page": 1}
        return web.json_response({**about, "results": results})

    def _result(self, shot: Shot, request: web.Request) -> dict[str, Any]:
        code, _, version = (shot.licence or "").partition(" ")
        result = {
            "id": f"id-{shot.name}",
            "title": shot.title,
            "url": shot.url or f"{request.url.origin()}/files/{shot.name}",
            "foreign_landing_url": f"https://photos.example/{shot.name}",
            "creator": CREATOR,
            "license": code,
            "license_version": version or None,
            "width": 96,
            "height": 64,
        }
        return {key: value for key, value in result.items() if key not in shot.left_out}

    async def _commons(self, request: web.Request) -> web.Response:
        fault = await self._fault(request)
        if fault is not None:
            return fault
        if not {"generator", "gsrsearch", "iiprop"} <= set(request.query):
            return web.json_response({"error": {"code": "badvalue", "info": "no generator"}})
        keyword = request.query["gsrsearch"].removeprefix("filetype:bitmap ").lower()
        pages = [
            self._page(number, shot, request)
            for number, shot in enumerate(self.shots.get(keyword, []), start=1)
        ]
        # Nothing found means no `query`; the order of pages is not that of the results.
        found = {"query": {"pages": pages[::-1]}} if pages else {}
        return web.json_response({"batchcomplete": True, **found})

    def _page(self, number: int, shot: Shot, request: web.Request) -> dict[str, Any]:
        url = shot.url or f"{request.url.origin()}/files/{shot.name}"
        told = {
            "LicenseShortName": {"value": shot.licence, "source": "commons-desc-page"},
            "UsageTerms": {"value": "See the page", "source": "commons-desc-page"},
            "Artist": {"value": f'<a href="//x.example">{CREATOR}</a> &amp; others'},
        }
        info = {
            "size": 1000,
            "width": 4000,
            "height": 3000,
            "thumburl": url,
            "thumbwidth": 96,
            "thumbheight": 64,
            "url": f"{url}?original",
            "descriptionurl": f"https://commons.example/wiki/File:{shot.name}",
            "mime": "image/jpeg",
            "extmetadata": {key: one for key, one in told.items() if key not in shot.left_out},
        }
        kept = {key: value for key, value in info.items() if key not in shot.left_out}
        title = f"File:{shot.title or shot.name}.jpg"
        page = {"pageid": 100 + number, "ns": 6, "title": title, "index": number}
        return {**page, "imageinfo": [kept]}

    async def _file(self, request: web.Request) -> web.Response:
        fault = await self._fault(request)
        if fault is not None:
            return fault
        name = request.match_info["name"]
        shot = next(one for group in self.shots.values() for one in group if one.name == name)
        return web.Response(status=404) if shot.data is None else web.Response(body=shot.data)

    async def _moved(self, request: web.Request) -> web.Response:
        self.log.append(str(request.rel_url))
        name = request.match_info["name"]
        target = f"/moved/{name}" if name == "loop" else f"/files/{name}"
        return web.Response(status=302, headers={"Location": target})


def shot(number: int, title: str | None = None, licence: str | None = "by 4.0") -> Shot:
    """A good image, another for every number."""
    return Shot(f"shot{number}.jpg", title, licence, own_material.photograph(number))
