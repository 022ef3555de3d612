"""Scripts people write and debug: functions that call each other, recursion,
algorithms."""

SCRIPTS = ["""
%let N = flatten¦flat¦walk¦total¦depth_of
%alt
def «N»(node):
    result = []
    for child in node:
        if isinstance(child, «list¦(list, tuple)»):
            result.extend(«N»(child))
        else:
            result.append(child«¦ * «#2-4»¦ + «#1-9»»)
    return result
%or
def «N»(node):
    for child in node:
        if isinstance(child, list):
            yield from «N»(child)
        else:
            yield child
%or
def «N»(node, depth=0):
    if not isinstance(node, list):
        return [(depth, node)]
    return [pair for child in node for pair in «N»(child, depth + 1)]
%end
%use
data = [«#0-9», [«#0-9», [«#0-9»«¦, «#0-9»»]], «#0-9»«¦, []¦, [[«#1-9»]]»]
flat = list(«N»(data))
print(flat)
%opt
print(«flat[-1]¦len(flat)¦sorted(flat)»)
%end
""", """
%let G = «{'a': ['b', 'c'], 'b': ['d'], 'c': ['d'], 'd': []}¦{'a': ['b'], 'b': ['c', 'a'], 'c': []}¦{1: [2, 3], 2: [4], 3: [4, 1], 4: []}¦{'x': ['y', 'z'], 'y': [], 'z': ['y', 'x']}»
graph = «G»

%alt
def visit(start):
    seen = []
    queue = [start]
    while queue:
        node = queue.pop(«0¦»)
        if node in seen:
            continue
        seen.append(node)
        for other in graph[node]:
            if other not in seen:
                queue.append(other)
    return seen
%or
def visit(node, seen=None):
    if seen is None:
        seen = []
    if node in seen:
        return seen
    seen.append(node)
    for other in graph.get(node, []):
        visit(other, seen)
    return seen
%or
def visit(start):
    distance = {start: 0}
    queue = [start]
    for node in queue:
        for other in graph[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance
%or
def visit(start):
    order = []
    def go(node):
        for other in graph[node]:
            if other not in order and other != start:
                go(other)
        «if node not in order:¦if node not in order or node == start:»
            order.append(node)
    go(start)
    return order[::-1]
%end
%use
first = list(graph)[«0¦0¦-1¦1»]
reached = visit(first)
%opt
print(len(reached) == len(graph))
%end
print(reached)
""", """
import heapq
%imports
%let N = dijkstra¦shortest¦distances
roads = {'a': {'b': «#1-9», 'c': «#1-9»}, 'b': {'c': «#1-4»«¦, 'd': «#3-9»»}, 'c': {'d': «#1-6»}, 'd': {}}

def «N»(graph, start):
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > best[node]:
            continue
        for other, length in graph[node].items():
            size = cost + length
            if size < best.get(other, 10 ** 6):
                best[other] = size
                heapq.heappush(heap, (size, other))
    return best
%use
table = «N»(roads, '«a¦a¦b¦c»')
print(table.get('«d¦c»', -1))
""", """
%let N = to_roman¦roman¦encode
VALUES = [(10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]
%alt
def «N»(number):
    output = ''
    for value, mark in VALUES:
        while number >= value:
            output += mark
            number -= value
    return output
%or
def «N»(number):
    output = []
    for value, mark in VALUES:
        count, number = divmod(number, value)
        output.append(mark * count)
    return ''.join(output)
%or
def «N»(number):
    if number == 0:
        return ''
    value, mark = next(p for p in VALUES if p[0] <= number)
    return mark + «N»(number - value)
%end

DIGITS = {'I': 1, 'V': 5, 'X': 10, 'L': 50}

def from_roman(text):
    total = 0
    for i, letter in enumerate(text):
        value = DIGITS[letter]
        if i + 1 < len(text) and DIGITS[text[i + 1]] > value:
            total -= value
        else:
            total += value
    return total
%use
%alt
text = «N»(«#1-39»)
back = from_roman(text)
assert back > 0
%or
n = from_roman('«XIV¦IX¦XLII¦VIII¦XIX¦XXIV»')
print(«N»(n % «#5-30»))
%or
for number in («#1-9», «#4-24»):
    print(number, «N»(number))
%end
""", """
%let N = shift¦caesar¦encrypt¦rotate
def «N»(text, key):
    output = ''
    for letter in text:
        if letter.isalpha():
            base = ord('A') if letter.isupper() else ord('a')
            output += chr((ord(letter) - base + key) % 26 + base)
        else:
            output += «letter¦'_'¦letter»
    return output

%alt
def decode(text, key):
    return «N»(text, -key)
%or
def decode(text, key):
    return «N»(text, 26 - key)
%end
%use
secret = «N»('«abc¦Hi z¦xyz¦Go-On¦zoo!¦Py3»', «#1-25»)
plain = decode(secret, «#1-25»)
print(secret, plain)
""", """
%let N = encode¦compress¦rle¦pack
%alt
def «N»(text):
    result = []
    for letter in text:
        if result and result[-1][0] == letter:
            result[-1][1] += 1
        else:
            result.append([letter, 1])
    return «result¦''.join(c + str(n) for c, n in result)¦''.join(f'{n}{c}' for c, n in result)¦[tuple(p) for p in result]»
%or
def «N»(text):
    output, i = '', 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        output += text[i] + «str(j - i)¦(str(j - i) if j - i > 1 else '')»
        i = j
    return output
%end

%opt
def expand(pairs):
    return ''.join(letter * n for letter, n in pairs)

%let X = y
%end
%use
packed = «N»('«aaab¦abbc¦xxyyx¦zzz¦aabbaa¦hello¦»')
%opt
shorter = len(packed) < «#2-6»
%end
%if X=y
print(expand([('«a¦x»', «#0-4»), ('b', «#1-3»)]))
%end
other = «N»(«'mm-mm'¦'a'¦''¦'oooh'»)
""", """
PAIRS = {')': '(', ']': '[', '}': '{'}

%alt
def balanced(text):
    stack = []
    for letter in text:
        if letter in '([{':
            stack.append(letter)
        elif letter in PAIRS:
            if not stack or stack.pop() != PAIRS[letter]:
                return False
    return not stack
%or
def balanced(text):
    stack = []
    for i, letter in enumerate(text):
        if letter in PAIRS.values():
            stack.append((letter, i))
        elif letter in PAIRS:
            if not stack:
                return i
            opened, at = stack.pop()
            if opened != PAIRS[letter]:
                return at
    return stack[-1][1] if stack else -1
%or
def balanced(text):
    depth = deepest = 0
    for letter in text:
        if letter == '(':
            depth += 1
            deepest = max(deepest, depth)
        elif letter == ')':
            depth -= 1
            if depth < 0:
                return «None¦-1¦False»
    return deepest if depth == 0 else «None¦-1¦False»
%end
%use
%alt
for text in («'([])'¦'(a)'¦'(]'», «'(()'¦'{}[]'¦')('¦'x'»):
    print(text, balanced(text))
%or
checks = [balanced(t) for t in ['«()¦(x)(¦((a)b)»', '«}{¦[{}]¦(]»']]
%end
""", """
%let N = tokenize¦scan¦lex¦split_tokens
def «N»(text):
    tokens = []
    i = 0
    while i < len(text):
        letter = text[i]
        if letter.isspace():
            i += 1
            continue
        if letter.isdigit():
            j = i
            while j < len(text) and text[j].isdigit():
                j += 1
            tokens.append(«int(text[i:j])¦('num', int(text[i:j]))»)
            i = j
        else:
            tokens.append(«letter¦('op', letter)»)
            i += 1
    return tokens
%use
tokens = «N»('«#1-99» «+¦*¦-» «#1-40»«¦(¦ ;»')
print(tokens)
kinds = [type(t).__name__ for t in tokens]
""", """
class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.position = 0

    def peek(self):
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.position += 1
        return token

    def expr(self):
        value = self.term()
        while self.peek() in ('+', '-'):
            if self.take() == '+':
                value += self.term()
            else:
                value -= self.term()
        return value

    def term(self):
        value = self.atom()
        while self.peek() == '*':
            self.take()
            value *= self.atom()
        return value

    def atom(self):
        token = self.take()
%opt
        if token == '(':
            value = self.expr()
            self.take()
            return value
%let P = y
%end
%opt
        if not token.isdigit():
            raise SyntaxError(f'unexpected {token}')
%end
        return int(token)
%use
%if P=y
value = Parser(list('«(«#1-9»«+¦-»«#1-9»)¦«#2-5»*(«#1-9»)»')).expr()
%else
value = Parser('«#1-20» «+¦-¦*» «#1-9»«¦ * «#1-9»»'.split()).expr()
%end
print(value)
"""]
