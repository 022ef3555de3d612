"""Right trajectories, written by hand, into which the tests plant errors."""

import re
from dataclasses import dataclass


def actions_of(text):
    """Returns the actions in a text of nd/1."""
    return [a for a in re.findall(r"<\|debug_sep\|>(.*?)<\|frame_sep\|>", text) if a != "set"]


@dataclass
class Walk:
    """A right trajectory. In its text, « » surround the bytes that a model must predict, and ‹ ›
    those that changed. Line ends before actions and at both ends are ignored; they are only for
    readability."""

    name: str
    entry: str
    horizons: list
    marked: str
    dialect: str = "nd/1"
    actions: list = None  # the actions, if they cannot be read from the text

    def line(self):
        marked = self.marked.strip("\n").replace("\n<|debug_sep|>", "<|debug_sep|>")
        text, begun, spans = "", {}, {"«": [], "‹": []}
        for piece in re.split("([«»‹›])", marked):
            at = len(text.encode())
            if piece in ("«", "‹"):
                begun[piece] = at
            elif piece in ("»", "›"):
                opening = {"»": "«", "›": "‹"}[piece]
                spans[opening].append([begun[opening], at])
            else:
                text += piece
        return {
            "id": self.name,
            "dialect": self.dialect,
            "text": text,
            "predict": spans["«"],
            "changed": spans["‹"],
            "actions": self.actions or actions_of(text),
            "horizons": list(self.horizons),
            "source": {"program": self.name, "entry": self.entry, "family": "", "number": 0, "walk": 0},
        }


WALKS = [
    Walk(
        "forward",
        "",
        [1, 1, 2, 1],
        r"""
<|trace_context_start|>1|def f(x):
2|    return x + 1
3|a = f(2)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):
<|frame_sep|>
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹3›|a = f(2)
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|call_sep|><|stack_sep|>"f"{‹"x": "2"›}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>step_return<|frame_sep|>«<|return_sep|>{"x": ".."}<|action_sep|>‹2›|    return x + 1
<|arg_sep|>‹"3"›<|frame_sep|>»
<|debug_sep|>continue<|frame_sep|>«<|end_sep|>‹{"code": 0}›<|frame_sep|>»
""",
    ),
    Walk(
        "edited",
        "",
        [4, 1, 1, 1, 1, 0, 4, 1, 1, 0, 1],
        r"""
<|trace_context_start|>1|def f(x):
2|    y = x + 1
3|    return y
4|a = f(2)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):
<|frame_sep|>
<|debug_sep|>breakpoint 3<|frame_sep|>«<|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{‹"x": "2"›, ‹"y": "3"›}<|action_sep|>‹3›|    return y
<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|line_sep|>{"x": ".."}<|action_sep|>‹2›|    y = x + 1
<|frame_sep|>»
<|debug_sep|>inv_step_return<|frame_sep|>«<|call_sep|>{"x": ".."}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>inv_step_into<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹4›|a = f(2)
<|frame_sep|>»
<|debug_sep|>inv_continue<|frame_sep|>«<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>inv_step_into<|frame_sep|>«<|start_sep|><|frame_sep|>»
<|debug_sep|>breakpoint 3<|frame_sep|>«<|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{‹"x": "2"›, ‹"y": "3"›}<|action_sep|>‹3›|    return y
<|frame_sep|>»
<|debug_sep|>set<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{"x": "2", "y": "[7]"}<|action_sep|>3|    return y
<|frame_sep|>
<|debug_sep|>step_into<|frame_sep|>«<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>‹3›|    return y
<|arg_sep|>‹"[7]"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|return_sep|>{‹"a": "[7]"›}<|action_sep|>‹4›|a = f(2)
<|arg_sep|>‹"None"›<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|end_sep|>‹{"code": 0}›<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|return_sep|><|stack_sep|>[["<module>", 4]]{‹"a": "[7]"›}<|action_sep|>‹4›|a = f(2)
<|arg_sep|>‹"None"›<|frame_sep|>»
""",
    ),
    Walk(
        "raised",
        "",
        [1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1],
        r"""
<|trace_context_start|>1|def f(d, k):
2|    return d[k]
3|try:
4|    f({}, 1)
5|except KeyError:
6|    n = 0
7|m = f({'é<\|': 2}, 'b')
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(d, k):
<|frame_sep|>
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹3›|try:
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹4›|    f({}, 1)
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|exception_sep|>{}<|action_sep|>‹4›|    f({}, 1)
<|arg_sep|>‹"KeyError(1)"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹5›|except KeyError:
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹6›|    n = 0
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{‹"n": "0"›}<|action_sep|>‹7›|m = f({'é<\|': 2}, 'b')
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|call_sep|><|stack_sep|>"f"{‹"d": "{'é\u003c|': 2}"›, ‹"k": "'b'"›}<|action_sep|>‹1›|def f(d, k):
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{"d": "..", "k": ".."}<|action_sep|>‹2›|    return d[k]
<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|call_sep|>{"d": "..", "k": ".."}<|action_sep|>‹1›|def f(d, k):
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|line_sep|>{"d": "..", "k": ".."}<|action_sep|>‹2›|    return d[k]
<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|call_sep|>{"d": "..", "k": ".."}<|action_sep|>‹1›|def f(d, k):
<|frame_sep|>»
""",
    ),
    Walk(
        "generator",
        "f(0, D())",
        [1, 1, 1, 1, 1, 1, 1, 5, 5, 3, 16],
        r"""
<|trace_context_start|>1|def g(n):
2|    while True:
3|        n += 1
4|        yield n
5|class D:
6|    def __repr__(self):
7|        return '..'
8|def f(i, d):  # <\| <\\
9|    for x in g(i):
10|        if x > 1:
11|            return d
<|frame_sep|><|call_sep|><|stack_sep|>[["f", 8]]{"i": "0", "d": "\u002e\u002e"}<|action_sep|>8|def f(i, d):  # <\| <\\
<|frame_sep|>
<|debug_sep|>step_into<|frame_sep|>«<|line_sep|>{"i": "..", "d": ".."}<|action_sep|>‹9›|    for x in g(i):
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|call_sep|><|stack_sep|>"g"{‹"n": "0"›}<|action_sep|>‹1›|def g(n):
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹2›|    while True:
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹3›|        n += 1
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{"n": ‹"1"›}<|action_sep|>‹4›|        yield n
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|return_sep|>{"n": ".."}<|action_sep|>‹4›|        yield n
<|arg_sep|>‹{"yield": "1"}›<|frame_sep|>»
<|debug_sep|>inv_step_into<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹4›|        yield n
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹2›|    while True:
<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹4›|        yield n
<|frame_sep|>»
<|debug_sep|>inv_step_return<|frame_sep|>«<|call_sep|>{"n": ‹"0"›}<|action_sep|>‹1›|def g(n):
<|frame_sep|>»
<|debug_sep|>step_return<|frame_sep|>«<|return_sep|><|stack_sep|>[["f", 11], ["g", 4]]{‹"n": "2"›}<|action_sep|>‹4›|        yield n
<|arg_sep|>‹null›<|frame_sep|>»
""",
    ),
    Walk(
        "compacted",
        "",
        [1, 1, 1, 0],
        r"""
<|trace_context_start|>1|def f(x):
2|    y = x
3|    return y
4|n = 4
5|a = f(n)
<|frame_sep|><|compact_sep|><|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 5]]{"n": "4"}<|action_sep|>5|a = f(n)
<|frame_sep|><|return_sep|><|stack_sep|>[["<module>", 5], ["f", 3]]{"x": "4", "y": "4"}<|action_sep|>3|    return y
<|arg_sep|>"4"<|frame_sep|>
<|debug_sep|>inv_step_into<|frame_sep|>«<|line_sep|>{"x": "..", "y": ".."}<|action_sep|>‹3›|    return y
<|frame_sep|>»
<|debug_sep|>step_return<|frame_sep|>«<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>‹3›|    return y
<|arg_sep|>‹"4"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|return_sep|>{‹"n": "4"›, ‹"a": "4"›}<|action_sep|>‹5›|a = f(n)
<|arg_sep|>‹"None"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|end_sep|>‹{"code": 0}›<|frame_sep|>»
""",
    ),
    Walk(
        "died",
        "",
        [1, 5, 1, 1, 1, 1, 2, 3, 8, 7],
        r"""
<|trace_context_start|>1|def f(x):
2|    return 1 // x
3|y = f(0)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):
<|frame_sep|>
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹3›|y = f(0)
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|exception_sep|>{}<|action_sep|>‹3›|y = f(0)
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»
<|debug_sep|>inv_step_into<|frame_sep|>«<|return_sep|><|stack_sep|>"f"{‹"x": "0"›}<|action_sep|>‹2›|    return 1 // x
<|arg_sep|>‹null›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|exception_sep|>{}<|action_sep|>‹3›|y = f(0)
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|return_sep|>{}<|action_sep|>‹3›|y = f(0)
<|arg_sep|>‹null›<|frame_sep|>»
<|debug_sep|>inv_step_over<|frame_sep|>«<|exception_sep|>{}<|action_sep|>‹3›|y = f(0)
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»
<|debug_sep|>continue<|frame_sep|>«<|exception_sep|><|stack_sep|>[["<module>", 3], ["f", 2]]{‹"x": "0"›}<|action_sep|>‹2›|    return 1 // x
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|end_sep|>‹{"code": 1, "exception": "ZeroDivisionError('integer division or modulo by zero')"}›<|frame_sep|>»
<|debug_sep|>inv_continue<|frame_sep|>«<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>continue<|frame_sep|>«<|end_sep|>‹{"code": 1, "exception": "ZeroDivisionError('integer division or modulo by zero')"}›<|frame_sep|>»
""",
    ),
    Walk(
        "longer",
        "",
        [1, 1, 1, 5, 1, 1, 1, 1],
        r"""
<|trace_context_start|>1|def f(x):
2|    return x
3|n = 1
4|while n:
5|    n -= f(1)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|def f(x):
<|frame_sep|>
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹3›|n = 1
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{‹"n": "1"›}<|action_sep|>‹4›|while n:
<|frame_sep|>»
<|debug_sep|>step_over<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹5›|    n -= f(1)
<|frame_sep|>»
<|debug_sep|>set<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 5]]{"n": "2"}<|action_sep|>5|    n -= f(1)
<|frame_sep|>
<|debug_sep|>breakpoint 5<|frame_sep|>«<|line_sep|><|stack_sep|>[["<module>", 5]]{‹"n": "1"›}<|action_sep|>‹5›|    n -= f(1)
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|call_sep|><|stack_sep|>"f"{‹"x": "1"›}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>step_into<|frame_sep|>«<|line_sep|>{"x": ".."}<|action_sep|>‹2›|    return x
<|frame_sep|>»
<|debug_sep|>inv_step_return<|frame_sep|>«<|call_sep|>{"x": ".."}<|action_sep|>‹1›|def f(x):
<|frame_sep|>»
<|debug_sep|>inv_step_return<|frame_sep|>«<|line_sep|>{"n": ".."}<|action_sep|>‹5›|    n -= f(1)
<|frame_sep|>»
""",
    ),
    Walk(
        "trace of a call",
        "f(1)",
        [-1, 1, 1, 1, 2, 1, 1, -1, 0],
        r"""
<|begin_of_text|><|trace_context_start|>
def g(x):
    return x * 2
def f(x):
    y = g(x + 1)
    return 'é' * y
def main():  # << START_OF_TRACE
    return f(1)
<|frame_sep|><|call_sep|>{}<|action_sep|>def main():
<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹    return f(1)›
<|frame_sep|>»«<|call_sep|>{‹"x": "1"›}<|action_sep|>‹def f(x):›
<|frame_sep|>»«<|line_sep|>{"x": ".."}<|action_sep|>‹    y = g(x + 1)›
<|frame_sep|>»«<|call_sep|>{‹"x": "2"›}<|action_sep|>‹def g(x):›
<|frame_sep|>»<|return_sep|>«<|action_sep|>‹    return x * 2›
<|arg_sep|>‹"4"›<|frame_sep|>»«<|line_sep|>{"x": "..", ‹"y": "4"›}<|action_sep|>‹    return 'é' * y›
<|frame_sep|>»«<|return_sep|><|action_sep|>‹    return 'é' * y›
<|arg_sep|>‹"'\u00e9\u00e9\u00e9\u00e9'"›<|frame_sep|>»«<|return_sep|><|action_sep|>‹    return f(1)›
<|arg_sep|>‹"'\u00e9\u00e9\u00e9\u00e9'"›<|frame_sep|>»«<|end_of_text|>»
""",
        "cwm",
        ["step_into"] * 4 + ["step_return"] + ["step_into"] * 4,
    ),
    Walk(
        "trace of a script",
        "",
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
        r"""
<|begin_of_text|><|trace_context_start|>def f(x):  # << START_OF_TRACE
    x += 1
    return 1 // x
try:
    f(-1)
except ZeroDivisionError:
    pass
<|frame_sep|><|line_sep|>{}<|action_sep|>def f(x):
<|frame_sep|>«<|line_sep|>{}<|action_sep|>‹try:›
<|frame_sep|>»«<|line_sep|>{}<|action_sep|>‹    f(-1)›
<|frame_sep|>»«<|call_sep|>{‹"x": "-1"›}<|action_sep|>‹def f(x):›
<|frame_sep|>»«<|line_sep|>{"x": ".."}<|action_sep|>‹    x += 1›
<|frame_sep|>»«<|line_sep|>{"x": ‹"0"›}<|action_sep|>‹    return 1 // x›
<|frame_sep|>»«<|exception_sep|><|action_sep|>‹    return 1 // x›
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»«<|return_sep|><|action_sep|>‹    return 1 // x›
<|arg_sep|>‹"None"›<|frame_sep|>»«<|exception_sep|><|action_sep|>‹    f(-1)›
<|arg_sep|>‹"ZeroDivisionError('integer division or modulo by zero')"›<|frame_sep|>»«<|line_sep|>{}<|action_sep|>‹except ZeroDivisionError:›
<|frame_sep|>»«<|line_sep|>{}<|action_sep|>‹    pass›
<|frame_sep|>»«<|return_sep|><|action_sep|>‹    pass›
<|arg_sep|>‹"None"›<|frame_sep|>»«<|end_of_text|>»
""",
        "cwm",
        ["step_into"] * 12,
    ),
]
