"""A parser of formulas by recursive descent, and an evaluator of its trees."""

import random


class Number:
    def __init__(self, value):
        self.value = value

    def evaluate(self, names):
        return self.value


class Name:
    def __init__(self, text):
        self.text = text

    def evaluate(self, names):
        return names[self.text]


class Binary:
    def __init__(self, operator, left, right):
        self.operator = operator
        self.left = left
        self.right = right

    def evaluate(self, names):
        left = self.left.evaluate(names)
        right = self.right.evaluate(names)
        if self.operator == "+":
            return left + right
        if self.operator == "-":
            return left - right
        if self.operator == "*":
            return left * right % 10007
        if right == 0:
            raise ZeroDivisionError(f"{left} {self.operator} 0")
        return left // right


class Parser:
    def __init__(self, text):
        self.tokens = self.split(text)
        self.position = 0

    @staticmethod
    def split(text):
        tokens = []
        i = 0
        while i < len(text):
            char = text[i]
            if char.isspace():
                i += 1
            elif char.isdigit():
                start = i
                while i < len(text) and text[i].isdigit():
                    i += 1
                tokens.append(("number", text[start:i]))
            elif char.isalpha():
                tokens.append(("name", char))
                i += 1
            else:
                tokens.append(("sign", char))
                i += 1
        tokens.append(("end", ""))
        return tokens

    def peek(self):
        return self.tokens[self.position][1]

    def advance(self):
        token = self.tokens[self.position]  # hot: self.position < 0
        self.position += 1
        return token

    def expression(self):
        node = self.term()
        while self.peek() in ("+", "-"):
            _, operator = self.advance()
            node = Binary(operator, node, self.term())
        return node

    def term(self):
        node = self.factor()
        while self.peek() in ("*", "/"):
            _, operator = self.advance()
            node = Binary(operator, node, self.factor())
        return node

    def factor(self):
        kind, text = self.advance()
        if kind == "number":
            return Number(int(text))
        if kind == "name":
            return Name(text)
        if text == "(":
            node = self.expression()
            closing = self.advance()[1]
            if closing != ")":
                raise SyntaxError(f"expected ), got {closing!r}")
            return node
        raise SyntaxError(f"unexpected {text!r}")


def invent(source, depth):
    if depth == 0:
        return source.choice(["x", "y", "z", str(source.randrange(100))])
    left, right = invent(source, depth - 1), invent(source, depth - source.randrange(1, 2))
    text = f"{left} {source.choice('+-*/')} {right}"
    return f"({text})" if source.random() < 0.5 else text


def main():
    source = random.Random(8)
    checksum, failures = 0, 0
    for number in range(260):
        text = invent(source, 4)
        tree = Parser(text).expression()
        for x in range(3):
            try:
                value = tree.evaluate({"x": x, "y": number, "z": number * x})
            except ZeroDivisionError:
                failures += 1
                continue
            checksum = (checksum * 13 + value) % 1000003
    print("divided by zero", failures, "times")
    print("checksum", checksum)


if __name__ == "__main__":
    main()
