"""debugpy, driven by a client of the Debug Adapter Protocol that prints what an editor shows at a stop: the
reason, the line, the locals, and the program's output."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from bugs import FAILING
from prompt import environment
from proof import Turn

LISTS, AROUND = ("l", "ll"), 5  # an editor shows the source around the line
MOVES = {"n": "next", "s": "stepIn", "r": "stepOut", "c": "continue"}


class Debugpy:
    """A session of debugpy. Locals are shown at each stop, as editors do, and cost no command."""

    name, samples = "debugpy", False

    def __init__(self, python, npdb):
        self.python = python

    def play(self, bug, folder):
        """Makes the moves of a bug's script. Returns the turns and the seconds."""
        with tempfile.TemporaryDirectory() as home:
            return self.make(bug, folder, environment(home))

    def make(self, bug, folder, env):
        begin = time.perf_counter()
        session = Session(self.python, folder, env)
        turns = [Turn("", "")]
        # debugpy does not stop at some failures that pdb stops at.
        for command in bug.script("debugpy" if bug.debugpy else "forward"):
            if command == "again":
                session.end()
                session = Session(self.python, folder, env, session.breakpoints)
                command = "c"
            if answer := session.do(command):
                turns.append(Turn(command, answer, cost=0 if command in LISTS else 1))
        session.end()
        return turns, time.perf_counter() - begin


class Session:
    """One run of the program below debugpy's adapter."""

    def __init__(self, python, folder, env, breakpoints=None):
        self.python, self.folder = python, folder
        self.breakpoints = breakpoints or {}
        self.thread, self.frames, self.frame, self.locals = None, [], 0, {}
        self.seq, self.text = 0, ""
        self.process = subprocess.Popen(
            [python, "-m", "debugpy.adapter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        self.ask("initialize", adapterID="npdb", pathFormat="path")
        self.started = False

    def do(self, command):
        """Carries out a command and returns what is shown, "" if it only reads what is shown already."""
        word, _, rest = command.partition(" ")
        self.text = ""
        if word == "b":
            return self.set(rest)
        if word in LISTS:
            return self.source()
        if word == "p":
            return self.show(rest)
        if word == "w":
            return ""
        if word in ("u", "d"):
            self.frame += 1 if word == "u" else -1
            return self.stop("")
        if not self.started:
            self.start()
        else:
            self.ask(MOVES[word], threadId=self.thread)
        event = self.wait("stopped", "terminated")
        if event["event"] == "terminated":
            self.started = False
            return self.text + "terminated\n"
        self.thread, self.frame = event["body"]["threadId"], 0
        self.frames = self.ask("stackTrace", threadId=self.thread, levels=20)["stackFrames"]
        return self.stop(f"{event['body']['reason']} {event['body'].get('text', '')}\n")

    def start(self):
        """Launches the program with the breakpoints that are set."""
        self.started = True
        launch = self.send("launch", program=os.path.join(self.folder, FAILING), cwd=str(self.folder),
                           python=[self.python], console="internalConsole", redirectOutput=True)
        self.wait("initialized")
        for path in self.breakpoints:
            self.put(path)
        self.ask("setExceptionBreakpoints", filters=["uncaught"])
        self.ask("configurationDone")
        self.reply(launch)

    def set(self, place):
        """Sets a breakpoint, FILE:LINE or FILE:LINE, CONDITION."""
        place, _, condition = place.partition(",")
        file, line = place.split(":")
        path = os.path.join(self.folder, file)
        point = {"line": int(line)} | ({"condition": condition.strip()} if condition else {})
        self.breakpoints.setdefault(path, []).append(point)
        if self.started:
            self.put(path)
        return f"breakpoint {place}\n"

    def put(self, path):
        self.ask("setBreakpoints", source={"path": path}, breakpoints=self.breakpoints[path])

    def stop(self, reason):
        """Shows the selected frame: its place, the frames above it, and its locals."""
        frame = self.frames[self.frame]
        text = self.text + reason
        for each in self.frames[self.frame:]:
            text += f"{os.path.relpath(each['source']['path'], self.folder)}:{each['line']} in {each['name']}\n"
        scope = next(s for s in self.ask("scopes", frameId=frame["id"])["scopes"] if s["name"] == "Locals")
        variables = self.ask("variables", variablesReference=scope["variablesReference"])["variables"]
        self.locals = {v["name"]: v["value"] for v in variables if " variables" not in v["name"]}
        return text + "".join(f"{name} = {value}\n" for name, value in self.locals.items())

    def show(self, expression):
        """Evaluates an expression in the selected frame, unless only locals are asked for, which are shown."""
        if all(name.strip() in self.locals for name in expression.split(",")):
            return ""
        frame = self.frames[self.frame]["id"]
        return self.ask("evaluate", expression=expression, frameId=frame, context="repl")["result"] + "\n"

    def source(self):
        """Shows the lines around the selected frame's, as an editor does."""
        frame = self.frames[self.frame]
        lines = Path(frame["source"]["path"]).read_text().splitlines()
        first = max(frame["line"] - AROUND, 1)
        return "".join(f"{k:4} {text}\n" for k, text in enumerate(lines, 1) if first <= k <= frame["line"] + AROUND)

    def send(self, command, **arguments):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        return self.seq

    def ask(self, command, **arguments):
        """Sends a request and returns the body of its response."""
        return self.reply(self.send(command, **arguments))

    def reply(self, seq):
        while True:
            message = self.message()
            if message["type"] == "response" and message["request_seq"] == seq:
                if not message["success"]:
                    raise RuntimeError(f"debugpy refuses {message['command']}: {message.get('message')}")
                return message.get("body", {})

    def wait(self, *events):
        while True:
            message = self.message()
            if message["type"] == "event" and message["event"] in events:
                return message

    def message(self):
        """Reads a message. The program's output is shown."""
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("debugpy has ended")
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if message.get("event") == "output" and message["body"].get("category") in ("stdout", "stderr"):
            self.text += message["body"]["output"]
        return message

    def end(self):
        """Ends the program and the adapter."""
        if self.started:
            self.ask("disconnect", terminateDebuggee=True)
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()
