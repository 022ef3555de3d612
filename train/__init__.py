"""Training of the model that npdb carries: see README.md."""

import pathlib
import sys

# What makes and records programs lies beside the Go code that carries it.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "dataset" / "recorder"))
