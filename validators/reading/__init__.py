"""Items and sessions read by somebody who is no rule: what is shown, what a reply is worth."""
