# An uncaught exception raised in library code below a call of ours.
import json


def load(text):
    return json.loads(text)


ok = load("[1, 2]")
bad = load("[1, 2")
