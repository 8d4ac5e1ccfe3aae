"""Every trace of a small world: all states that can be reached, and what is promised of them."""
