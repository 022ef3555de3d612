# Observers that unsubscribe, subscribe and change each other.
class Subject:
    def __init__(self):
        self.observers = []
        self.history = {}

    def attach(self, observer):
        self.observers.append(observer)
        observer.subjects.add(self.name())
        return observer

    def name(self):
        return "subject"

    def fire(self, event):
        self.history.setdefault(event, []).append(len(self.observers))
        for observer in list(self.observers):
            observer.notify(self, event)


class Observer:
    def __init__(self, left):
        self.left = left
        self.subjects = set()
        self.got = []

    def notify(self, subject, event):
        self.got.append(event)
        self.left -= 1
        if self.left == 0:
            subject.observers.remove(self)
            self.subjects.clear()
            if event == "b":
                subject.attach(Observer(1)).got = self.got


subject = Subject()
one = subject.attach(Observer(2))
two = subject.attach(Observer(3))
for event in "abc":
    subject.fire(event)
history = subject.history
history["a"].append(one.got is two.got)
print(one.got, two.got, history, len(subject.observers))
