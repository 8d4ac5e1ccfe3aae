"""The kill matrix: which rule finds each participant that is wrong on purpose, and how soon.

One code for every kind of participant; `parts` names the kinds, and a `Part` says what of a kind
the matrix needs to know.
"""
