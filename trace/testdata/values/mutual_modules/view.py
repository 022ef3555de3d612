import store

drawn = 0


class Screen:
    def __init__(self, model):
        self.lines = []
        self.model = model
        model.listeners["screen"] = self.added

    def added(self, name):
        self.lines.append(name)
        if len(self.lines) == 2:
            store.names[0] = "seen"

    def draw(self):
        global drawn
        drawn += 1
        self.lines.append((drawn, len(self.model.names)))
        return self
