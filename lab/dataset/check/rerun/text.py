"""What texts of both formats have in common: tokens, and how they grow, with the ranges
of their bytes that are to be learnt."""

CONTEXT, FRAME = "<|trace_context_start|>", "<|frame_sep|>"


class Text:
    """What both formats' writers write into. They have string, which writes a name as
    JSON, and value, which writes the text of a value."""

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

    def locals(self, names, shown):
        """Appends names, ".." for the values that are as shown before."""
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
