"""Scripts people write and debug: functions that call each other, recursion,
algorithms."""

SCRIPTS = ["""
%alt
def factorial(n):
    if n «<= 1¦== 0¦< 2»:
        return 1
    return n * factorial(n - 1)
%or
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)
%or
def factorial(n, total=1):
    if n <= 1:
        return total
    return factorial(n - 1, total * n)
%or
def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
%end

%alt
def choose(n, k):
    return factorial(n) // (factorial(k) * factorial(n - k))
%or
def choose(n, k):
    if k < 0 or k > n:
        return 0
    top = factorial(n)
    return top // factorial(k) // factorial(n - k)
%or
def choose(n, k):
    if k == 0 or k == n:
        return 1
    return choose(n - 1, k - 1) + choose(n - 1, k)
%end
%use
%some 0.7
a = factorial(«#0-4»)
%and
b = choose(«#2-4», «#0-2»)
%and
for k in range(«1¦2»):
    print(factorial(k), choose(«#2-3», k))
%end
n = «#1-3»
print(factorial(n) «+¦-¦%» choose(n, 1))
""", """
%let N = fib¦fibo¦f
memo = {}

%alt
def «N»(n, memo={}):
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    memo[n] = «N»(n - 1, memo) + «N»(n - 2, memo)
    return memo[n]
%or
calls = 0

def «N»(n):
    global calls
    calls += 1
    if n «< 2¦<= 1»:
        return «n¦1»
    return «N»(n - 1) + «N»(n - 2)
%or
def «N»(n):
    if n not in memo:
        memo[n] = n if n < 2 else «N»(n - 1) + «N»(n - 2)
    return memo[n]
%or
def «N»(n):
    a, b = «0, 1¦1, 1¦2, 1»
    for _ in range(n):
        a, b = b, a + b
    return a
%end
%use
x = «N»(«#3-6»)
%opt
y = «N»(«#0-5»)
print(x, y)
%end
%opt
evens = [k for k in range(«#3-5») if «N»(k) % 2 == 0]
%end
%opt
print(memo)
%end
""", """
%let N = permutations¦perms¦arrange¦shuffle_all
%alt
def «N»(entries):
    if len(entries) <= 1:
        return [entries]
    result = []
    for i in range(len(entries)):
        rest = entries[:i] + entries[i + 1:]
        for tail in «N»(rest):
            result.append(entries[i:i + 1] + tail)
    return result
%or
def «N»(entries):
    if not entries:
        yield «entries»
        return
    for i, head in enumerate(entries):
        for tail in «N»(entries[:i] + entries[i + 1:]):
            yield entries[i:i + 1] + tail
%or
def «N»(entries, prefix=None):
    prefix = prefix or entries[:0]
    if not entries:
        return [prefix]
    result = []
    for i in range(len(entries)):
        result += «N»(entries[:i] + entries[i + 1:], prefix + entries[i:i + 1])
    return result
%end
%use
found = list(«N»(«'ab'¦'xyz'¦[1, 2]¦'aab'¦[3, 1, 3]»))
%opt
print(len(found), len(set(map(str, found))))
%end
%opt
last = found[-1]
%end
""", """
%let N = hanoi¦move_tower¦solve
moves = []

def «N»(n, source, target, spare):
    if n == 0:
        return «0¦0»
%alt
    count = «N»(n - 1, source, spare, target)
    moves.append(«(source, target)¦source + target¦f'{n}:{source}->{target}'»)
    return count + 1 + «N»(n - 1, spare, target, source)
%or
    a = «N»(n - 1, source, spare, target)
    moves.append((n, source, target))
    b = «N»(n - 1, spare, target, source)
    return a + b + 1
%end
%use
count = «N»(«#1-3», «'A', 'C', 'B'¦'l', 'r', 'm'¦'x', 'z', 'y'»)
print(count, moves[«0¦-1»])
%opt
first = [m for m in moves if m[0] == moves[0][0]]
%end
""", """
%let N = fill¦flood¦flood_fill¦paint
%alt
def «N»(grid, r, c, new, old=None):
    if old is None:
        old = grid[r][c]
    if r < 0 or c < 0 or r >= len(grid) or c >= len(grid[0]):
        return 0
    if grid[r][c] != old or old == new:
        return 0
    grid[r][c] = new
    count = 1
    for dr, dc in «((0, 1), (1, 0), (0, -1), (-1, 0))¦[(1, 0), (-1, 0), (0, 1), (0, -1)]»:
        count += «N»(grid, r + dr, c + dc, new, old)
    return count
%or
def «N»(grid, r, c, new):
    old = grid[r][c]
    stack = [(r, c)]
    count = 0
    while stack:
        r, c = stack.pop(«¦0»)
        if not (0 <= r < len(grid) and 0 <= c < len(grid[r])):
            continue
        if grid[r][c] != old or old == new:
            continue
        grid[r][c] = new
        count += 1
        stack += [(r + 1, c), (r, c + 1), (r - 1, c)«, (r, c - 1)¦»]
    return count
%end
%use
grid = «[[0, 0], [1, 0]]¦[[1, 1], [0, 1]]¦[['.', '#'], ['.', '.']]¦[[0, 1, 0], [0, 1, 1]]¦[[2, 2, 2]]»
count = «N»(grid, «0¦1¦0», «0¦1», «7¦2¦'o'¦9»)
print(grid, count)
""", """
%alt
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
%or
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)
%or
def gcd(a, b):
    if a == b:
        return a
    if a > b:
        return gcd(a - b, b)
    return gcd(a, b - a)
%end

def lcm(a, b):
    return a // gcd(a, b) * b

%let C = Fraction¦Ratio¦Frac
class «C»:
    def __init__(self, num, den=1):
%opt
        if den == 0:
            raise ZeroDivisionError('zero denominator')
%end
        g = gcd(num, den)
        self.num = num // g
        self.den = den // g

%any
    def __add__(self, other):
%opt 0.4
        if isinstance(other, int):
            other = «C»(other)
%end
        return «C»(self.num * other.den + other.num * self.den, self.den * other.den)

%and
    def __mul__(self, other):
        return «C»(self.num * other.num, self.den * other.den)

%and
    def __str__(self):
        return f'{self.num}/{self.den}'«¦ if self.den != 1 else str(self.num)»

%and
    def __eq__(self, other):
        return self.num * other.den == other.num * self.den

%end
%use
%alt
half = «C»(«#1-12», «#2-12»)
other = «C»(«#1-9», «#2-6»)
total = half «+¦*» other
print(total)
same = half == other
%or
a, b = «#4-40», «#4-40»
g = gcd(a, b)
m = lcm(«#2-9», «#2-9»)
print(str(«C»(a, b)))
%end
""", """
%let N = search¦binary_search¦bsearch¦find¦locate
%alt
def «N»(entries, target):
    left, right = 0, len(entries) - 1
    while left <= right:
        mid = (left + right) // 2
%opt 0.3
        print(left, mid, right)
%end
        if entries[mid] == target:
            return mid
        if entries[mid] < target:
            left = mid + 1
        else:
            right = mid - 1
    return -1
%or
def «N»(entries, target, left=0, right=None):
    if right is None:
        right = len(entries)
    if left >= right:
        return «None¦-1¦left»
    mid = left + (right - left) // 2
    if entries[mid] == target:
        return mid
    if entries[mid] > target:
        return «N»(entries, target, left, mid)
    return «N»(entries, target, mid + 1, right)
%or
def «N»(entries, target):
    left, right = 0, len(entries)
    while left < right:
        mid = (left + right) >> 1
        if entries[mid] «<¦<=» target:
            left = mid + 1
        else:
            right = mid
    return left
%end
%use
numbers = sorted([«#0-9», «#0-20», «#5-30», «#20-40», «#1-60»«¦, «#1-60»»])
%alt
for target in (numbers[«#0-4»], «#0-50»):
    print(target, «N»(numbers, target))
%or
where = «N»(numbers, numbers[«#0-4»])
missing = «N»(numbers, «#0-60»)
%end
""", """
%let N = solve¦subsets¦search¦pick¦combos
%alt
def «N»(numbers, target):
    if target == 0:
        return [[]]
    if not numbers or target < 0:
        return []
    head, *rest = numbers
    with_head = [[head] + s for s in «N»(rest, target - head)]
    return with_head + «N»(rest, target)
%or
def «N»(numbers, target, chosen=()):
    if target == 0:
        return «list(chosen)¦chosen»
    for i, number in enumerate(numbers):
        if number <= target:
            found = «N»(numbers[i + 1:], target - number, chosen + (number,))
            if found is not None:
                return found
    return None
%or
def «N»(numbers, target):
    if target == 0:
        return 1
    if target < 0 or not numbers:
        return 0
    return «N»(numbers[1:], target - numbers[0]) + «N»(numbers[1:], target)
%end
%use
answer = «N»([«#1-6», «#1-6», «#2-8»], «#3-12»)
print(answer)
"""]
