"""The qualified name of a function within a method of a class that is not followed."""


def same(cls):
    return cls


@same
class Maker:
    def make(self):
        def inner():
            return 1
        made = [inner]
        return made


made = Maker().make()
