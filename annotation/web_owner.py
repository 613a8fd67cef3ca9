"""Pages for owners."""

from fastapi import APIRouter

router = APIRouter()
