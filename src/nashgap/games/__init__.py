"""The small games: rules as immutable values, each in the file that has its catalogue name."""
