"""Scripts people write and debug: classes with state."""

SCRIPTS = ["""
%let K = 3¦5¦7¦0
%let C = Node¦ListNode¦Link¦Cell
class «C»:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

%alt
def build(values):
    head = None
    for value in reversed(values):
        head = «C»(value, head)
    return head
%or
def build(values):
    if not values:
        return None
    return «C»(values[0], build(values[1:]))
%or
def build(values):
    first = last = None
    for value in values:
        node = «C»(value)
        if first is None:
            first = node
        else:
            last.next = node
        last = node
    return first
%end

def to_list(node):
    result = []
    while node«¦ is not None»:
        result.append(node.value)
        node = node.next
    return result

%let W = reverse¦length¦nth¦insert¦remove¦total
%if W=reverse
def work(head):
    previous = None
    while head:
        head.next, previous, head = previous, head, head.next
    return previous
%end
%if W=length
def work(head):
    «return 0 if head is None else 1 + work(head.next)¦return 1 + work(head.next) if head else 0»
%end
%if W=nth
def work(head, n=«#0-3»):
    while head and n > 0:
        head = head.next
        n -= 1
    return head«.value if head else None¦ and head.value»
%end
%if W=insert
def work(head, value=«#0-15»):
    if head is None or value «<¦<=» head.value:
        return «C»(value, head)
    head.next = work(head.next, value)
    return head
%end
%if W=remove
def work(head, value=«K»):
    if head is None:
        return None
    if head.value == value:
        return «head.next¦work(head.next, value)»
    head.next = work(head.next, value)
    return head
%end
%if W=total
def work(head):
    total = 0
    while head:
        total += head.value«¦ * «#2-4»»
        head = head.next
    return total
%end
%use
chain = build([«#0-9», «K», «#0-9»«¦, «#0-12»¦, «K», «#5-9»»])
%if W=reverse
print(to_list(work(chain)))
%else
got = work(chain)
%if W=insert
print(to_list(got))
%end
%if W=remove
print(to_list(got))
%end
print(to_list(chain))
%end
""", """
%let C = Node¦Tree¦BST¦TreeNode
%let K = «value¦key¦data»
class «C»:
    def __init__(self, «K»«¦, left=None, right=None»):
        self.«K» = «K»
        self.left = None
        self.right = None

%alt
    def insert(self, «K»):
        if «K» == self.«K»:
            return «¦False»
        if «K» < self.«K»:
            if self.left is None:
                self.left = «C»(«K»)
            else:
                self.left.insert(«K»)
        elif self.right is None:
            self.right = «C»(«K»)
        else:
            self.right.insert(«K»)
%or
    def insert(self, «K»):
        side = 'left' if «K» < self.«K» else 'right'
        child = getattr(self, side)
        if child is None:
            setattr(self, side, «C»(«K»))
        else:
            child.insert(«K»)
%end

%let W = order¦depth¦find¦sum¦leaves¦gen
%if W=order
def work(node):
    if node is None:
        return []
    return «work(node.left) + [node.«K»] + work(node.right)¦[node.«K»] + work(node.left) + work(node.right)¦work(node.right) + [node.«K»] + work(node.left)»
%end
%if W=depth
def work(node):
    if not node:
        return 0
    return 1 + max(work(node.left), work(node.right))
%end
%if W=find
def work(node):
    steps = «[]¦''»
    while node and node.«K» != «#0-9»:
        steps += «'L' if node.«K» > «#1-9» else 'R'»
        node = node.left if node.«K» > «#2-8» else node.right
    return steps
%end
%if W=sum
def work(node):
    return node.«K» + work(node.left) + work(node.right) if node else 0
%end
%if W=leaves
def work(node):
    if node is None:
        return 0
    if node.left is None and node.right is None:
        return «1¦node.«K»»
    return work(node.left) + work(node.right)
%end
%if W=gen
def walk(node):
    if node:
        yield from walk(node.left)
        yield node.«K»
        yield from walk(node.right)

def work(node):
    return «list(walk(node))¦sum(walk(node))¦next(walk(node))»
%end
%use
root = «C»(«#3-7»)
for value in [«#0-9», «#0-9»«¦, «#0-9»»]:
    root.insert(value)
result = work(root)
print(result)
""", """
%let C = LRUCache¦Cache¦Recent
class «C»:
    def __init__(self, capacity«¦=«#1-3»»):
        self.capacity = capacity
        self.data = {}
%opt
        self.hits = 0
%let H = y
%end

    def get(self, key«¦, default=None»):
        if key not in self.data:
            return «None¦-1»
%if H=y
        self.hits += 1
%end
        value = self.data.pop(key)
        self.data[key] = value
        return value

    def put(self, key, value):
%alt
        self.data.pop(key, None)
%or
        if key in self.data:
            del self.data[key]
%end
        self.data[key] = value
        if len(self.data) > self.capacity:
            oldest = next(iter(self.data))
            «del self.data[oldest]¦self.data.pop(oldest)»

%use
cache = «C»(«#1-3»)
cache.put('a', «#0-9»)
cache.put('b', «#0-9»)
x = cache.get('«a¦b¦c»')
cache.put('«c¦a¦d»', «#10-19»)
y = cache.get('«a¦b»')
%opt
cache.put(«w», «w»)
%end
print(«list(cache.data)¦cache.data¦x, y¦sorted(cache.data)»)
%if H=y
hits = cache.hits
%end
""", """
%let C = Shape¦Figure¦Form
class «C»:
%opt
    sides = 0

%end
    def __init__(self, name):
        self.name = name

    def area(self):
        «raise NotImplementedError¦return 0»

    def describe(self):
        return «f'{self.name}: {self.area()}'¦self.name + '=' + str(self.area())¦'%s has area %d' % (self.name, self.area())»

%any
class Rect(«C»):
    def __init__(self, w, h):
        super().__init__('rect')
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h

%and
class Square(«C»):
    def __init__(self, size):
        super().__init__(«'square'¦w»)
        self.size = size

    def area(self):
        return self.size «** 2¦* self.size»

%opt
    def describe(self):
        return '[' + super().describe() + ']'

%end
%end
%use
shapes = [«Rect(«#1-9», «#1-9»), Square(«#1-9»)¦Square(«#1-12»), Square(«#1-5»)¦Rect(«#0-4», «#1-6»)»«¦, «C»('blob')»]
%alt
for shape in shapes:
    try:
        print(shape.describe())
    except NotImplementedError:
        print('abstract', shape.name)
%or
total = 0
for shape in shapes:
    if isinstance(shape, «Square¦Rect¦(Square, Rect)»):
        total += shape.area()
print(total)
%or
biggest = max(shapes[:2], key=lambda s: s.area())
text = biggest.describe()
names = [type(s).__name__ for s in shapes]
%end
""", """
%let C = EventBus¦Bus¦Emitter¦Signal¦Hub
%let ON = on¦subscribe¦listen
%let EM = emit¦publish¦fire¦notify
class «C»:
    def __init__(self):
        self.handlers = {}

    def «ON»(self, event, fn):
%alt
        self.handlers.setdefault(event, []).append(fn)
%or
        if event not in self.handlers:
            self.handlers[event] = []
        self.handlers[event].append(fn)
%end

    def «EM»(self, event, *args):
%alt
        for fn in self.handlers.get(event, []):
            fn(*args)
        return len(self.handlers.get(event, []))
%or
        results = []
        for fn in self.handlers.get(event, ()):
            results.append(fn(*args))
        return results
%or
        if event not in self.handlers:
            return None
        return [fn(*args) for fn in self.handlers[event]]
%end

log = []
%use
bus = «C»()
bus.«ON»('«E=save¦login¦tick¦open»', log.append)
bus.«ON»('«E»', lambda x: «x * «#2-5»¦log.append(x * 2)¦print('got', x)¦x + «#1-9»»)
%opt
bus.«ON»('«close¦stop¦«E»»', lambda x: log.insert(0, x))
%end
first = bus.«EM»('«E»', «#1-9»)
second = bus.«EM»('«close¦«E»¦other»', «#1-9»)
print(log)
"""]
