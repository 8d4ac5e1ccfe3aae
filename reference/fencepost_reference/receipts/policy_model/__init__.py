"""The pure core of a policy model: the gate, the drain, control operations and custody."""
