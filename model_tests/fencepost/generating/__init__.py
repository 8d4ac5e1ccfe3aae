"""What the world could do next to an agent, each proposal with how much it is wanted."""
