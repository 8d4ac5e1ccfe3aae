"""A snapshot as values: what is built, asked, joined, chosen and given up. Nothing is read here."""
