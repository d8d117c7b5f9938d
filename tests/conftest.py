"""Hypothesis runs the same examples everywhere; HYPOTHESIS_PROFILE=explore looks for new ones."""

import os
import signal
from pathlib import Path

from browser import chromium, served, visit, windows  # noqa: F401
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore", settings.get_profile("default"), derandomize=False, max_examples=2000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Whoever starts the tests in the background has them ignore Ctrl-C, which some of them are about.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables of the tests are kept apart from the user's, and from one run to the next.
os.environ["TAQUIN_HOME"] = str(Path(__file__).parent.parent / "build" / "home")
