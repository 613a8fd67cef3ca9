"""What models would be asked, by role: for estimates, before any of them is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import rough_tokens
from memassay.schemas.contracts.paths import Tally
from memassay.synth.models.prompt_files import load_prompt


@dataclass
class Tallies:
    """Calls by role.

    Attributes:
        by_role: What was counted.
        an_image: By role, tokens of an image, where the size of images is known.
    """

    by_role: dict[str, Tally] = field(default_factory=dict)
    an_image: Mapping[str, int] = field(default_factory=dict)

    def count(self, task: Task[Any], written: str) -> None:
        """Count a task as a call whose reply is so long."""
        prompt = load_prompt(task.name)
        rendered, role = prompt.render(task.inputs), prompt.about.role
        counted = self.by_role.setdefault(role, Tally())
        counted.calls += 1
        size = len(rendered.system + rendered.user), len(task.images)
        known = {"an_image": self.an_image[role]} if role in self.an_image else {}
        counted.input += rough_tokens(*size, **known)
        counted.output += rough_tokens(len(written))
        counted.images += len(task.images)

    def add(self, other: "Tallies") -> None:
        """Add what was counted elsewhere."""
        for role, part in other.by_role.items():
            total = self.by_role.setdefault(role, Tally())
            for name, number in vars(part).items():
                setattr(total, name, getattr(total, name) + number)
