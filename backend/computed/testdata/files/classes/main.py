from animals.base import Animal
from animals.dog import Dog, Puppy
import animals.registry as registry

a = Animal("cat", 4)
d = Dog("rex")
p = Puppy("bit")
print(a.speak(), d.speak(), p.speak())
for one in (a, d, p):
    registry.add(one)
print(len(registry.all_of(Dog)), registry.summary())


class Cat(Animal):
    def speak(self):
        base = super().speak()
        return base + " meow"


c = Cat("tom", 4)
said = c.speak()
kinds = [type(x).__name__ for x in registry.known]
shown = repr(c) + str(d)
