"""Pages for writing questions."""

from fastapi import APIRouter

router = APIRouter()
