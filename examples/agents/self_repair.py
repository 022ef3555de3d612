"""An agent that writes and repairs a function without running it: npdb predicts what the function does.

    python self_repair.py --scripted
    python self_repair.py --url http://127.0.0.1:8080/v1 --model NAME

A chat model writes a draft. npdb predicts each example. If a prediction is wrong, npdb infers the states that led to
it, the chat model repairs the draft, and npdb predicts again. The chat model is on any OpenAI-compatible server;
NPDB_WRITER_URL, NPDB_WRITER_MODEL and NPDB_WRITER_KEY also select it. No part of the program runs. Only with --run,
CPython runs the last draft beside npdb's model, and npdb compares the two.
"""

import argparse
import ast
import json
import os
import re
import sys
import urllib.request

from npdbmcp import Client, ToolError

TASK = "Write mean(values): the mean of the positive numbers in a list of integers, rounded down; 0 if there is none."
EXAMPLES = [("mean([4, -2, 4])", "4"), ("mean([-5])", "0")]

# The answers of the scripted writer: the first draft, then its repairs.
DRAFTS = [
    """def mean(values):
    whole = 0
    for value in values:
        if value > 0:
            whole += value
    return whole // len(values)
""",
    """def mean(values):
    kept = [value for value in values if value > 0]
    return sum(kept) // len(kept)
""",
    """def mean(values):
    kept = [value for value in values if value > 0]
    if not kept:
        return 0
    return sum(kept) // len(kept)
""",
]


class Scripted:
    """Writes the drafts in turn."""

    def __init__(self):
        self.drafts = iter(DRAFTS)

    def write(self, _):
        return next(self.drafts, DRAFTS[-1])


class Chat:
    """Asks a chat model on an OpenAI-compatible server, in one conversation."""

    def __init__(self, url, model, key):
        self.url, self.model, self.key = url.rstrip("/") + "/chat/completions", model, key
        self.messages = [{"role": "system", "content": "You write Python. Answer with one code block and nothing else."}]

    def write(self, request):
        self.messages.append({"role": "user", "content": request})
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = "Bearer " + self.key
        body = json.dumps({"model": self.model, "messages": self.messages}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=300) as answer:
            text = json.load(answer)["choices"][0]["message"]["content"]
        self.messages.append({"role": "assistant", "content": text})
        block = re.search(r"```(?:python)?\n(.*?)```", text, re.DOTALL)
        return block.group(1) if block else text


def main():
    parser = argparse.ArgumentParser(description="Write and mend a function without running it.")
    parser.add_argument("--npdb", default="npdb", help="the npdb command")
    parser.add_argument("--scripted", action="store_true", help="write the drafts in this file instead of asking a model")
    parser.add_argument("--url", default=os.environ.get("NPDB_WRITER_URL"), help="the writer's server, such as http://127.0.0.1:8080/v1")
    parser.add_argument("--model", default=os.environ.get("NPDB_WRITER_MODEL", ""), help="the writer's name on the server")
    parser.add_argument("--rounds", type=int, default=4, help="how many drafts are tried")
    parser.add_argument("--run", action="store_true", help="at the end run the function with CPython and compare")
    given = parser.parse_args()
    if given.scripted:
        writer = Scripted()
    elif given.url:
        writer = Chat(given.url, given.model, os.environ.get("NPDB_WRITER_KEY"))
    else:
        sys.exit("There is no writer: give --url and --model of a chat model, or --scripted.")
    with Client([given.npdb, "mcp"]) as npdb:
        try:
            code = repair(npdb, writer, given.rounds)
            if code and given.run:
                check(npdb, code)
        except (ToolError, OSError) as failed:
            sys.exit(f"{type(failed).__name__}: {failed}")
    sys.exit(0 if code else 1)


def repair(npdb, writer, rounds):
    """Returns the first draft that is predicted to be right for all examples, or None."""
    wanted = "".join(f"\n{call} == {value}" for call, value in EXAMPLES)
    request = f"{TASK}\nIt must hold:{wanted}"
    for number in range(1, rounds + 1):
        code = writer.write(request)
        print(f"DRAFT {number}\n{code.rstrip()}")
        try:
            ast.parse(code)  # parses, and runs nothing
        except SyntaxError as error:
            request = f"That does not parse: {error}. Write it again."
            continue
        complaint = first_wrong(npdb, code)
        if complaint is None:
            print("All examples are predicted right. Nothing ran.")
            return code
        print(f"MEND: {complaint}")
        request = f"A debugger that predicts execution says: {complaint}. Mend the function; answer with all of it."
    print(f"No draft of {rounds} was predicted right.")
    return None


def first_wrong(npdb, code):
    """Predicts the examples. Returns a description of the first wrong result, or None."""
    for call, wanted in EXAMPLES:
        program, line = with_call(code, call)
        after = npdb.call("predict", code=program, line=line, locals={}, action="step_over")
        results = [one["value"] for one in after.get("locals", []) if one["name"] == "result"]
        got = results[0] if results else after.get("value", "nothing")
        print(f"   {call} gives {got} {certainty(after)}")
        if not same(got, wanted):
            return f"{call} gives {got} instead of {wanted}{before(npdb, program, line)}"
    return None


def before(npdb, program, line):
    """Infers backwards from the wrong result: the state before it, and the arguments of the call."""
    session = npdb.call("sessions", op="open", program={"code": program, "mode": "neural"})["stop"]["session"]
    npdb.call("move", session=session, action="breakpoint", location=str(line))
    npdb.call("move", session=session, action="step_into")
    end = npdb.call("move", session=session, action="step_return")
    print(f"   {describe(end)} {certainty(end)}")
    text = ""
    if end.get("place", {}).get("line", line) != line:
        text = f". It ends in line {end['place']['line']}, {end['place']['source'].strip()}, with {show(end)}"
        for action, words in (("inv_step_over", "Before that"), ("inv_step_return", "It was called with")):
            candidates = npdb.call("infer", session=session, action=action)["candidates"]
            if not candidates:
                break
            best = candidates[0]
            print(f"   {describe(best)} [inferred, {best.get('verdict', 'not verified')}]")
            text += f". {words}: {show(best)}"
    npdb.call("sessions", op="end", session=session)
    return text


def check(npdb, code):
    """Runs the function with CPython beside the model, and prints where they differ."""
    program = code.rstrip() + "\n\n\n" + "".join(f"print({call})\n" for call, _ in EXAMPLES)
    session = npdb.call("sessions", op="open", program={"code": program, "mode": "both"})["stop"]["session"]
    found = npdb.call("compare", session=session)
    print("   " + ("CPython and the model agree." if found["same"] else "\n   ".join(found["text"])))
    npdb.call("sessions", op="end", session=session)


def with_call(code, call):
    """Returns the program that calls the function, and the line of the call."""
    program = code.rstrip() + f"\n\n\nresult = {call}\n"
    return program, len(program.splitlines())


def same(got, wanted):
    """Reports whether two reprs describe the same value."""
    try:
        return ast.literal_eval(got) == ast.literal_eval(wanted)
    except (ValueError, SyntaxError):
        return got == wanted


def certainty(stop):
    """Returns the origin of a state, with the model's confidence."""
    sure = stop.get("confidence")
    return f"[{stop['origin']}]" if sure is None else f"[{stop['origin']}, {sure:.0%} sure]"


def describe(stop):
    """Returns the line of a state and its locals."""
    at = stop.get("place")
    if not at:
        return stop.get("boundary", "no state")
    return f"{stop['event']} at line {at['line']}: {show(stop)}"


def show(stop):
    return ", ".join(f"{one['name']} = {one['value']}" for one in stop.get("locals", [])) or "no locals"


if __name__ == "__main__":
    main()
