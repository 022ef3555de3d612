"""Runs the programs of trajectories again, repeats their moves and writes their texts."""
