"""What shows each mutant first: the tiny scope, the promise, and how few actions it takes."""
