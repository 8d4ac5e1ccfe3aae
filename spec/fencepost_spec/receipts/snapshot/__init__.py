"""The controller's snapshot directory: what lies in it, what it is asked, which is chosen."""
