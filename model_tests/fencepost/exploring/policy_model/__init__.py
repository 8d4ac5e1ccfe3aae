"""The policy model as small worlds: a core and all around it."""
