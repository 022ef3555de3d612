"""Training of the model that npdb carries: see README.md."""
