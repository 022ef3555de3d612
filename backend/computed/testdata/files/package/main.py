import shapes
import shapes.area
import shapes.inner.deep as deep
from shapes import area as a, names, square
from shapes.inner import deep as again, tools
from shapes.tools import *

x = shapes.area.rectangle(2, 3)
y = a.triangle(4, 5)
z = deep.up(1)
same = again is deep
print(names, square(3), shapes.VERSION, tools)
double = twice(4)
kept = _hidden if "_hidden" in dir() else None
shapes.VERSION = (2, 0)
print(shapes.version())
