"use strict";
// The programs of the scenarios. The lines of the scenarios are theirs.

exports.programs = {
  "steps.py": `def inner(n):
    m = n * 2
    return m

def outer(n):
    a = inner(n)
    b = inner(a)
    return a + b

total = 0
for i in range(5):
    total += outer(i)
print('total', total)
`,
  "values.py": `class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

def look(numbers, table):
    point = Point(3, [4, 5])
    text = 'abc' * 2
    long = 'z' * 5000
    unique = {7}
    ratio = 1.5
    nothing = None
    deep = {'a': [{'b': (1, 2)}]}
    return point

look(list(range(250)), {'k': 1, 'l': [2]})
`,
  "raises.py": `def check(n):
    if n > 2:
        raise ValueError('too big: %d' % n)
    return n

for n in range(5):
    try:
        check(n)
    except ValueError as e:
        print('caught', e)
check(9)
`,
  "surroundings.py": `import os
import sys
print('args', sys.argv[1:])
print('env', os.environ.get('NPDB_SCENARIO'))
print('cwd', os.path.basename(os.getcwd()))
print('to stderr', file=sys.stderr)
sys.exit(3)
`,
  "asks.py": `name = input('name? ')
print('hello ' + name)
`,
  "loops.py": `n = 0
while n >= 0:
    n += 1
    m = n
print('end')
`,
};
