"""This process as a reader and publisher at a Hub on this machine."""

from pathlib import Path

import pytest
from huggingface_hub import constants

from support.hub_server import TOKEN, Hub


def log_in(patch: pytest.MonkeyPatch, hub: Hub, cache: Path) -> None:
    """Let this process be logged in at a hub, and keep what it fetches in a folder."""
    template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, hub.url)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    patch.setattr(constants, "ENDPOINT", hub.url)
    patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    patch.setattr(constants, "HF_HUB_OFFLINE", False)
    patch.setattr(constants, "HF_HUB_CACHE", str(cache))
    patch.setenv("HF_TOKEN", TOKEN)
