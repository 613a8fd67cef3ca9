"""What each operator of a query gives, and the facts that it rests on."""
