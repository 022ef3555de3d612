"""Running the programs of trajectories, making their moves and writing them again."""
