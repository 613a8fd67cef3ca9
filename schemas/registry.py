"""Registries: what a folder, or another installed package, declares is found by its name.

A folder `PACKAGE/NAME/MODULE.py` declares one thing, and so does an entry point of a group. Nothing
is imported before it is asked for, so that a broken package of somebody else's breaks nothing.
"""

import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Generic, TypeVar

from memassay.schemas.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints, SelectableGroups

T = TypeVar("T")


@dataclass(frozen=True)
class _Source:
    """Who declares something.

    Attributes:
        where: In words, for messages.
        load: Imports it.
    """

    where: str
    load: Callable[[], object]


def _of_folder(module: str, attribute: str) -> _Source:
    return _Source(module, lambda: getattr(import_module(module), attribute))


def _of_entry(entry: EntryPoint) -> _Source:
    package = entry.dist.name if entry.dist else "a package"
    return _Source(f"{entry.value} of {package}", entry.load)


def entries_of(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name.

    To find any, the files of every installed package are read: once, for all groups.
    """
    entries = _entries(tuple(sys.path)).select(group=group)
    return sorted(entries, key=lambda one: (one.name, one.value))


@cache
def _entries(_path: tuple[str, ...]) -> "SelectableGroups | EntryPoints":
    return entry_points()


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name: those of our folders, then those of entry points."""

    def __init__(
        self,
        kind: type[T],
        package: str,
        module: str,
        attribute: str,
        group: str,
        others: Mapping[str, T] | None = None,
    ) -> None:
        """Say where to look.

        Args:
            kind: What each must be; it has a `name`.
            package: Package whose folders declare one each; `a_b` declares `a-b`.
            module: Module of such a folder.
            attribute: Name of what it declares.
            group: Group of entry points.
            others: Further ones by name, which are declared elsewhere.
        """
        self._kind, self._package, self._module = kind, package, module
        self._attribute, self._group = attribute, group
        self._others = dict(others or {})
        self._loaded: dict[str, T] = {}

    @cached_property
    def _sources(self) -> dict[str, list[_Source]]:
        """By name, who declares it."""
        found: dict[str, list[_Source]] = {
            name: [_Source("memassay", partial(self._others.get, name))] for name in self._others
        }
        for one in pkgutil.iter_modules(import_module(self._package).__path__):
            place = f"{self._package}.{one.name}.{self._module}"
            if one.ispkg and find_spec(place) is not None:
                found.setdefault(one.name.replace("_", "-"), []).append(
                    _of_folder(place, self._attribute)
                )
        for entry in entries_of(self._group):
            found.setdefault(entry.name, []).append(_of_entry(entry))
        return found

    def __getitem__(self, name: str) -> T:
        """What has this name.

        Raises:
            KeyError: Nothing has.
            UsageError: Several packages declare it, or what they declare is no such thing.
        """
        if name not in self._loaded:
            sources = self._sources[name]
            where = " and ".join(source.where for source in sources)
            if len(sources) > 1:
                raise UsageError(
                    f"{self._group} {name}: expected one package that declares it, got {where}; "
                    "uninstall one of them"
                )
            self._loaded[name] = self._check(name, sources[0])
        return self._loaded[name]

    def _check(self, name: str, source: _Source) -> T:
        where = source.where
        try:
            declared = source.load()
        except Exception as error:  # whatever a foreign module raises, its package is to blame
            raise UsageError(
                f"{self._group} {name}: expected {where} to declare one, got "
                f"{type(error).__name__}: {error}; mend or uninstall that package"
            ) from error
        if not isinstance(declared, self._kind) or getattr(declared, "name", None) != name:
            got = getattr(declared, "name", type(declared).__name__)
            raise UsageError(
                f"{self._group} {name}: expected {where} to declare a {self._kind.__name__} "
                f"of this name, got {got!r}"
            )
        return declared

    def __contains__(self, name: object) -> bool:
        """Whether something is declared by this name; it is not imported."""
        return name in self._sources

    def __iter__(self) -> Iterator[str]:
        """Every name, in order."""
        return iter(sorted(self._sources))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._sources)
