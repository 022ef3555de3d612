from .base import Animal


class Dog(Animal):
    def __init__(self, name):
        super().__init__(name, 4)
        self.tricks = []

    def speak(self):
        return super().speak() + " woof"

    @property
    def size(self):
        return len(self.name)

    @staticmethod
    def default():
        return Dog("dog")


class Puppy(Dog):
    def speak(self):
        return Dog.speak(self).replace("woof", "yip")
