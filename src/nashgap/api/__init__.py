"""The functions of the front door, each in a file of its own; `nashgap` itself exports them."""
