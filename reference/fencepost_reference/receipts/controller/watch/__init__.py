"""Watches a controller: from what is seen of it, and from nothing else, whether it is legal."""
