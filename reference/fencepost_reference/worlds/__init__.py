"""Participants, a controller, a network and a disk, composed into one model."""
