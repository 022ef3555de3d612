"""The common parts of texts in both formats: tokens, and a text that grows, with the
ranges of its bytes that are to be predicted."""

CONTEXT, FRAME = "<|trace_context_start|>", "<|frame_sep|>"


class Text:
    """The base of both formats' writers. A subclass has the methods string, which
    writes a name as JSON, and value, which writes the text of a value."""

    def __init__(self):
        self.pieces = []
        self.size = 0  # in bytes
        self.predict, self.changed = [], []

    @property
    def text(self):
        return "".join(self.pieces)

    def write(self, text, changed=False):
        """Appends a text. If changed is true, its bytes are part of what the result of
        an action has changed."""
        begin = self.size
        self.pieces.append(text)
        self.size += len(text.encode())
        if changed:
            self.changed.append((begin, self.size))

    def locals(self, names, shown):
        """Appends names and their values. A value that is the same in shown, the values
        that were shown before, is written as ".."."""
        self.write("{")
        for number, (name, text) in enumerate(names.items()):
            if number:
                self.write(", ")
            if name not in shown:
                self.write(self.string(name) + ": " + self.value(text), changed=True)
            elif shown[name] != text:
                self.write(self.string(name) + ": ")
                self.write(self.value(text), changed=True)
            else:
                self.write(self.string(name) + ': ".."')
        self.write("}")
