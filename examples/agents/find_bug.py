"""An agent that finds a wrong line with `npdb mcp`: from the failure backwards, without a model.

    python find_bug.py bank.py
    python find_bug.py -m unittest test_shop

It needs no package. The policy is fixed, so that the whole agent can be read:

1. Run the program to its failure (diagnose).
2. After an uncaught exception, npdb has already followed the values of the failing line to where they were made.
3. Otherwise go back to the line that complained: the last line of a traceback in the output, or the comparison
   beside a text of the output.
4. Compared names: go back to the last time that the comparison was true, and look at what changed then.
   A compared call, as in a test: go back into it, and follow the values that it returned to where they were made.
"""

import argparse
import os
import re
import sys

from npdbmcp import Client, ToolError

NAMES = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?!\w*\()")
COMPARISON = re.compile(r"(\w+) [=!]= (\w+)")
LITERAL = re.compile(r"""["']([A-Za-z][^"'{]{3,})""")
FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def main():
    parser = argparse.ArgumentParser(description="Find the wrong line of a Python program, backwards from its failure.")
    parser.add_argument("--npdb", default="npdb", help="the npdb command")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module, such as unittest")
    parser.add_argument("program")
    parser.add_argument("args", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    program = {"module" if given.module else "file": given.program}
    if given.args:
        program["args"] = given.args
    with Client([given.npdb, "mcp"]) as npdb:
        try:
            find(npdb, program)
        except ToolError as refused:
            sys.exit(f"npdb: {refused}")


def find(npdb, program):
    """Goes from the failure of a program to the wrong line, and prints both."""
    failure = npdb.call("diagnose", **program)
    while failure.get("running"):  # longer than a call waits
        failure = npdb.call("move", action="wait")
    if failure.get("post_mortem"):
        say(failure["place"], f"raises {failure['value']}")
        chains = [(s["expression"], s.get("from", [])) for s in failure.get("suspects", [])]
        return blame(npdb, chains, failure)
    output = failure.get("output", "").splitlines()
    print("   the program prints: " + (output[-1].strip() if output else "nothing"))
    where = complaint(failure.get("output", ""), program)
    if where is None:
        return print("The output names no line and no comparison: say what is wrong, with a test.")
    at = npdb.call("move", action="inv_breakpoint", location=where)
    names = COMPARISON.search(at["place"]["source"])
    values = {one["name"]: one["value"] for one in at.get("locals", [])}
    if names and set(names.groups()) <= set(values):
        say(at["place"], ", ".join(f"{name} = {values[name]}" for name in names.groups()))
        return last_right(npdb, names.group(1), values[names.group(2)])
    say(at["place"], "is the check that fails")
    npdb.call("move", action="step_over")
    returned = npdb.call("move", action="inv_step_into")
    say(returned["place"], f"returns {returned.get('value')}")
    chains = []
    known = [one["name"] for one in returned.get("locals", [])]
    for name in NAMES.findall(returned["place"]["source"].strip().removeprefix("return ")):
        if name in known and name not in [chain[0] for chain in chains]:
            hops = npdb.call("provenance", expression=name)["hops"]
            chains.append((name, hops))
            say(hops[-1].get("place"), f"{name} = {hops[0]['value']} comes from here")
    blame(npdb, chains, at)


def complaint(output, program):
    """Returns the location of the failure: the line of a traceback, or the comparison that led to the printed text."""
    frames = FRAME.findall(output)
    if frames:
        return f"{os.path.basename(frames[-1][0])}:{frames[-1][1]}"
    if "file" in program:
        with open(program["file"], encoding="utf-8") as file:
            lines = file.readlines()
        for number, line in enumerate(lines, 1):
            if COMPARISON.search(line) and any(text in output for text in LITERAL.findall(line)):
                return f"{os.path.basename(program['file'])}:{number}"
    return None


def last_right(npdb, name, wanted):
    """Goes back to the last event at which the computed value was the wanted one, and finds the line that changed it."""
    made = npdb.call("provenance", expression=name)["hops"][0]
    say(made["place"], f"made {name} = {made['value']}")
    expression = made["place"]["source"].strip().partition(" = ")[2] or name
    at = npdb.call("move", action="inv_breakpoint", condition=f"{expression} == {wanted}")
    if at.get("boundary"):
        return print(f"It was never right: the wrong line is {place(made['place'])}")
    say(at["place"], "it is right here for the last time: " + show(at["locals"]))
    changes = npdb.call("history", expression=expression)["changes"]
    event = at["number"]
    for change in changes:
        if change["event"] > at["number"]:
            say(change["place"], f"changes it from {change['old']} to {change['new']}")
            event = change["set_at"]
    end = npdb.call("move", action="goto", event=event)
    print(f"The wrong line is {place(end['place'])}\n    with {show(end['locals'])}")


def blame(npdb, chains, failure):
    """Prints the line that made a wrong value. Does not blame a value that the failing line or test itself passed."""
    mine = failure["place"]["file"]
    ends = [(name, hops[0]["value"], hops[-1]["place"]) for name, hops in chains if hops and hops[-1].get("place")]
    empty = [end for end in ends if end[1] in ("0", "None", "''", "[]", "{}")]
    elsewhere = [end for end in ends if end[2]["file"] != mine]
    for name, value, made in (empty if failure.get("post_mortem") else elsewhere) or ends:
        return print(f"The wrong line is {place(made)}\n    it made {name} = {value}")
    print(f"The wrong line is {place(failure['place'])}")


def say(at, text):
    print(f"   {place(at)}\n   {text}" if at else f"   {text}")


def place(at):
    return f"{at['file']}:{at['line']} {at.get('source', '').strip()}".strip()


def show(locals_):
    return ", ".join(f"{one['name']} = {one['value']}" for one in locals_)


if __name__ == "__main__":
    main()
