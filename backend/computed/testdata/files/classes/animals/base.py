class Animal:
    kingdom = "animals"

    def __init__(self, name, legs):
        self.name = name
        self.legs = legs

    def speak(self):
        return self.name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"
