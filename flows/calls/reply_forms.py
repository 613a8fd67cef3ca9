"""What a server of one's own takes: found out by one probe, and remembered in the workspace.

Servers that speak OpenAI's protocol differ in how they are asked for a reply of some shape. The
first request goes out with `json_schema`. If it comes back with a reply that names a field of the
schema, that is the form. If it is refused, or answered as if there were no schema, a short
question is asked in each form, the strictest first, until a reply to it has the right shape.
"""

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final

from pydantic import BaseModel, Field

from memassay.flows.calls.call_log import CallLog
from memassay.schemas.contracts.calls import ModelReply, ModelRequest, ReplyForm, ReplyStatus
from memassay.schemas.errors import CallError
from memassay.synth.models.reply_reading import UnusableError, read_reply, strict_schema

Ask = Callable[[ModelRequest], Awaitable[ModelReply]]
"""Sends a question of ours as any other call: limited, paid for and stored."""

_REFUSALS: Final = frozenset({400, 415, 422, 500, 501})
"""Statuses with which servers answer a request of a form that they do not know."""
_SHOWN: Final = 200
"""Characters of a refusal that the line about it shows."""
_FORMAL: Final = re.compile(r"json_schema|json_object|response.?format|schema|tool", re.IGNORECASE)
_ROOM: Final = 512
"""Tokens for the reply to a question of ours, unless the recipe has a number: some never end."""
_LOG: Final = logging.getLogger("memassay")


class _Greeting(BaseModel):
    """The shape of a reply that no model gives unless it is asked for."""

    greeting_words: str = Field(description="A greeting.")
    lucky_number: int = Field(description="Any whole number.")


class ReplyForms:
    """The form of each model at one endpoint; lives in one event loop."""

    def __init__(self, endpoint: str, models: Collection[str], log: CallLog) -> None:
        """Take the address, and the models whose form is to be found out.

        Args:
            endpoint: The address, as the workspace remembers it.
            models: Names of the models; all others are asked as their requests say.
            log: Where forms are remembered.
        """
        self._endpoint = endpoint
        self._log = log
        known = {model: log.form(endpoint, model) for model in sorted(models)}
        self._forms = {model: form or ReplyForm.SCHEMA for model, form in known.items()}
        self._kept = {model for model, form in known.items() if form is not None}
        self._open = set(models)
        self._new = set(models) - self._kept
        self._first = defaultdict[str, asyncio.Lock](asyncio.Lock)
        self._looking = defaultdict[str, asyncio.Lock](asyncio.Lock)

    @asynccontextmanager
    async def alone(self, request: ModelRequest) -> AsyncIterator[None]:
        """The first request to a model that nobody knows yet goes out alone; others wait for it."""
        model = request.model
        if model in self._new:
            async with self._first[model]:
                if model in self._new:
                    try:
                        yield
                    finally:
                        self._new.discard(model)
                    return
        yield

    def fit(self, request: ModelRequest) -> ModelRequest:
        """A request in the form that its model takes, as far as anybody knows."""
        form = self._forms.get(request.model, request.form)
        return request if form is request.form else request.model_copy(update={"form": form})

    async def learn(self, sent: ModelRequest, came: ModelReply | CallError, ask: Ask) -> bool:
        """Learn from what came of a request; whether it has another form now than it was sent in.

        Raises:
            MemassayError: What `ask` raises, but for refusals.
        """
        model = sent.model
        if model in self._open and sent.structured:
            if self._doubts(model, sent, came):
                async with self._looking[model]:
                    if model in self._open:
                        await self._probe(sent, ask)
            elif isinstance(came, ModelReply) and came.status is ReplyStatus.COMPLETE:
                await self._settle(model, sent.form)
        return self.fit(sent).form is not sent.form

    def _doubts(self, model: str, sent: ModelRequest, came: ModelReply | CallError) -> bool:
        """Whether what came may mean that the model takes another form than it was asked in."""
        if isinstance(came, CallError):
            # What was found out once is doubted only where the server speaks of it.
            return came.status in _REFUSALS and (model not in self._kept or _is_formal(came))
        return (
            model not in self._kept
            and came.status is ReplyStatus.COMPLETE
            and not _names_field(sent, came)
        )

    async def _settle(self, model: str, form: ReplyForm) -> None:
        self._open.discard(model)
        if model not in self._kept or self._forms[model] is not form:
            self._kept.add(model)
            self._forms[model] = form
            await self._log.keep_form(self._endpoint, model, form)

    async def _probe(self, sent: ModelRequest, ask: Ask) -> None:
        """Ask in one form after another; nothing is learnt where the server just fails."""
        refused: dict[ReplyForm, CallError] = {}
        taken: list[ReplyForm] = []
        for form in ReplyForm:
            try:
                fits = await _fits(sent, form, ask)
            except CallError as error:
                if error.status not in _REFUSALS:
                    return
                refused[form] = error
                continue
            taken.append(form)
            if fits:
                break
        self._open.discard(sent.model)
        if not taken:
            return
        found, why = taken[-1], refused.get(ReplyForm.SCHEMA)
        if why is not None and not _is_formal(why) and await self._was_bad_luck(sent, ask):
            found, why = ReplyForm.SCHEMA, None
        await self._settle(sent.model, found)
        if found is not ReplyForm.SCHEMA:
            self._tell(sent.model, found, why)

    async def _was_bad_luck(self, sent: ModelRequest, ask: Ask) -> bool:
        """Whether the strictest form is taken after all: an error of the server said nothing."""
        try:
            return await _fits(sent, ReplyForm.SCHEMA, ask, again=True)
        except CallError:
            return False

    def _tell(self, model: str, form: ReplyForm, why: CallError | None) -> None:
        _LOG.warning(
            "model: %s at %s %s json_schema%s; from now on its replies are asked for by %s, which "
            "the workspace remembers (`structured: auto`)",
            model,
            self._endpoint,
            "passes over" if why is None else "refuses",
            "" if why is None else f" ({str(why)[:_SHOWN]})",
            _WORDS[form],
        )


async def _fits(sent: ModelRequest, form: ReplyForm, ask: Ask, *, again: bool = False) -> bool:
    """Whether the reply to a question in some form has the shape asked for, as far as it goes.

    Raises:
        CallError: No reply came.
    """
    question = ModelRequest(
        provider=sent.provider,
        api=sent.api,
        model=sent.model,
        system="Answer in JSON.",
        text="Say hello.",
        schema_name="Greeting",
        response_schema=strict_schema(_Greeting),
        parameters={"max_output_tokens": _ROOM, **sent.parameters},
        form=form,
        # What is stored has a key for each form, which is no part of it.
        draw=list(ReplyForm).index(form),
        attempt=int(again),
    )
    reply = await ask(question)
    if reply.status is ReplyStatus.CUT_OFF:
        # A model that thinks, or does not come to an end, says nothing against the form.
        return not reply.text or _names_field(question, reply)
    try:
        return not read_reply(reply, _Greeting).repaired
    except UnusableError:
        return False


def _is_formal(error: CallError) -> bool:
    """Whether a refusal speaks of the form of a reply."""
    return _FORMAL.search(str(error)) is not None


def _names_field(sent: ModelRequest, reply: ModelReply) -> bool:
    """Whether a reply names a field of the schema that it was asked for, whole or broken."""
    fields = sent.response_schema.get("properties")
    return not isinstance(fields, dict) or any(f'"{name}"' in reply.text for name in fields)


_WORDS: Final = {
    ReplyForm.OBJECT: "json_object with the schema",
    ReplyForm.TOOL: "a tool that has to be called",
    ReplyForm.PROMPT: "the prompt alone, with the schema in it",
}
