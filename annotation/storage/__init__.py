"""The tables of the review queue, their migrations, reviewers and invitations."""
