"""Check a controller by the calls that it makes: the harness around it, and the oracle."""
