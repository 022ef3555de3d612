"""A notation like JSON: values are written as text and read back."""


class ParseError(ValueError):
    pass


def write(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(write(item) for item in value) + "]"
    if isinstance(value, dict):
        parts = []
        for key, item in value.items():
            parts.append(quote(key) + ": " + write(item))
        return "{" + ", ".join(parts) + "}"
    raise TypeError(f"cannot write {type(value).__name__}")


def quote(text):
    out = '"'
    for char in text:
        if char in '"\\':
            out += "\\" + char
        elif char == "\n":
            out += "\\n"
        else:
            out += char
    return out + '"'


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def space(self):
        while self.at < len(self.text) and self.text[self.at] in " \n\t":
            self.at += 1

    def expect(self, char):
        self.space()
        if self.text[self.at : self.at + 1] != char:
            raise ParseError(f"expected {char!r} at {self.at}")
        self.at += 1

    def ahead(self):
        self.space()
        return self.text[self.at : self.at + 1]

    def value(self):
        char = self.ahead()
        if char == "{":
            return self.mapping()
        if char == "[":
            return self.sequence()
        if char == '"':
            return self.string()
        for word, meaning in (("null", None), ("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def mapping(self):
        result = {}
        self.expect("{")
        while self.ahead() != "}":
            key = self.string()
            self.expect(":")
            result[key] = self.value()
            if self.ahead() == ",":
                self.at += 1
        self.expect("}")
        return result

    def sequence(self):
        result = []
        self.expect("[")
        while self.ahead() != "]":
            result.append(self.value())
            if self.ahead() == ",":
                self.at += 1
        self.expect("]")
        return result

    def string(self):
        self.expect('"')
        chars = []
        while self.text[self.at] != '"':
            char = self.text[self.at]
            if char == "\\":
                self.at += 1
                char = {"n": "\n"}.get(self.text[self.at], self.text[self.at])
            chars.append(char)  # hot: char is None
            self.at += 1
        self.at += 1
        return "".join(chars)

    def number(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "-+.e0123456789":
            self.at += 1
        text = self.text[start : self.at]
        if not text:
            raise ParseError(f"no value at {start}")
        return float(text) if "." in text or "e" in text else int(text)


def document(number):
    return {
        "id": number,
        "title": f"Document \"{number}\"\nin two lines",
        "tags": ["red", "green", None, number % 2 == 0],
        "author": {"name": f"writer {number % 5}", "ratings": [number / 4, -number, 0.5]},
        "pages": [{"number": page, "words": page * 31 % 17} for page in range(4)],
        "empty": [[], {}, ""],
    }


def main():
    checksum = refused = 0
    for number in range(90):
        before = document(number)
        text = write(before)
        after = Reader(text).value()
        assert after == before
        checksum = (checksum * 31 + len(text)) % 1000003
        try:
            Reader(text.replace(":", ";", 3)).value()
        except ParseError:
            refused += 1
    print("refused", refused)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
