"""The first-generation protocol: completed results are held until their exact receipt is acknowledged."""
