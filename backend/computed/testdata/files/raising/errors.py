class ParseError(Exception):
    pass


def check(text):
    if not text:
        raise ParseError("empty")
    if text == "bad":
        raise ValueError("bad text")
    return text.upper()
