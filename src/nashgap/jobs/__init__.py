"""Jobs: one file for each kind of long work, on one skeleton."""
