"""Cards, hands and ranges of hands."""
