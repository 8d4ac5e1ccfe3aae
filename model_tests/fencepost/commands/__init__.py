"""The commands, one module each: they read arguments, call one engine, and print what it says."""
