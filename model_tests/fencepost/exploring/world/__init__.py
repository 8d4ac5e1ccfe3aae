"""Worlds around a controller, small enough to be walked whole."""
