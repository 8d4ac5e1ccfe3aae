"""The first-generation protocol: finished results are held until their receipt is acknowledged."""
