"""Bodies under gravity, with vectors as objects and operators of their own."""

import math


class Vector:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def length(self):
        return math.sqrt(self.dot(self))


class Body:
    def __init__(self, name, mass, position, velocity):
        self.name = name
        self.mass = mass
        self.position = position
        self.velocity = velocity
        self.path = []

    def pull(self, force, dt):
        self.velocity = self.velocity + force * (dt / self.mass)

    def drift(self, dt):
        self.position = self.position + self.velocity * dt
        self.path.append(self.position)


class System:
    G = 6.674e-2

    def __init__(self, bodies):
        self.bodies = bodies
        self.steps = 0

    def attraction(self, a, b):
        between = b.position - a.position
        distance = between.length() + 0.01
        strength = self.G * a.mass * b.mass / (distance * distance)  # hot: distance < 0
        return between * (strength / distance)

    def step(self, dt):
        for i, a in enumerate(self.bodies):
            for b in self.bodies[i + 1 :]:
                force = self.attraction(a, b)
                a.pull(force, dt)
                b.pull(force * -1, dt)
        for body in self.bodies:
            body.drift(dt)
        self.steps += 1

    def energy(self):
        total = 0.0
        for i, a in enumerate(self.bodies):
            total += 0.5 * a.mass * a.velocity.dot(a.velocity)
            for b in self.bodies[i + 1 :]:
                total -= self.G * a.mass * b.mass / (a.position - b.position).length()
        return total


def build():
    return System(
        [
            Body("sun", 1000.0, Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
            Body("mercury", 0.05, Vector(4.0, 0.0, 0.1), Vector(0.0, 4.1, 0.0)),
            Body("venus", 0.8, Vector(7.2, 0.0, 0.2), Vector(0.0, 3.0, 0.1)),
            Body("earth", 1.0, Vector(0.0, 10.0, 0.0), Vector(-2.6, 0.0, 0.0)),
            Body("mars", 0.1, Vector(0.0, -15.0, 0.3), Vector(2.1, 0.0, 0.0)),
            Body("jupiter", 30.0, Vector(-52.0, 0.0, 0.0), Vector(0.0, -1.1, 0.0)),
        ]
    )


def main():
    system = build()
    before = system.energy()
    for _ in range(350):
        system.step(0.01)
    after = system.energy()
    print(f"energy before {before:.4f}, after {after:.4f}")
    checksum = 0
    for body in system.bodies:
        print(f"{body.name:8} {body.position.x:9.4f} {body.position.y:9.4f}, {len(body.path)} places")
        checksum = (checksum * 7 + int(body.position.length() * 1000)) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
