"""Every flow that people serve, by its name in Python."""

from collections.abc import Mapping
from typing import Any, Final

from prefect import Flow

from memassay.flows.deployed.building import BUILD_FLOWS
from memassay.flows.deployed.data_flows import DATA_FLOWS

FLOWS: Final[Mapping[str, Flow[..., Any]]] = {**BUILD_FLOWS, **DATA_FLOWS}
