"""Real poker: any game that an ACPC game definition can describe."""
