"""Replies that models of both modes give on the path of MMRC."""

from pydantic import BaseModel, Field


class AssistantTurn(BaseModel):
    """What the assistant replies."""

    text: str = Field(min_length=1, description="The reply.")
