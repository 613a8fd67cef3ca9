"""A data set repository of the Hugging Face Hub, as publishing changes it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from memassay.exports.publishing.repository_files import FileChanges
from memassay.exports.publishing.repository_reading import (
    BRANCH,
    KIND,
    ReadRepository,
    is_unknown_call,
)
from memassay.exports.publishing.waiting import PASSING
from memassay.schemas.errors import PublishError

_RIGHTS: Final = (401, 403)


class Pushed(NamedTuple):
    """What an upload gave: the commit, and the pull request if it went into one."""

    commit: str
    pull_request: str | None


class HubRepository(ReadRepository):
    """One data set repository that may be written; what goes wrong there is a `PublishError`."""

    def create(self, *, private: bool) -> None:
        """Make the repository unless it is there; one that is there stays as visible as it is.

        Raises:
            PublishError: The Hub does not let us.
        """
        self._ask(
            lambda: self._api.create_repo(self.name, repo_type=KIND, private=private, exist_ok=True)
        )

    def gate(self, mode: str) -> None:
        """Ask readers for their consent, `auto`, or for an approval by hand, `manual`.

        Raises:
            PublishError: The Hub does not let us.
        """
        self._ask(lambda: self._api.update_repo_settings(self.name, repo_type=KIND, gated=mode))

    def upload(self, folder: Path, message: str, *, create_pr: bool, replace: bool) -> Pushed:
        """Make the repository hold what a folder holds, beside foreign files; a commit if needed.

        Raises:
            PublishError: The Hub does not let us, or is gone.
        """
        before = self._pull_requests() if create_pr else {}
        changes = self._compare(folder, replace, BRANCH)
        if changes.empty:
            return Pushed(self._ask(lambda: self._commit_of(BRANCH)), None)
        with self._without_missing_xet():
            return self._push(folder, changes, message, before if create_pr else None)

    def _push(
        self, folder: Path, changes: FileChanges, message: str, before: dict[str, str] | None
    ) -> Pushed:
        """Upload files, then commit them; `before` are the pull requests so far, if one is due."""
        from httpx2 import HTTPError
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        create_pr = before is not None
        names = [*changes.added, *changes.changed]
        added = [CommitOperationAdd(name, folder / name) for name in names]
        deleted = [CommitOperationDelete(name, is_folder=False) for name in changes.deleted]
        self._ask(
            lambda: self._api.preupload_lfs_files(
                self.name, added, repo_type=KIND, create_pr=create_pr
            )
        )
        in_doubt = False

        def commit() -> Pushed:
            # The answer of an earlier try may be lost, and its commit there: look for it first.
            nonlocal in_doubt
            if in_doubt and (found := self._find(folder, changes, before)):
                return found
            try:
                done = self._api.create_commit(
                    self.name,
                    [*deleted, *added],
                    commit_message=message,
                    repo_type=KIND,
                    create_pr=create_pr,
                )
            except KeyError:
                # The answer lacks a field; the commit may be there all the same.
                if found := self._find(folder, changes, before):
                    return found
                raise
            except (HTTPError, OSError) as error:
                response = getattr(error, "response", None)
                in_doubt = response is None or "/commit/" in str(response.url)
                raise
            return Pushed(str(done.oid), getattr(done, "pr_url", None))

        return self._ask(commit)

    def _find(
        self, folder: Path, changes: FileChanges, before: dict[str, str] | None
    ) -> Pushed | None:
        """Our commit, on the branch or in a pull request that is new."""
        if before is None:
            places = {"": self._ask(lambda: self._commit_of(BRANCH))}
        else:
            new = self._pull_requests().items()
            places = {self._page_of(ref): commit for ref, commit in new if ref not in before}
        for page, commit in places.items():
            left = self._compare(folder, not changes.kept, commit)
            if left.empty:
                return Pushed(commit, page or None)
        return None

    def tag(self, name: str, commit: str) -> None:
        """Name a commit; a tag that is there is never moved.

        Raises:
            PublishError: There is a tag of this name, or the Hub does not let us.
        """
        try:
            self._ask(
                lambda: self._api.create_tag(self.name, tag=name, revision=commit, repo_type=KIND)
            )
        except PublishError as error:
            # The answer of an earlier try may be lost, and the tag be ours.
            if self.versions().get(name) == commit:
                return
            if is_unknown_call(error.__cause__):
                raise PublishError(
                    f"{self.name}: expected a tag {name}, got none, as the endpoint knows no tags; "
                    f"all files are there: readers open {self.name}@{commit}"
                ) from error
            raise

    def _pull_requests(self) -> dict[str, str]:
        """Commits of the pull requests by ref."""
        refs = self._ask(
            lambda: self._api.list_repo_refs(self.name, repo_type=KIND, include_pull_requests=True)
        )
        return {one.ref: one.target_commit for one in refs.pull_requests or ()}

    def _page_of(self, ref: str) -> str:
        number = ref.rpartition("/")[2]
        return f"{self._api.endpoint}/datasets/{self.name}/discussions/{number}"

    @contextmanager
    def _without_missing_xet(self) -> Iterator[None]:
        """Upload by LFS where the endpoint does not know Xet, a newer way to upload."""
        from huggingface_hub import constants
        from huggingface_hub.utils._headers import build_hf_headers
        from huggingface_hub.utils._http import get_session, hf_raise_for_status
        from huggingface_hub.utils._runtime import is_xet_available

        place = f"{self._api.endpoint}/api/datasets/{self.name}/xet-write-token/{BRANCH}"

        def lacks_xet() -> bool:
            response = get_session().get(place, headers=build_hf_headers())
            if response.status_code in (*_RIGHTS, *PASSING):
                hf_raise_for_status(response)
            return not response.is_success

        missing = is_xet_available() and self._ask(lacks_xet)
        before = constants.HF_HUB_DISABLE_XET
        constants.HF_HUB_DISABLE_XET = before or missing
        try:
            yield
        finally:
            constants.HF_HUB_DISABLE_XET = before
