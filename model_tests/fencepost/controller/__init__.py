"""Check a controller by the calls that it makes to participants of ours."""
