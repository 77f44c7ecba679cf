"""The command `nashgap`: each command parses, calls the library and prints."""
