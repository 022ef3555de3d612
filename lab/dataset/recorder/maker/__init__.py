"""Programs to learn from: made or given, run once, and what each event of the run showed."""
