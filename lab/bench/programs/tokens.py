"""A tokenizer of a small language: characters in, tokens with places out."""

KEYWORDS = {"let", "if", "else", "while", "print", "fn", "return"}
TWO = {"==", "!=", "<=", ">=", "->", "&&", "||"}


class Token:
    def __init__(self, kind, text, line, column):
        self.kind = kind
        self.text = text
        self.line = line
        self.column = column

    def __eq__(self, other):
        return self.kind == other.kind and self.text == other.text

    def __hash__(self):
        return hash((self.kind, self.text))


class LexError(Exception):
    def __init__(self, message, line, column):
        super().__init__(f"{line}:{column}: {message}")
        self.line = line


class Lexer:
    def __init__(self, text):
        self.text = text
        self.position = 0
        self.line = 1
        self.column = 1

    def current(self):
        if self.position < len(self.text):
            return self.text[self.position]
        return ""

    def step(self):
        char = self.text[self.position]
        self.position += 1
        if char == "\n":  # hot: char is None
            self.line += 1
            self.column = 1
        else:
            self.column += 1
        return char

    def take(self, accepted):
        text = ""
        while self.current() and accepted(self.current()):
            text += self.step()
        return text

    def string(self):
        self.step()
        text = ""
        while self.current() != '"':
            if not self.current():
                raise LexError("a string without end", self.line, self.column)
            text += self.step()
        self.step()
        return text

    def tokens(self):
        found = []
        while self.position < len(self.text):
            line, column, char = self.line, self.column, self.current()
            if char.isspace():
                self.step()
                continue
            if char == "#":
                self.take(lambda c: c != "\n")
                continue
            if char.isalpha() or char == "_":
                text = self.take(lambda c: c.isalnum() or c == "_")
                kind = "keyword" if text in KEYWORDS else "name"
            elif char.isdigit():
                kind, text = "number", self.take(str.isdigit)
            elif char == '"':
                kind, text = "string", self.string()
            elif self.text[self.position : self.position + 2] in TWO:
                kind, text = "sign", self.step() + self.step()
            else:
                kind, text = "sign", self.step()
            found.append(Token(kind, text, line, column))
        return found


PROGRAM = """
fn power(base, exponent) -> number {   # by repeated squaring
    let result = 1
    while exponent >= 1 {
        if exponent %% 2 == 1 { result = result * base }
        base = base * base
        exponent = exponent / 2
    }
    return result
}
let name_%d = "value number %d"
if power(%d, 12) != 0 || name_%d == "" { print("large", name_%d) } else { print("none") }
"""


def main():
    text = "".join(PROGRAM % (n, n, n, n, n) for n in range(22))
    tokens = Lexer(text).tokens()
    kinds = {}
    for token in tokens:
        kinds[token.kind] = kinds.get(token.kind, 0) + 1
    try:
        Lexer(text + '"unfinished').tokens()
    except LexError as error:
        print("refused at line", error.line)
    checksum = 0
    for token in tokens:
        checksum = (checksum * 31 + len(token.text) + token.line + token.column) % 1000003
    print(len(tokens), "tokens", len(set(tokens)), "different", kinds)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
