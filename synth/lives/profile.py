"""Who speaks in a life, summed up from what they say of themselves."""

from memassay.synth.lives.life import Life


def profiled(life: Life) -> Life:
    """A life whose user has a profile: sentences in which they speak of themselves."""
    return life
