"""What small worlds around servers with a fence have in common: callers, mishaps, names."""
