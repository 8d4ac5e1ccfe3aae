"""How lines about an agent of the receipts protocol are read, compared and explained."""
