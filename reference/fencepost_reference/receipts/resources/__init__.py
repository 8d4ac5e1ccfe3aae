"""The pure core of a resources-server participant: a value, a step, and nothing else."""
