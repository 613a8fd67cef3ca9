"""A Hub on this machine: the part of the Hugging Face Hub's protocol that data sets need.

It creates repositories, takes regular and LFS uploads, commits, tags, lists trees and serves files
with ranges. Every commit is kept whole, and its id follows from its files and its parent. A test
can look at each request before it is answered, hold it up, refuse it, and lose its answer.
"""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN: Final = "hf_" + "test" * 8
LFS_BYTES: Final = 2000
"""Files of this size, and larger ones, are uploaded as LFS objects."""
GITATTRIBUTES: Final = {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"}
"""What the Hub puts into each new repository."""
FIRST: Final = "0" * 40
"""The first commit of each repository."""
_EPOCH: Final = "2026-01-01T00:00:00.000Z"


@dataclass
class Repository:
    """A data set repository: its commits, where branches and tags stand, its settings."""

    private: bool
    gated: object = False
    commits: dict[str, dict[str, bytes]] = field(
        default_factory=lambda: {FIRST: dict(GITATTRIBUTES)}
    )
    branches: dict[str, str] = field(default_factory=lambda: {"main": FIRST})
    tags: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, tag: str) -> "Repository":
        """One that holds the files of a release under a tag, and what the Hub adds."""
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        commit = "1" * 40
        return cls(private=True, tags={tag: commit}, commits={commit: GITATTRIBUTES | files})

    def commit_of(self, revision: str) -> str | None:
        """The commit of a branch, a tag, a pull request or a commit id."""
        known = {**self.branches, **self.tags}
        return known.get(revision) or (revision if revision in self.commits else None)


@dataclass
class Hub:
    """What the server holds; functions are called with each request, as "METHOD path".

    `watch` sees it first, `refuse` gives a status with headers in place of an answer, and where
    `lose` is true, what was asked is done and the connection ends without an answer. Where
    `shorten` is true, the answer has no field.
    """

    url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    watch: Callable[[str], None] = lambda _request: None
    refuse: Callable[[str], tuple[int, dict[str, str]] | None] = lambda _request: None
    lose: Callable[[str], bool] = lambda _request: False
    shorten: Callable[[str], bool] = lambda _request: False
    lock: threading.RLock = field(default_factory=threading.RLock)


@contextmanager
def hub_server() -> Iterator[Hub]:
    """A hub that answers while the block runs."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        hub.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()


class _Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"
    lost = short = False

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def _serve(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        place = urlsplit(self.path)
        path = unquote(place.path).strip("/")
        request = f"{self.command} {path}"
        self.hub.requests.append(request)
        self.hub.watch(request)
        if (refusal := self.hub.refuse(request)) is not None:
            self._send({"error": "try again later"}, *refusal)
            return
        self.close_connection = self.lost = self.hub.lose(request)
        self.short = self.hub.shorten(request)
        try:
            with self.hub.lock:
                self._answer(path.split("/"), parse_qs(place.query), body)
        except _Refused as refused:
            headers = {"X-Error-Code": refused.code, "X-Error-Message": str(refused)}
            self._send({"error": str(refused)}, refused.status, headers)

    do_GET = do_HEAD = do_POST = do_PUT = _serve  # noqa: N815 - as http.server calls them

    def _answer(self, parts: list[str], query: dict[str, list[str]], body: bytes) -> None:
        match parts:
            case ["api", "repos", "create"]:
                self._create(json.loads(body))
            case ["api", "validate-yaml"]:
                self._send({"errors": [], "warnings": []})
            case ["api", "whoami-v2"]:
                self._demand_token()
                self._send({"type": "user", "name": "you", "auth": {"type": "access_token"}})
            case ["lfs", oid]:
                self._put_object(oid, body)
            case ["api", "datasets", owner, name, *rest]:
                self._of_repository(f"{owner}/{name}", rest, query, body)
            case ["datasets", owner, name, "info", "lfs", "objects", "batch"]:
                self._batch(f"{owner}/{name.removesuffix('.git')}", json.loads(body))
            case ["datasets", owner, name, "resolve", revision, *file]:
                self._resolve(f"{owner}/{name}", revision, "/".join(file))
            case _:
                raise _Refused(404, "EntryNotFound", f"no such address: {'/'.join(parts)}")

    def _of_repository(
        self, name: str, rest: list[str], query: dict[str, list[str]], body: bytes
    ) -> None:
        repository = self._repository(name)
        match rest:
            case [] | ["revision", _]:
                self._info(name, repository, rest[1] if rest else "main")
            case ["preupload", _]:
                self._preupload(repository, json.loads(body))
            case ["commit", *revision]:
                lines = [json.loads(line) for line in body.splitlines()]
                self._commit(name, repository, "/".join(revision), lines, bool(query))
            case ["tag", revision]:
                self._tag(repository, revision, json.loads(body)["tag"])
            case ["refs"]:
                self._refs(repository)
            case ["tree", revision, *folder]:
                self._tree(repository, revision, "/".join(folder), query)
            case ["paths-info", revision]:
                self._paths(repository, revision, json.loads(body)["paths"])
            case ["settings"]:
                self._demand_token()
                repository.gated = json.loads(body).get("gated", repository.gated)
                self._send({})
            case _:
                raise _Refused(404, "EntryNotFound", f"no such address of {name}: {rest}")

    def _demand_token(self) -> None:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise _Refused(401, "", "Invalid username or password.")

    def _repository(self, name: str) -> Repository:
        found = self.hub.repositories.get(name)
        if found is None:
            raise _Refused(404, "RepoNotFound", "Repository not found")
        if found.private:
            self._demand_token()
        return found

    def _commit_of(self, repository: Repository, revision: str) -> str:
        commit = repository.commit_of(revision)
        if commit is None:
            raise _Refused(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return commit

    def _create(self, asked: dict[str, Any]) -> None:
        self._demand_token()
        name = f"{asked.get('organization') or 'you'}/{asked['name']}"
        if name in self.hub.repositories:
            self._send({"error": "exists", "url": f"{self.hub.url}/datasets/{name}"}, 409)
            return
        self.hub.repositories[name] = Repository(private=asked.get("visibility") == "private")
        self._send({"url": f"{self.hub.url}/datasets/{name}", "name": name})

    def _info(self, name: str, repository: Repository, revision: str) -> None:
        commit = self._commit_of(repository, revision)
        files = repository.commits[commit]
        self._send(
            {
                "_id": "1",
                "id": name,
                "sha": commit,
                "private": repository.private,
                "gated": repository.gated,
                "disabled": False,
                "downloads": 0,
                "likes": 0,
                "tags": [],
                "lastModified": _EPOCH,
                "createdAt": _EPOCH,
                "siblings": [{"rfilename": path} for path in sorted(files)],
            }
        )

    def _preupload(self, repository: Repository, asked: dict[str, Any]) -> None:
        self._demand_token()
        there = repository.commits[repository.branches["main"]]
        files = [
            {
                "path": file["path"],
                "uploadMode": "lfs" if file["size"] >= LFS_BYTES else "regular",
                "shouldIgnore": False,
                "oid": _oid(there[file["path"]]) if file["path"] in there else None,
            }
            for file in asked["files"]
        ]
        self._send({"files": files})

    def _batch(self, name: str, asked: dict[str, Any]) -> None:
        self._demand_token()
        self._repository(name)
        objects = []
        for one in asked["objects"]:
            answer: dict[str, Any] = {"oid": one["oid"], "size": one["size"]}
            if one["oid"] not in self.hub.objects:
                href = f"{self.hub.url}/lfs/{one['oid']}"
                answer["actions"] = {"upload": {"href": href, "header": {}}}
            objects.append(answer)
        self._send({"transfer": "basic", "objects": objects})

    def _put_object(self, oid: str, body: bytes) -> None:
        if sha256(body).hexdigest() != oid:
            raise _Refused(400, "", "The object does not have this hash")
        self.hub.objects[oid] = body
        self._send({})

    def _commit(
        self,
        name: str,
        repository: Repository,
        revision: str,
        lines: list[dict[str, Any]],
        create_pr: bool,
    ) -> None:
        self._demand_token()
        parent = self._commit_of(repository, revision)
        files = dict(repository.commits[parent])
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.hub.objects[value["oid"]]
            elif line["key"] == "deletedFile":
                del files[value["path"]]
        state = [[path, sha256(data).hexdigest()] for path, data in sorted(files.items())]
        commit = sha1(json.dumps([parent, state]).encode(), usedforsecurity=False).hexdigest()
        repository.commits[commit] = files
        branch = f"refs/pr/{len(repository.branches)}" if create_pr else revision
        repository.branches[branch] = commit
        where = f"{self.hub.url}/datasets/{name}"
        answer = {"commitUrl": f"{where}/commit/{commit}", "commitOid": commit}
        pull = {"pullRequestUrl": f"{where}/discussions/{branch.rpartition('/')[2]}"}
        self._send(answer | (pull if create_pr else {}))

    def _tag(self, repository: Repository, revision: str, tag: str) -> None:
        self._demand_token()
        if tag in repository.tags:
            raise _Refused(409, "", f"Tag {tag} exists already")
        repository.tags[tag] = self._commit_of(repository, revision)
        self._send({})

    def _refs(self, repository: Repository) -> None:
        def listed(names: dict[str, str], kind: str) -> list[dict[str, str]]:
            return [
                {"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": commit}
                for name, commit in names.items()
                if not name.startswith("refs/")
            ]

        branches, tags = listed(repository.branches, "heads"), listed(repository.tags, "tags")
        pulls = [
            {"name": name.rpartition("/")[2], "ref": name, "targetCommit": commit}
            for name, commit in repository.branches.items()
            if name.startswith("refs/pr/")
        ]
        answer = {"branches": branches, "tags": tags, "converts": [], "pullRequests": pulls}
        self._send(answer)

    def _tree(
        self, repository: Repository, revision: str, folder: str, query: dict[str, list[str]]
    ) -> None:
        files = repository.commits[self._commit_of(repository, revision)]
        prefix = f"{folder}/" if folder else ""
        below = [path for path in sorted(files) if path.startswith(prefix)]
        folders = {
            path[: len(prefix) + end]
            for path in below
            for end, letter in enumerate(path[len(prefix) :])
            if letter == "/"
        }
        if query.get("recursive", ["false"])[0].lower() not in ("true", "1"):
            below = [path for path in below if "/" not in path[len(prefix) :]]
            folders = {path for path in folders if "/" not in path[len(prefix) :]}
        if folder and not below and not folders:
            raise _Refused(404, "EntryNotFound", f"{folder} does not exist")
        entries = [_directory(path) for path in sorted(folders)]
        self._send([*entries, *(_file(path, files[path]) for path in below)])

    def _paths(self, repository: Repository, revision: str, paths: list[str]) -> None:
        files = repository.commits[self._commit_of(repository, revision)]
        found = [_file(path, files[path]) for path in paths if path in files]
        inside = [path for path in paths if any(one.startswith(f"{path}/") for one in files)]
        self._send([*found, *(_directory(path) for path in inside)])

    def _resolve(self, name: str, revision: str, path: str) -> None:
        repository = self._repository(name)
        commit = self._commit_of(repository, revision)
        data = repository.commits[commit].get(path)
        if data is None:
            raise _Refused(404, "EntryNotFound", f"{path} does not exist")
        headers = {
            "ETag": f'"{_oid(data)}"',
            "X-Repo-Commit": commit,
            "Accept-Ranges": "bytes",
            "Content-Disposition": f'inline; filename="{path.rpartition("/")[2]}"',
        }
        begin, _, end = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if not begin and not end:
            self._write(data, 200, "application/octet-stream", headers)
            return
        first = int(begin) if begin else max(0, len(data) - int(end))
        last = min(int(end), len(data) - 1) if begin and end else len(data) - 1
        headers["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
        self._write(data[first : last + 1], 206, "application/octet-stream", headers)

    def _send(
        self, document: object, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        document = {} if self.short else document
        self._write(json.dumps(document).encode(), status, "application/json", headers or {})

    def _write(self, data: bytes, status: int, kind: str, headers: dict[str, str]) -> None:
        if self.lost:
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _oid(data: bytes) -> str:
    """The id of a file's content: as git has it, or that of the LFS object."""
    if len(data) >= LFS_BYTES:
        return sha256(data).hexdigest()
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _file(path: str, data: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(data), "oid": _oid(data)}
    if len(data) >= LFS_BYTES:
        entry["lfs"] = {"oid": _oid(data), "size": len(data), "pointerSize": 130}
    return entry


def _directory(path: str) -> dict[str, Any]:
    return {"type": "directory", "path": path, "size": 0, "oid": "0" * 40}
