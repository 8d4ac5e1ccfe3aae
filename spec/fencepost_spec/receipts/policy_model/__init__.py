"""The policy model as a participant: the gate, the drain, the control operations and custody."""
