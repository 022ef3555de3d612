# Only comments,
# and a blank line.

# Nothing to run.
