"""What Alembic runs: the migrations over the connection it is given."""

from alembic import context

from memassay.annotation.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table="review_version",
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
