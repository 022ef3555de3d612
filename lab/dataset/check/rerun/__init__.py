"""Runs the programs of trajectories again, makes their moves and writes their texts."""
