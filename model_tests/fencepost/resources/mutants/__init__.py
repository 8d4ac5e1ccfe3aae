"""Resources servers with one fault each, and how the oracle finds them."""
