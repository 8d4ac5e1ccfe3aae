"""Policy models that are wrong on purpose, and what finds each of them."""
