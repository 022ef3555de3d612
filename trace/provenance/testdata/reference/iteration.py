"""The iterator of a loop."""


class Iteration:
    """The iterator of a loop, which notes where each item came from."""

    def __init__(self, tracer, activation, number, iterable, statement):
        self.tracer, self.activation, self.number, self.statement = tracer, activation, number, statement
        self.iterable, self.iterator, self.count = iterable, iter(iterable), 0
        self.origin = tracer.origin(activation, number)

    def __iter__(self):
        return self

    def __next__(self):
        if self.statement >= 0 and self.count > 0:
            self.tracer.statement(self.activation, self.statement)
        value = next(self.iterator)
        text = self.tracer.expressions[self.number].text
        self.activation.current[self.number] = self.tracer.nth(self.iterable, self.count, value, self.origin, text)
        self.count += 1
        return value
