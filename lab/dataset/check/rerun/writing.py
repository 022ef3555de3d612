"""Writes trajectories in nd/1, by the rules of docs/nd1.md, with the byte ranges of the predicted
parts."""

import re

from rerun.moves import END, RETURNS, START
from rerun.text import CONTEXT, FRAME, Text

JUMPS = ("breakpoint", "continue", "inv_breakpoint", "inv_continue")
TOKEN = {"call": "call", "line": "line", "exception": "exception", "return": "return", "yield": "return", "unwind": "return"}
ESCAPES = {'"': r"\"", "\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t", "<": r"\u003c"}


def string(text):
    """Returns a text as a JSON string."""
    return '"' + re.sub('["\\\\\0-\x1f\x7f]|<(?=\\|)', lambda m: ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04x}", text) + '"'


def value(text):
    """Returns the text of a value as a JSON string. A value ".." is escaped, because an
    unescaped ".." means that the value has not changed."""
    return string(text) if text != ".." else r'"\u002e\u002e"'


def source_line(text):
    return re.sub(r"<(?=[|\\])", r"<\\", text)


class Frame:
    """What a reader of the text knows about an activation: its line (None if unknown), and the
    names of the state that was shown last (None if none was shown)."""

    def __init__(self, activation, line, shown):
        self.activation, self.line, self.shown = activation, line, shown


class Writer(Text):
    """Writes a text as a sequence of states and steps. lines are the program's lines."""

    string, value = staticmethod(string), staticmethod(value)

    def __init__(self, lines, run):
        super().__init__()
        self.lines, self.run = lines, run
        self.stack = []  # Frames, outermost first
        self.current = None  # the event whose state a reader of the text read last
        self.write(CONTEXT)
        for number, line in enumerate(lines, 1):
            self.write(f"{number}|{source_line(line)}\n")
        self.write(FRAME)

    def compacted(self, events):
        self.write("<|compact_sep|>" + FRAME)
        for i in events:
            self.given(i)

    def given(self, i):
        """Writes event i, or the end, as a state that is given, not predicted. It is written in
        full."""
        changed = len(self.changed)
        if i == len(self.run.events):
            self.end()
        else:
            self.state(i, None)
        del self.changed[changed:]

    def edited(self, run, i):
        """Continues in another run after an edit. Event i of that run is the edited
        state."""
        self.run = run
        self.write("<|debug_sep|>set" + FRAME)
        self.given(i)

    def step(self, action, landing):
        self.write("<|debug_sep|>" + action + FRAME)
        begin = self.size
        if landing == START:
            self.write("<|start_sep|>" + FRAME)
        elif landing == END:
            self.end()
        else:
            self.state(landing, action.partition(" ")[0])
        self.predict.append((begin, self.size))

    def end(self):
        run = self.run
        raised = "" if run.exception is None else ', "exception": ' + value(run.exception)
        self.write("<|end_sep|>")
        self.write('{"code": %d%s}' % (run.code, raised), changed=True)
        self.write(FRAME)
        self.stack, self.current = [], None

    def state(self, i, move):
        event = self.run.events[i]
        self.write(f"<|{TOKEN[event.kind]}_sep|>")
        name, line, activation = event.stack[-1]
        below, form = self.reader(event, move)
        shown = {}
        if form == "same":
            shown = self.stack[len(below)].shown or {}
        elif form == "pushed":
            self.write("<|stack_sep|>" + string(name))
        else:
            frames = [f"[{string(f)}, {'null' if at is None else at}]" for f, at, _ in event.stack]
            self.write("<|stack_sep|>[" + ", ".join(frames) + "]")
            below = [Frame(number, at, None) for _, at, number in event.stack[:-1]]
        self.stack = [*below, Frame(activation, line, event.names)]
        self.current = event
        self.locals(event.names, shown)
        self.write("<|action_sep|>")
        self.write(str(line), changed=True)
        self.write("|" + source_line(self.lines[line - 1]) + "\n")
        if event.kind in (*RETURNS, "exception"):
            self.write("<|arg_sep|>")
            if event.kind == "unwind":
                self.write("null", changed=True)
            elif event.kind == "yield":
                self.write('{"yield": ' + value(event.value) + "}", changed=True)
            else:
                self.write(value(event.value), changed=True)
        self.write(FRAME)

    def reader(self, event, move):
        """Returns the frames below the event's own that a reader of the text knows by the rules of
        the stack, and the form in which the state is written: "pushed" (as a new frame), "same"
        (in the frame that was on top) or "whole" (with the whole stack)."""
        if move is None or move in JUMPS or self.current is None:
            return [], "whole"
        inverse = move.startswith("inv_")
        pops, pushes = ("call",) if inverse else RETURNS, RETURNS if inverse else ("call",)
        stack = list(self.stack)
        if self.current.kind in pops:
            stack.pop()
        if event.kind in pushes:
            if inverse and stack:
                stack[-1] = Frame(stack[-1].activation, None, stack[-1].shown)
            form = "pushed"
        else:
            if not stack or stack.pop().activation != event.activation:
                return [], "whole"
            form = "same"
        true = event.stack[:-1]
        if len(stack) != len(true):
            return [], "whole"
        for frame, (_, line, activation) in zip(stack, true):
            if frame.activation != activation or frame.line is not None and frame.line != line:
                return [], "whole"
        return stack, form
