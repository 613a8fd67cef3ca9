"""What votes and scores add up to: agreement, progress of reviewers, scales for answers."""
