"""Generates programs to learn from, or receives given ones, runs each once, and records every
event of the run."""
