"""Evaluates arithmetic: a tokenizer, a recursive parser, and an error.

What to look for: the parser's stack mirrors the expression: sum -> product ->
atom, and one level deeper for every parenthesis. The last expression raises
SyntaxError in atom(); `position` says how far the parser came.
"""

import re

TOKEN = re.compile(r"\s*(?:(\d+)|(.))")


class Parser:
    """Parses and evaluates one expression of + - * / and parentheses."""

    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.position = 0

    def peek(self):
        if self.position < len(self.tokens):
            return self.tokens[self.position]
        return None

    def take(self):
        token = self.peek()
        self.position += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.product()
            else:
                value -= self.product()
        return value

    def product(self):
        value = self.atom()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.atom()
            else:
                value /= self.atom()
        return value

    def atom(self):
        token = self.take()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise SyntaxError("a parenthesis is not closed")
            return value
        if not isinstance(token, int):
            raise SyntaxError(f"expected a number, not {token!r}")
        return token


def tokenize(text):
    """Yield the numbers of text as int and everything else as str."""
    for match in TOKEN.finditer(text):
        number, sign = match.groups()
        yield int(number) if number else sign


def main():
    for text in ("1 + 2 * 3", "(1 + 2) * 3", "8 / (5 - 3) - 1", "2 * (3 + ) "):
        try:
            print(f"{text} = {Parser(text).sum()}")
        except SyntaxError as problem:
            print(f"{text} : {problem}")


if __name__ == "__main__":
    main()
