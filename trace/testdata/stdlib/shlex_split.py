# shlex: a state machine in one long method.
# user: shlex
import sys

sys.modules.pop("shlex", None)
import shlex

parts = shlex.split("a 'b c' d\\ e # no", comments=True)
quoted = shlex.quote("it's")
tokens = list(shlex.shlex("x=1;y", punctuation_chars=True))
try:
    shlex.split("'open")
except ValueError as e:
    why = str(e)
