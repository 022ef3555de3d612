"""Training of the embedded model: see README.md."""
