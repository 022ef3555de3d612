"""A client of `npdb mcp`: the Model Context Protocol on the standard input and output of a child process."""

import json
import subprocess


class ToolError(Exception):
    """A tool refused a call. The message says what to do instead."""


class Client:
    """Starts `npdb mcp`, calls its tools, and counts the calls."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.requests = self.calls = 0
        self.request(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "npdb-example", "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # npdb ends all sessions, and then itself
        self.process.wait()
        self.process.stdout.close()

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")  # one message a line
        self.process.stdin.flush()

    def request(self, method, params):
        """Sends a request and returns its result."""
        self.requests += 1
        self.send({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.requests and "method" not in answer:
                if "error" in answer:
                    raise ToolError(answer["error"]["message"])
                return answer["result"]
        raise ToolError("npdb ended: its standard error says why")

    def call(self, tool, **arguments):
        """Calls a tool, prints the call, and returns the structured answer."""
        self.calls += 1
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        shown = " ".join(f"{name}={value}" for name, value in arguments.items() if name not in ("code", "program"))
        print(f"{self.calls}. {tool} {shown}".rstrip())
        if result.get("isError"):
            raise ToolError("".join(part.get("text", "") for part in result["content"]))
        return result["structuredContent"]
