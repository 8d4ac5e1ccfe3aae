"""Participants that are wrong on purpose, and how short the way is to see it.

`part` tells the kill matrix of them. `named` holds the known faults, `mechanical` what deleting
from the specification makes; `scopes` says in which small worlds both are looked for.
"""
