"""Whether sessions of guests answer what the host's questions ask."""
