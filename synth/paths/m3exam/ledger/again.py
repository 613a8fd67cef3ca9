"""The histories of a recipe made again without their pictures, and held against a release."""

from collections.abc import Iterator, Mapping, Sequence

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext, Setting
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Mention
from memassay.schemas.records.question import QAItem
from memassay.synth.again.asking import unasked
from memassay.synth.again.findings import ASKED, DRAWN, FIX, TOLD, WORLD
from memassay.synth.again.telling import Telling
from memassay.synth.paths.m3exam.ledger.questions import QuestionStage
from memassay.synth.paths.m3exam.ledger.timeline import TimelineStage
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.world.casting import cast
from memassay.synth.world.maker import World, WorldMaker, persona_of
from memassay.synth.world.persona_file import PersonaFile


def made_again(
    recipe: M3ExamRecipe, setting: Setting, open_context: OpenContext, bundles: Sequence[Bundle]
) -> Iterator[Finding]:
    """What of conversations is not as their recipe gives it.

    Histories with the user's own or found images, and with planted flaws, are left alone: what
    is in them does not follow from the recipe.

    Raises:
        UsageError: A persona file of the recipe is not at hand.
    """
    strange = recipe.material or recipe.sourcing or any(recipe.flaws.values())
    if strange or recipe.mode != "ledger-first":
        return
    personas = Personas(recipe.personas, setting.folder)
    for bundle in bundles:
        if bundle.id in personas.by_id:
            yield from _conversation(recipe, personas, open_context, bundle)


def _conversation(
    recipe: M3ExamRecipe, personas: Personas, open_context: OpenContext, bundle: Bundle
) -> Iterator[Finding]:
    persona = personas.by_id[bundle.id]
    drawn = open_context(TimelineStage.name, bundle.id).random
    cards = cast(persona, recipe.history_sizes, drawn, recipe.history_dials)
    world = _stored(WorldMaker(persona, drawn).make(cards))
    if not _of_our_cards(world, bundle):
        return
    yield from _world(persona, world, bundle)
    if isinstance(recipe.author, str):
        yield from _told(persona, world, bundle)
    yield from _drawn(persona, world, bundle)
    for one in unasked(bundle.questions, _asked(recipe, personas, world, open_context, bundle)):
        yield _finding(ASKED, one.item, one.pointer, one.expected, one.got)


def _of_our_cards(world: World, bundle: Bundle) -> bool:
    """Whether most events were made from cards and in a voice as we have them."""
    held = {event.id: event.source_sha256 for event in bundle.events}
    same = sum(held.get(event.id) == event.source_sha256 for event in world.events)
    return same * 2 >= len(world.events)


def _asked(
    recipe: M3ExamRecipe,
    personas: Personas,
    world: World,
    open_context: OpenContext,
    bundle: Bundle,
) -> list[QAItem]:
    """The questions of a conversation over the world as it was drawn."""
    stage = QuestionStage(
        personas,
        {str(code): count for code, count in recipe.questions.items()},
        {str(code): count for code, count in recipe.document_questions.items()},
        recipe.dials.evidence_distance,
    )
    known = {fact.id for fact in world.facts}
    # What does not resolve is named by other rules.
    mentions = [one for one in bundle.mentions if one.fact in known and _resolves(one, bundle)]
    drawn = {"facts": world.facts, "events": world.events, "mentions": mentions, "questions": []}
    records = bundle.model_copy(update=drawn).records()
    made = stage.run(records, open_context(stage.name, bundle.id))
    return [record for record in made if isinstance(record, QAItem)]


def _resolves(mention: Mention, bundle: Bundle) -> bool:
    return (
        mention.round in bundle.round_by_id
        and (mention.turn is None or mention.turn in bundle.turn_by_id)
        and (mention.attachment is None or mention.attachment in bundle.attachment_by_id)
        and (mention.asset is None or mention.asset in bundle.asset_by_id)
    )


def _stored(world: World) -> World:
    """A world as the stages that follow read it: slots in the order of their names."""
    events = [
        event.model_copy(update={"facts": dict(sorted(event.facts.items()))})
        for event in world.events
    ]
    return World(world.conversation, world.names, events, world.facts)


def _world(persona: PersonaFile, world: World, bundle: Bundle) -> Iterator[Finding]:
    pairs: list[tuple[Mapping[str, Record], Mapping[str, Record]]] = [
        ({one.id: one for one in [persona_of(persona)]}, {one.id: one for one in bundle.personas}),
        ({one.id: one for one in world.events}, {one.id: one for one in bundle.events}),
        ({one.id: one for one in world.facts}, {one.id: one for one in bundle.facts}),
    ]
    for drawn, held in pairs:
        for name in sorted({*drawn, *held}):
            want, got = drawn.get(name), held.get(name)
            if want is None or got is None:
                yield _finding(WORLD, name, "", _there(want), _there(got))
            elif want != got:
                yield from _fields(name, want, got)


def _there(record: Record | None) -> str:
    return "no such record" if record is None else "a record"


def _fields(name: str, want: Record, got: Record) -> Iterator[Finding]:
    drawn, held = want.model_dump(mode="json"), got.model_dump(mode="json")
    for field in drawn:
        if drawn[field] != held[field] and field != "schema_version":
            yield _finding(WORLD, name, f"/{field}", f"{drawn[field]}", f"{held[field]}")


def _told(persona: PersonaFile, world: World, bundle: Bundle) -> Iterator[Finding]:
    for odd in Telling(persona, world.events, world.facts).odd(bundle.conversation):
        yield _finding(TOLD, bundle.id, odd.pointer, odd.expected, odd.got)


def _drawn(persona: PersonaFile, world: World, bundle: Bundle) -> Iterator[Finding]:
    """Images whose figure is another than that of their card, by the first field that differs."""
    telling = Telling(persona, world.events, world.facts)
    for name, figure in telling.figures(bundle.conversation):
        asset = bundle.asset_by_id.get(name)
        if asset is None or asset.drawn is None:
            continue  # an older release; where others have it, `drawn.recorded` says so
        held = asset.drawn.figure
        for field in type(figure).model_fields:
            want, got = getattr(figure, field), getattr(held, field, None)
            if want != got:
                yield _finding(DRAWN, name, f"/drawn/figure/{field}", f"{want}", f"{got}")
                break


def _finding(rule: Rule, target: str, pointer: str, expected: str, got: str) -> Finding:
    field = pointer.lstrip("/").replace("/", ".")
    message = f"{target}{'.' if field else ''}{field}: expected {expected!r}, got {got!r}"
    return rule.finding(target, pointer, message, FIX)
