"""Small traces of our own: what must be possible, and what no participant may do.

A story is a list of things that happen in the world. The reference core answers them, and what it
answers is written down as a trace. A story that goes wrong ends with a line that the core would
never have written.
"""
