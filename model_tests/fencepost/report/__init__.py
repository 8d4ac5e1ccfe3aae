"""Reference pages, rendered from the specification: nothing in them is written by hand."""
