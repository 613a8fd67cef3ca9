"""What models would be asked, by role: for estimates, before any of them is."""

from dataclasses import dataclass, field
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import rough_tokens
from memassay.schemas.contracts.paths import Tally
from memassay.synth.models.prompt_files import load_prompt


@dataclass
class Tallies:
    """Calls by role."""

    by_role: dict[str, Tally] = field(default_factory=dict)

    def count(self, task: Task[Any], written: str) -> None:
        """Count a task as a call whose reply is so long."""
        prompt = load_prompt(task.name)
        rendered = prompt.render(task.inputs)
        counted = self.by_role.setdefault(prompt.about.role, Tally())
        counted.calls += 1
        counted.input += rough_tokens(len(rendered.system + rendered.user), len(task.images))
        counted.output += rough_tokens(len(written))
        counted.images += len(task.images)

    def add(self, other: "Tallies") -> None:
        """Add what was counted elsewhere."""
        for role, part in other.by_role.items():
            total = self.by_role.setdefault(role, Tally())
            for name, number in vars(part).items():
                setattr(total, name, getattr(total, name) + number)
