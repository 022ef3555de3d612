"""Training of the neural debugger that npdb carries."""
