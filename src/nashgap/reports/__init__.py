"""Reports: one format (`report.py`), its page, terminal and JSON forms, and one file for each kind of result."""
