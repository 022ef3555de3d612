"""The common parts of the writers of both formats: tokens, and a text that grows, with the byte
ranges of its predicted parts."""

CONTEXT, FRAME = "<|trace_context_start|>", "<|frame_sep|>"


class Text:
    """The base class of the writers of both formats. A subclass defines the methods string, which
    writes a name as JSON, and value, which writes the text of a value."""

    def __init__(self):
        self.pieces = []
        self.size = 0  # in bytes
        self.predict, self.changed = [], []

    @property
    def text(self):
        return "".join(self.pieces)

    def write(self, text, changed=False):
        """Appends a text. If changed is true, its bytes belong to what an action has changed."""
        begin = self.size
        self.pieces.append(text)
        self.size += len(text.encode())
        if changed:
            self.changed.append((begin, self.size))

    def locals(self, names, shown):
        """Appends names and their values. A value that is equal in shown, the values that were
        shown before, is written as ".."."""
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
