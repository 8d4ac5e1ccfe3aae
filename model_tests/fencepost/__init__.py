"""The conformance oracle: it judges participants and traces by the specification."""
