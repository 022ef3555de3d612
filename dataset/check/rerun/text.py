"""A text that grows, and the ranges of its bytes that are to be learnt."""


class Text:
    """What both formats' writers write into."""

    def __init__(self):
        self.pieces = []
        self.size = 0  # bytes
        self.predict, self.changed = [], []

    @property
    def text(self):
        return "".join(self.pieces)

    def write(self, text, changed=False):
        """Appends to the text."""
        begin = self.size
        self.pieces.append(text)
        self.size += len(text.encode())
        if changed:
            self.changed.append((begin, self.size))
