"""Makes programs to learn from, or takes given ones, runs each once, and records every
event of the run."""
