"""Recipes, stage graphs, the store, the engine and the Prefect flows.

    >>> from memassay.flows import build_dataset
    >>> build_dataset("demo", seed=8)
    >>> build_dataset.serve(name="nightly", cron="0 3 * * *", parameters={"recipe": "demo"})

There is one flow for every path, too, `build_m3exam`, and `import_data`, `audit_data`,
`extend_release` and `publish_release`. They are loaded when they are asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memassay.flows.deployed.building import build_dataset

__all__ = ["build_dataset"]


def __getattr__(name: str) -> Any:
    """A flow, loaded with Prefect when somebody asks for it."""
    if not name.startswith(("build_", "import_", "audit_", "extend_", "publish_")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from memassay.flows.deployed.registry import FLOWS

    if name not in FLOWS:
        known = ", ".join(FLOWS)
        raise AttributeError(f"module {__name__!r}: expected one of {known}, got {name!r}")
    return FLOWS[name]
