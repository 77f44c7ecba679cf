"""NashGap in the browser: `nashgap serve`. FastAPI is imported here and by nobody else."""
