"""The competition's protocol: a dealer, a player, and match logs."""
