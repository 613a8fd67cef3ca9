"""Settings of a model that takes part in an evaluation (WorldMemArena, Appendix A)."""

from typing import Annotated

from pydantic import Field

from memassay.schemas.contracts.author_sections import NamedSection


class EvaluationSection(NamedSection):
    """A file that names a model beside a memory; what it leaves out is as in the paper."""

    temperature: Annotated[float | None, Field(ge=0, le=2, description="Default: 0.")] = 0.0
    max_output_tokens: Annotated[int | None, Field(ge=16, description="Room for a reply.")] = 16384
    timeout: Annotated[float, Field(gt=0, exclude=True, description="Seconds a call may take.")] = (
        300.0
    )
    concurrency: Annotated[
        int, Field(ge=1, le=1000, exclude=True, description="Calls at once.")
    ] = 10
