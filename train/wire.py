"""nd/1 text of a walk through a recording, with what is to be learnt of it marked.

A text is written as segments, (text, kind), whose concatenation it is. The kinds:

    GIVEN      the program, the first state, actions: nobody predicts these
    STRUCTURE  of a reply: tokens, stacks, names, unchanged values, what lies between
    CONTENT    of a reply: what has to be worked out. Values that are written out, new
               names with theirs, what is returned or raised, line numbers, how it ends
    SOURCE     of a reply: the text of its line, which the number determines
"""

import re
from dataclasses import dataclass

from .moves import END, RETURNS, START, parse
from maker.recording import CALL, EXCEPTION, LINE, RETURN, UNWIND, YIELD

GIVEN, STRUCTURE, CONTENT, SOURCE = range(4)

EVENTS = {
    CALL: "<|call_sep|>",
    LINE: "<|line_sep|>",
    RETURN: "<|return_sep|>",
    YIELD: "<|return_sep|>",
    UNWIND: "<|return_sep|>",
    EXCEPTION: "<|exception_sep|>",
}
JUMPS = frozenset(("breakpoint", "inv_breakpoint", "continue", "inv_continue"))
CALLS = (CALL,)
SAME, PUSHED, WHOLE = range(3)  # how the stack of a state is written
NOWHERE = -1  # the reader's current event where there is no state: before the first, after the end

special = re.compile('["\\\\\x00-\x1f\x7f]|<(?=\\|)')
escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "<": "\\u003c"}
tokens_in_source = re.compile(r"<(?=[|\\])")


def quote(text):
    """A JSON string as nd/1 writes it."""
    if special.search(text) is None:
        return '"' + text + '"'
    return '"' + special.sub(escape, text) + '"'


def escape(found):
    c = found.group()
    return escapes.get(c) or "\\u%04x" % ord(c)


def quote_value(text):
    """The text of a value: two dots alone would mean "unchanged"."""
    return quote(text) if text != ".." else '"\\u002e\\u002e"'


class Frame:
    """An activation as a reader of the text knows it. Never changed."""

    __slots__ = ("below", "activation", "line", "latest")

    def __init__(self, below, activation, line, latest):
        self.below = below
        self.activation = activation
        self.line = line  # 0 if not known
        self.latest = latest  # the event shown last; -1 if none was


@dataclass(slots=True)
class Reply:
    """One reply: its segments, from first up to last, the move that it answers, and how
    many events that move passes over, the one it lands on included."""

    first: int
    last: int
    move: str
    horizon: int


@dataclass(slots=True)
class Trajectory:
    segments: list
    replies: list

    @property
    def text(self):
        return "".join([text for text, _ in self.segments])


class Page:
    """What all texts about one recording share."""

    def __init__(self, recording):
        self.recording = recording
        source = [tokens_in_source.sub("<\\\\", line) + "\n" for line in recording.lines]
        self.source = source
        self.context = (
            "<|trace_context_start|>"
            + "".join(["%d|%s" % (n, line) for n, line in enumerate(source, 1)])
            + "<|frame_sep|>"
        )
        self.quoted = {}  # text of a value -> as it is written
        self.stacks = {}

    def stack(self, i):
        """The whole stack at an event, as JSON."""
        text = self.stacks.get(i)
        if text is None:
            r = self.recording
            parts = []
            j = i
            while j >= 0:
                parts.append("[%s, %d]" % (quote(r.function[j]), r.line[j]))
                j = r.below[j]
            text = self.stacks[i] = "[" + ", ".join(parts[::-1]) + "]"
        return text

    def write(self, text):
        found = self.quoted.get(text)
        if found is None:
            found = self.quoted[text] = quote_value(text)
        return found


class Writer:
    """Writes one text, and knows what its reader knows."""

    def __init__(self, page):
        self.page = page
        self.recording = page.recording
        self.segments = []
        self.replies = []
        self.given = [page.context]  # text to come before the next reply
        self.size = len(page.context)
        self.top = None
        self.event = NOWHERE

    def begin(self, i):
        """The first state: an event, or len(recording) for the end of a program without one."""
        if i == len(self.recording):
            self.give(self.end())
        else:
            self.give("".join(text for text, _ in self.state(i, None)))

    def begin_compacted(self, events):
        """The states of a compacted text, the current one last."""
        self.give("<|compact_sep|><|frame_sep|>")
        for i in events:
            self.begin(i)

    def give(self, text):
        self.given.append(text)
        self.size += len(text)

    def step(self, action, outcome, event, horizon):
        """An action and the reply to it."""
        move = parse(action)[0]
        self.give("<|debug_sep|>" + action + "<|frame_sep|>")
        segments = self.segments
        segments.append(("".join(self.given), GIVEN))
        self.given = []
        first = len(segments)
        if outcome == START:
            segments.append(("<|start_sep|><|frame_sep|>", STRUCTURE))
        elif outcome == END:
            text = self.end()
            at = text.index("{")
            to = text.index("<|frame_sep|>")
            segments += [(text[:at], STRUCTURE), (text[at:to], CONTENT), (text[to:], STRUCTURE)]
        else:
            segments += self.state(event, move)
        self.size += sum([len(text) for text, _ in segments[first:]])
        self.replies.append(Reply(first, len(segments), move, horizon))

    def finish(self):
        """The trajectory; a text that ends with an action or a first state is one, too."""
        if self.given:
            self.segments.append(("".join(self.given), GIVEN))
            self.given = []
        return Trajectory(self.segments, self.replies)

    def end(self):
        self.top, self.event = None, NOWHERE
        r = self.recording
        raised = "" if r.exception is None else ', "exception": ' + quote_value(r.exception)
        return '<|end_sep|>{"code": %d%s}<|frame_sep|>' % (r.code, raised)

    def state(self, i, move):
        """The segments of a state. move is what led there, None for what is given."""
        r = self.recording
        kind = r.kind[i]
        structure = EVENTS[kind]
        form, below, latest = self.after(i, kind, move)
        if form == WHOLE:
            structure += "<|stack_sep|>" + self.page.stack(i)
            lower = []
            j = r.below[i]
            while j >= 0:
                lower.append(j)
                j = r.below[j]
            for j in reversed(lower):
                below = Frame(below, r.activation[j], r.line[j], -1)
        elif form == PUSHED:
            structure += "<|stack_sep|>" + quote(r.function[i])
        self.top = Frame(below, r.activation[i], r.line[i], i)
        self.event = kind
        out = []
        structure += "{"
        write = self.page.write
        known = {} if latest < 0 else dict(zip(r.names[latest], r.texts[latest]))
        separator = ""
        for name, text in zip(r.names[i], r.texts[i]):
            old = known.get(name)
            if old == text:
                structure += separator + quote(name) + ': ".."'
            else:
                if old is not None:
                    out.append((structure + separator + quote(name) + ": ", STRUCTURE))
                    out.append((write(text), CONTENT))
                else:
                    out.append((structure + separator, STRUCTURE))
                    out.append((quote(name) + ": " + write(text), CONTENT))
                structure = ""
            separator = ", "
        line = r.line[i]
        out.append((structure + "}<|action_sep|>", STRUCTURE))
        out.append((str(line), CONTENT))
        out.append(("|", STRUCTURE))
        out.append((self.page.source[line - 1], SOURCE))
        value = r.value[i]
        if kind == UNWIND:
            out.append(("<|arg_sep|>", STRUCTURE))
            out.append(("null", CONTENT))
        elif kind == YIELD:
            out.append(("<|arg_sep|>", STRUCTURE))
            out.append(('{"yield": ' + write(value) + "}", CONTENT))
        elif value is not None:
            out.append(("<|arg_sep|>", STRUCTURE))
            out.append((write(value), CONTENT))
        out.append(("<|frame_sep|>", STRUCTURE))
        return out

    def after(self, i, kind, move):
        """How the stack of a state is written, the frames below its own that the reader
        has then, and the event at which it has seen its frame last, -1 for none."""
        if move is None or move in JUMPS or self.event == NOWHERE:
            return WHOLE, None, -1
        r = self.recording
        inverse = move.startswith("inv_")
        top = self.top
        if self.event in (CALLS if inverse else RETURNS):
            top = top.below
        if kind in (RETURNS if inverse else CALLS):
            if inverse and top is not None:
                top = Frame(top.below, top.activation, 0, top.latest)
            if self.true(top, r.below[i]):
                return PUSHED, top, -1
        elif top is not None and top.activation == r.activation[i] and self.true(top.below, r.below[i]):
            return SAME, top.below, top.latest
        return WHOLE, None, -1

    def true(self, frame, i):
        """Whether frames are the ones that a stack has, as far as they are known."""
        r = self.recording
        while frame is not None and i >= 0:
            if frame.activation != r.activation[i] or frame.line != 0 and frame.line != r.line[i]:
                return False
            frame, i = frame.below, r.below[i]
        return frame is None and i < 0
