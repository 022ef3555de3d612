"""The baseline: a sys.settrace function that writes changed locals as JSON lines.

Usage: settrace_json.py OUTPUT PROGRAM [ARGUMENT...]

Every event of the program's own file becomes one line of OUTPUT, {"event": ..., "line":
..., "changed": {name: repr}}, with the locals whose repr differs from the latest one in
the same frame. It does not trace library code. It is a straightforward tracer that a
programmer would write in an afternoon, without careless waste.
"""

import json
import sys


class Recorder:
    """Writes the events of one file. `last` maps an active frame to the reprs of its
    locals."""

    def __init__(self, filename, output):
        self.filename = filename
        self.output = output
        self.last = {}
        self.events = 0

    def trace(self, frame, event, argument):
        if frame.f_code.co_filename != self.filename:
            return None
        shown = self.last.setdefault(frame, {})
        changed = {}
        for name, value in frame.f_locals.items():
            text = repr(value)
            if shown.get(name) != text:
                shown[name] = changed[name] = text
        record = {"event": event, "line": frame.f_lineno, "changed": changed}
        if event == "return":
            record["value"] = repr(argument)
            del self.last[frame]
        elif event == "exception":
            record["value"] = repr(argument[1])
        self.output.write(json.dumps(record) + "\n")
        self.events += 1
        return self.trace


def main():
    path, program = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    with open(program, encoding="utf-8") as file:
        code = compile(file.read(), program, "exec")
    namespace = {"__name__": "__main__", "__file__": program, "__builtins__": __builtins__}
    with open(path, "w", encoding="utf-8") as output:
        recorder = Recorder(program, output)
        sys.settrace(recorder.trace)
        try:
            exec(code, namespace)
        finally:
            sys.settrace(None)
    print(f"{recorder.events} events", file=sys.stderr)


if __name__ == "__main__":
    main()
