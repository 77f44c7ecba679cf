"""Types that everything else builds on."""
