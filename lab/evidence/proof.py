"""Whether a session shows a bug's cause: the line, and the values that show that it is wrong."""

import ast
import os
import re
from dataclasses import dataclass

SETTING = re.compile(r"(t?b|t?break|cl|clear|condition|disable)\b")
ORIGIN = re.compile(r" +\(from [^()]*\)$")  # how npdb marks a value that it computed from recorded ones


@dataclass
class Turn:
    """A command and what the debugger answered."""

    command: str
    answer: str
    cost: int = 1  # 0 if the debugger shows it without a command
    printed: str | None = None  # the new lines, if the answer is a whole screen

    @property
    def text(self):
        """What the debugger printed."""
        return self.answer if self.printed is None else self.printed


def missing(turns, cause, source, proof):
    """Returns what a session does not show, None if it shows all: first the line of the cause, whose text is
    source, then each value, at the turn that shows the line or later. An expression may have alternatives
    (A | B) and a value too, because the first and the last run of a line differ."""
    at = next((k for k, turn in enumerate(turns) if names(turn, cause, source)), None)
    if at is None:
        return f"the line {cause}"
    while turns[at].cost == 0:  # it belongs to what is shown at the stop
        at -= 1
    for expression, values in proof.items():
        values = values if isinstance(values, list) else [values]
        forms = expression.split(" | ")
        if not any(shows(turn, form, value) for turn in turns[at:] for form in forms for value in values):
            return f"{expression} = {' or '.join(values)}"
    return None


def names(turn, cause, source):
    """Reports whether an answer names a line, FILE(LINE) or FILE:LINE, or lists it. The answer of a command
    that sets breakpoints does not. Some debuggers leave out the folder of FILE."""
    if SETTING.match(turn.command):
        return False
    file, line = cause.rsplit(":", 1)
    place = rf"(?<![\w.]){re.escape(os.path.basename(file))}(\({line}\)|:{line}\b)"
    return bool(re.search(rf"{place}|^[ >]*{line}\b[ B>|-]*\s.*{re.escape(source.strip())}$", turn.answer, re.M))


def shows(turn, expression, value):
    """Reports whether an answer shows an expression with a value: as the answer to p or in a history of it, or as
    NAME = VALUE."""
    if turn.command == "rv":
        return expression == "retval" and turn.answer.strip() == value
    if turn.command == f"history {expression}":
        return bool(re.search(rf"^[> ]*\d+ +{re.escape(value)}  by ", turn.answer, re.M))
    if turn.command.startswith("p "):
        answer = ORIGIN.sub("", turn.answer.strip())
        asked, said = split(turn.command[2:]), split(answer)
        if len(asked) == 1:
            said = [answer]
        return any(e == expression and v == value for e, v in zip(asked, said))
    return bool(re.search(rf"(?<![\w.\])]){re.escape(expression)} *[=:] {re.escape(value)}(?![\w.])", turn.answer))


def split(text):
    """Returns the parts of an expression that commas separate, without parentheses around them."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return [text.strip()]
    if isinstance(node, ast.Tuple):
        return [ast.unparse(part) for part in node.elts]
    return [text.strip()]
