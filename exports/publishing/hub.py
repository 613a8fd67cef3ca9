"""A data set repository of the Hugging Face Hub, as publishing needs it.

Login, address and proxies are those of the Hub's own tools: `hf auth login` or `HF_TOKEN`, and
`HF_ENDPOINT`. The token goes to the Hub alone; nothing here keeps or prints it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from memassay.schemas.errors import PublishError

_KIND: Final = "dataset"
_LOGIN: Final = "log in with `hf auth login`, with a token that may write"
_LOGIN_TO_READ: Final = "log in with `hf auth login`"
_AGAIN: Final = "run the same command again; what was uploaded is kept"
_REFUSED: Final = {401: _LOGIN, 403: _LOGIN}


class Pushed(NamedTuple):
    """What an upload gave: the commit, and the pull request if it went into one."""

    commit: str
    pull_request: str | None


class HubRepository:
    """One data set repository; what goes wrong there is a `PublishError`."""

    def __init__(self, name: str) -> None:
        """Name a repository, `OWNER/NAME`; nothing is asked yet."""
        from huggingface_hub import HfApi

        self.name = name
        self._api: Any = HfApi(library_name="memassay")

    def versions(self) -> dict[str, str]:
        """Commits by tag; none if there is no such repository, or we may not see it.

        Raises:
            PublishError: The Hub does not answer.
        """
        from huggingface_hub.errors import RepositoryNotFoundError

        with self._speaking():
            try:
                refs = self._api.list_repo_refs(self.name, repo_type=_KIND)
            except RepositoryNotFoundError:
                return {}
        return {tag.name: tag.target_commit for tag in refs.tags}

    def create(self, *, private: bool) -> None:
        """Make the repository unless it is there; one that is there stays as visible as it is.

        Raises:
            PublishError: The Hub does not let us.
        """
        with self._speaking():
            self._api.create_repo(self.name, repo_type=_KIND, private=private, exist_ok=True)

    def gate(self, mode: str) -> None:
        """Ask readers for their consent, `auto`, or for an approval by hand, `manual`.

        Raises:
            PublishError: The Hub does not let us.
        """
        with self._speaking():
            self._api.update_repo_settings(self.name, repo_type=_KIND, gated=mode)

    def upload(self, folder: Path, message: str, *, create_pr: bool) -> Pushed:
        """Make the repository hold what a folder holds, and nothing else; a commit if that is new.

        Raises:
            PublishError: The Hub does not let us, or is gone.
        """
        with self._speaking():
            done = self._api.upload_folder(
                repo_id=self.name,
                repo_type=_KIND,
                folder_path=folder,
                commit_message=message,
                create_pr=create_pr,
                delete_patterns="*",
            )
        return Pushed(str(done.oid), getattr(done, "pr_url", None))

    def fetch(self, revision: str, out: Path) -> Path:
        """All files of a revision, in a folder.

        Raises:
            PublishError: There is no such revision, or the Hub is gone.
        """
        with self._speaking():
            self._api.snapshot_download(
                self.name, repo_type=_KIND, revision=revision, local_dir=out
            )
        return out

    def cache_files(self, revision: str) -> Path:
        """All files of a revision in the Hub's cache, fetched if they are not there.

        Raises:
            PublishError: There is no such revision, or the Hub is gone and the cache has none.
        """
        from huggingface_hub.errors import (
            LocalEntryNotFoundError,
            RepositoryNotFoundError,
            RevisionNotFoundError,
        )

        with self._speaking():
            try:
                folder = self._api.snapshot_download(self.name, repo_type=_KIND, revision=revision)
            except (RepositoryNotFoundError, RevisionNotFoundError) as error:
                raise PublishError(
                    f"{self.name}@{revision}: expected a data set and a tag on the Hub that you "
                    f"may read, got none; check both, and {_LOGIN_TO_READ} if it is private"
                ) from error
            except LocalEntryNotFoundError as error:
                raise PublishError(
                    f"{self.name}@{revision}: expected it in the cache, as the Hub cannot be "
                    "reached, got none; run again when there is a network"
                ) from error
        return Path(folder)

    def tag(self, name: str, commit: str) -> None:
        """Name a commit; a tag that is there is never moved.

        Raises:
            PublishError: There is a tag of this name, or the Hub does not let us.
        """
        with self._speaking():
            self._api.create_tag(self.name, tag=name, revision=commit, repo_type=_KIND)

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
            status = error.response.status_code if error.response is not None else 0
            said = error.server_message or f"status {status}"
            raise PublishError(
                f"{self.name}: the Hub refused: {said}; {_REFUSED.get(status, _AGAIN)}"
            ) from error
        except (HTTPError, OSError) as error:
            raise PublishError(
                f"{self.name}: the Hub does not answer ({error}); {_AGAIN}"
            ) from error
