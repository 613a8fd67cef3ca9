"""Items read by somebody who is no rule: what a reader is shown, and what its reply is worth."""
