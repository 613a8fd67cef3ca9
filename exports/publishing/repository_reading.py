"""What is read from a data set repository of the Hugging Face Hub, and how every call is made.

Login, address and proxies are those of the Hub's own tools: `hf auth login` or `HF_TOKEN`, and
`HF_ENDPOINT`. The token goes to the Hub alone; nothing here keeps or prints it.
"""

import glob
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from memassay.exports.publishing.repository_files import FileChanges, file_changes, foreign_files
from memassay.exports.publishing.waiting import ask_patiently, passing_reason, patient_calls
from memassay.exports.release.layout import MANIFEST, manifest_document
from memassay.schemas.errors import PublishError, UsageError

_T = TypeVar("_T")
BRANCH: Final = "main"
KIND: Final = "dataset"
_LOGIN: Final = "log in with `hf auth login`, with a token that may write"
_LOGIN_TO_READ: Final = "log in with `hf auth login`"
_AGAIN: Final = "run the same command again; what was uploaded is kept"
_UNKNOWN_CALL: Final = (404, 405, 501)
_REFUSED: Final = {401: _LOGIN, 403: _LOGIN}


class ReadRepository:
    """One data set repository; what goes wrong there is a `PublishError`."""

    def __init__(self, name: str) -> None:
        """Name a repository, `OWNER/NAME`; nothing is asked yet."""
        from huggingface_hub import HfApi

        self.name = name
        self._api: Any = HfApi(library_name="memassay")

    def demand_name(self) -> None:
        """Refuse a name that no repository of the Hub can have; nothing is asked.

        Raises:
            UsageError: It is not `OWNER/NAME`, or the Hub allows no such name.
        """
        from huggingface_hub.errors import HFValidationError
        from huggingface_hub.utils._validators import validate_repo_id

        try:
            validate_repo_id(self.name)
        except HFValidationError as error:
            raise UsageError(f"{self.name}: expected OWNER/NAME, got {error}") from error
        if "/" not in self.name:
            raise UsageError(f"{self.name}: expected OWNER/NAME, got no owner")

    def versions(self) -> dict[str, str]:
        """Commits by tag; none if there is no such repository, or we may not see it.

        Raises:
            PublishError: The Hub does not answer.
        """
        refs = self._ask_if_there(
            lambda: self._ask(lambda: self._api.list_repo_refs(self.name, repo_type=KIND))
        )
        return {tag.name: tag.target_commit for tag in refs.tags} if refs else {}

    def visibility(self) -> str | None:
        """`private` or `public`; None if there is no such repository, or we may not see it.

        Raises:
            PublishError: The Hub does not answer.
        """
        found = self._ask_if_there(
            lambda: self._ask(lambda: self._api.repo_info(self.name, repo_type=KIND))
        )
        return None if found is None else "private" if found.private else "public"

    def changes(self, folder: Path, *, replace: bool, revision: str = BRANCH) -> FileChanges:
        """What an upload of a release would add, change, delete and keep; nothing is changed.

        Raises:
            PublishError: The Hub does not answer.
        """
        found = self._ask_if_there(lambda: self._compare(folder, replace, revision))
        return file_changes(folder, {}, (), replace=replace) if found is None else found

    def fetch(self, revision: str, out: Path) -> Path:
        """The files of a revision in a folder, without those that are none of a release.

        Raises:
            PublishError: There is no such revision, or the Hub is gone.
        """
        there = self._ask(lambda: self._files(revision))
        self._ask(lambda: self._download(revision, revision, there, local_dir=out))
        return out

    def cache_files(self, revision: str) -> Path:
        """The files of a revision in the Hub's cache, fetched if they are not there.

        Raises:
            PublishError: There is no such revision, the tag was moved since it was last opened, or
                the Hub is gone and the cache has none.
        """
        from huggingface_hub.errors import (
            LocalEntryNotFoundError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )

        try:
            with self._speaking():
                return Path(self._cache(revision))
        except PublishError as error:
            if isinstance(error.__cause__, RepositoryNotFoundError | RevisionNotFoundError):
                raise PublishError(
                    f"{self.name}@{revision}: expected a data set and a tag on the Hub that you "
                    f"may read, got none; check both, and {_LOGIN_TO_READ} if it is private"
                ) from error
            if isinstance(error.__cause__, LocalEntryNotFoundError):
                raise PublishError(
                    f"{self.name}@{revision}: expected it in the cache, as the Hub cannot be "
                    "reached, got none; run again when there is a network"
                ) from error
            raise

    def _ask(self, ask: Callable[[], _T]) -> _T:
        with self._speaking(), patient_calls():
            return ask_patiently(self.name, ask)

    def _ask_if_there(self, ask: Callable[[], _T]) -> _T | None:
        """What a call gives; None if there is no such repository, or we may not see it."""
        from huggingface_hub.errors import RepositoryNotFoundError

        try:
            return ask()
        except PublishError as error:
            if isinstance(error.__cause__, RepositoryNotFoundError):
                return None
            raise

    def _cache(self, revision: str) -> str:
        """The folder in the Hub's cache; without an answer, what the cache has will do."""
        from httpx2 import HTTPError
        from huggingface_hub.errors import HfHubHTTPError

        known = self._cached_commit(revision)
        try:
            # What the cache has needs no waiting.
            with nullcontext() if known else patient_calls():
                commit = self._commit_of(revision)
        except (HTTPError, ConnectionError) as error:
            refused = isinstance(error, HfHubHTTPError)
            if refused and not (known and passing_reason(error)):
                raise
            if cached := self._cached_release(known or revision):
                return cached
            return str(
                self._api.snapshot_download(
                    self.name, repo_type=KIND, revision=revision, local_files_only=bool(known)
                )
            )
        if known not in (None, commit) and revision in self.versions():
            raise PublishError(
                f"{self.name}@{revision}: expected commit {known}, as when the tag "
                f"was last opened, got {commit}: the tag was moved; ask its owner why, and "
                f"open {self.name}@{commit} for the new one, or @{known} for the old one"
            )
        there = self._ask(lambda: self._files(commit))
        return str(self._ask(lambda: self._download(revision, commit, there)))

    def _download(self, revision: str, commit: str, there: Collection[str], **where: Any) -> Path:
        """Fetch what a revision has, without foreign files."""
        from httpx2 import ReadError

        foreign = foreign_files(there, self._manifest_paths(commit, there, **where))
        folder = Path(
            self._api.snapshot_download(
                self.name,
                repo_type=KIND,
                revision=revision,
                ignore_patterns=as_patterns(foreign),
                **where,
            )
        )
        # Where it may not list files, the Hub's tool takes what the folder has for all of them.
        missing = [one for one in there if one not in foreign and not (folder / one).is_file()]
        if missing:
            raise ReadError(f"{len(missing)} files did not come, {missing[0]} first")
        return folder

    def _cache_folder(self) -> Path:
        from huggingface_hub import constants
        from huggingface_hub.file_download import repo_folder_name

        return Path(constants.HF_HUB_CACHE) / repo_folder_name(repo_id=self.name, repo_type=KIND)

    def _cached_release(self, commit: str) -> str | None:
        """The release of a commit in the cache; foreign files were never fetched."""
        folder = self._cache_folder() / "snapshots" / commit
        return str(folder) if (folder / MANIFEST).is_file() else None

    def _cached_commit(self, revision: str) -> str | None:
        """The commit that a branch or tag named when it was last fetched, as the cache has it."""
        path = self._cache_folder() / "refs" / revision
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def _commit_of(self, revision: str) -> str:
        return str(self._api.repo_info(self.name, repo_type=KIND, revision=revision).sha)

    def _files(self, revision: str) -> dict[str, str]:
        """Ids of all files of a revision by path."""
        entries = self._api.list_repo_tree(
            self.name, repo_type=KIND, revision=revision, recursive=True
        )
        return {
            one.path: one.lfs.sha256 if one.lfs else one.blob_id
            for one in entries
            if hasattr(one, "blob_id")
        }

    def _manifest_paths(self, commit: str, there: Collection[str], **where: Any) -> list[str]:
        """Paths that the manifest of a commit lists; none if it has none that can be read."""
        if MANIFEST not in there:
            return []
        path = self._api.hf_hub_download(
            self.name, MANIFEST, repo_type=KIND, revision=commit, **where
        )
        try:
            document = manifest_document(Path(path))
            return [str(one["path"]) for one in document["files"]]
        except (UsageError, ValueError, TypeError, LookupError):
            return []

    def _compare(self, folder: Path, replace: bool, revision: str) -> FileChanges:
        there = self._ask(lambda: self._files(revision))
        with TemporaryDirectory(prefix="memassay-") as scratch:
            listed = self._ask(lambda: self._manifest_paths(revision, there, local_dir=scratch))
        return file_changes(folder, there, listed, replace=replace)

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        from httpx2 import HTTPError
        from huggingface_hub.errors import (
            HfHubHTTPError,
            HFValidationError,
            LocalTokenNotFoundError,
        )
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()
        try:
            yield
        except HFValidationError as error:
            raise PublishError(f"{self.name}: expected OWNER/NAME, got {error}") from error
        except LocalTokenNotFoundError as error:
            raise PublishError(f"{self.name}: expected a login, got none; {_LOGIN}") from error
        except HfHubHTTPError as error:
            if is_unknown_call(error):
                request = error.response.request
                raise PublishError(
                    f"{self.name}: expected an endpoint that speaks the Hub's protocol, got "
                    f"{error.response.status_code} for {request.method} {request.url.path}; "
                    "name another one in HF_ENDPOINT"
                ) from error
            status = error.response.status_code if error.response is not None else 0
            said = error.server_message or f"status {status}"
            raise PublishError(
                f"{self.name}: the Hub refused: {said}; {_REFUSED.get(status, _AGAIN)}"
            ) from error
        except KeyError as error:
            raise PublishError(
                f"{self.name}: expected {error} in the answer of the endpoint, got none; name "
                "another one in HF_ENDPOINT"
            ) from error
        except (HTTPError, OSError) as error:
            raise PublishError(
                f"{self.name}: the Hub does not answer ({error}); {_AGAIN}"
            ) from error


def is_unknown_call(error: BaseException | None) -> bool:
    """Whether an endpoint does not know a call, and not the repository or revision it is about."""
    from huggingface_hub.errors import HfHubHTTPError

    # Those errors are of classes of their own.
    return type(error) is HfHubHTTPError and error.response.status_code in _UNKNOWN_CALL


def as_patterns(names: Collection[str]) -> list[str] | None:
    """Patterns that fit exactly these paths."""
    return [glob.escape(name) for name in names] or None
