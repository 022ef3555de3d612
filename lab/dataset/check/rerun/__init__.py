"""Programs of trajectories, run and walked and written again."""
