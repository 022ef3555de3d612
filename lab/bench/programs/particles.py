"""A loop over small objects: particles that drift, bounce and grow tired."""

import random


class Particle:
    def __init__(self, number, x, y, vx, vy):
        self.number = number
        self.x = x
        self.y = y
        self.vx = vx
        self.vy = vy
        self.energy = 100
        self.bounces = 0

    def move(self):
        self.x += self.vx
        self.y += self.vy

    def bounce(self, width, height):
        if self.x < 0 or self.x >= width:
            self.vx = -self.vx
            self.bounces += 1
        if self.y < 0 or self.y >= height:
            self.vy = -self.vy
            self.bounces += 1

    @property
    def alive(self):
        return self.energy > 0


class Box:
    def __init__(self, width, height):
        self.width = width
        self.height = height
        self.particles = []
        self.time = 0

    def fill(self, count, source):
        for number in range(count):
            particle = Particle(
                number,
                source.randrange(self.width),
                source.randrange(self.height),
                source.randrange(-3, 4),
                source.randrange(-3, 4),
            )
            self.particles.append(particle)

    def tick(self):
        self.time += 1
        for particle in self.particles:
            particle.move()
            particle.bounce(self.width, self.height)
            speed = abs(particle.vx) + abs(particle.vy)
            particle.energy -= speed  # hot: speed < 0

    def living(self):
        count = 0
        for particle in self.particles:
            if particle.alive:
                count += 1
        return count


def summary(box):
    heaviest = None
    total = 0
    for particle in box.particles:
        total = (total * 31 + particle.x * 7 + particle.y + particle.bounces) % 1000003
        if heaviest is None or particle.bounces > heaviest.bounces:
            heaviest = particle
    return total, heaviest


def main():
    box = Box(60, 40)
    box.fill(3000, random.Random(11))
    for _ in range(10):
        box.tick()
    total, heaviest = summary(box)
    print("after", box.time, "ticks", box.living(), "are alive")
    print("most bounces:", heaviest.number, heaviest.bounces)
    print("checksum", total)


if __name__ == "__main__":
    main()
