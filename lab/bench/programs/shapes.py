"""Classes with a __repr__ of their own: shapes in layers."""

import random


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __repr__(self):
        return f"({self.x}, {self.y})"

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def moved(self, dx, dy):
        return Point(self.x + dx, self.y + dy)


class Shape:
    count = 0

    def __init__(self, name, corner):
        Shape.count += 1
        self.name = name
        self.corner = corner
        self.colour = "grey"

    def move(self, dx, dy):
        self.corner = self.corner.moved(dx, dy)

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} at {self.corner!r}, {self.colour}>"


class Circle(Shape):
    def __init__(self, name, corner, radius):
        super().__init__(name, corner)
        self.radius = radius

    def area(self):
        return 3 * self.radius * self.radius

    def covers(self, point):
        dx, dy = point.x - self.corner.x, point.y - self.corner.y
        return dx * dx + dy * dy <= self.radius * self.radius


class Rectangle(Shape):
    def __init__(self, name, corner, width, height):
        super().__init__(name, corner)
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height

    def covers(self, point):
        right, bottom = self.corner.x + self.width, self.corner.y + self.height
        return self.corner.x <= point.x < right and self.corner.y <= point.y < bottom

    def __repr__(self):
        return f"{super().__repr__()[:-1]}, {self.width} by {self.height}>"


class Layer:
    def __init__(self, title):
        self.title = title
        self.shapes = []

    def add(self, shape):
        self.shapes.append(shape)

    def at(self, point):
        found = []
        for shape in self.shapes:
            if shape.covers(point):  # hot: point.x < 0
                found.append(shape)
        return found

    def __repr__(self):
        return f"Layer({self.title!r}, {len(self.shapes)} shapes)"


def invent(layer, count, source):
    for number in range(count):
        corner = Point(source.randrange(200), source.randrange(200))
        if number % 2:
            shape = Circle(f"c{number}", corner, source.randrange(3, 20))
        else:
            shape = Rectangle(f"r{number}", corner, source.randrange(5, 40), source.randrange(5, 40))
        layer.add(shape)


def main():
    source = random.Random(37)
    layers = [Layer("ground"), Layer("walls")]
    for layer in layers:
        invent(layer, 80, source)
    checksum = 0
    for step in range(240):
        point = Point(source.randrange(200), source.randrange(200))
        for layer in layers:
            hits = layer.at(point)
            for shape in hits:
                shape.colour = "red" if shape.colour == "grey" else "grey"
                shape.move(step % 5 - 2, 1)
                checksum = (checksum * 31 + shape.area() + shape.corner.x) % 1000003
    print(Shape.count, "shapes", layers)
    print(layers[0].shapes[:3])
    print("checksum", checksum)


if __name__ == "__main__":
    main()
