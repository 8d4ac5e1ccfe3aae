"""A controller that does real work: calls, tasks and a folder of snapshots over the core."""
