"""How models draft M3Exam's eight types of question (A.3)."""

from typing import Final

from memassay.synth.drafting.bank import Drafting
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker
from memassay.synth.paths.m3exam.tasks.question import questions

DRAFTING: Final = Drafting(KINDS, ItemMaker, questions)
"""Kinds, items and requests."""
