"""Players: anything that can sit at a poker table."""
