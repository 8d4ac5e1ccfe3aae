"""A controller's core against participants that only promise what the protocol makes them."""
