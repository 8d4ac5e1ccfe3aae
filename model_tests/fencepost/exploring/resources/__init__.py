"""The resources server as small worlds: a core and all around it."""
