"""Makes `toy_job` importable by name, in these tests and in the worker processes that they start."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
