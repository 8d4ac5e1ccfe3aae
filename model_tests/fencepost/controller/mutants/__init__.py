"""Controllers that are wrong on purpose, and what becomes of each of them."""
