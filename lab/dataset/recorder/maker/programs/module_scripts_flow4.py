"""Scripts with rare features: coroutines, exception groups, rare operators and
built-ins."""

SCRIPTS = ["""
class Pause:
    def __init__(self, ticks):
        self.ticks = ticks

    def __await__(self):
        for tick in range(self.ticks):
            yield tick
        return self.ticks

%let N = fetch¦load¦compute¦work
async def «N»(number):
%opt 0.7
    waited = await Pause(«#0-2»)
%end
    return number «+¦*¦-» «#2-9»

%alt
async def gather(limit):
    total = 0
    for number in range(limit):
        total += await «N»(number)
    return total
%or
async def gather(limit):
    found = [await «N»(number) for number in range(limit)]
    return found[::-1]
%or
async def gather(limit):
    first = await «N»(limit)
    second = await «N»(first)
    return first, second
%end

def run(task):
    steps = 0
    try:
        while True:
            task.send(None)
            steps += 1
    except StopIteration as stop:
        return steps, stop.value
%use
result = run(gather(«#1-3»))
print(result)
""", """
%alt
async def count_up(limit):
    for number in range(limit):
        yield number «+¦*» «#1-4»
%or
class count_up:
    def __init__(self, limit):
        self.limit, self.at = limit, 0

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.at == self.limit:
            raise StopAsyncIteration
        self.at += 1
        return self.at
%end

%alt
async def collect(limit):
    found = []
    async for number in count_up(limit):
        if number % 2 == «#0-1»:
            found.append(number)
    return found
%or
async def collect(limit):
    found = [number * «#2-5» async for number in count_up(limit)]
    async for number in count_up(2):
        found.append(number)
    return found
%or
async def collect(limit):
    source = aiter(count_up(limit))
    first = await anext(source)
    rest = 0
    async for number in source:
        rest += number
    return first, rest, await anext(source, «-1¦None»)
%end
%use
task = collect(«#2-4»)
try:
    task.send(None)
except StopIteration as stop:
    result = stop.value
print(result)
""", """
%let N = Session¦Lock¦Guard¦Gate
class «N»:
    def __init__(self, name):
        self.name = name
        self.log = []

    async def __aenter__(self):
        self.log.append('in ' + self.name)
        return self

    async def __aexit__(self, kind, error, trace):
        self.log.append('out' if kind is None else kind.__name__)
        return «kind is not None¦kind is ValueError¦True»

async def use(name, number):
    async with «N»(name) as held:
%alt
        if number > «#2-6»:
            raise ValueError(number)
        held.log.append(number)
%or
        held.log.append(10 // number)
%end
    return held.log
%use
%raises
%let ARG = «#0-9»
task = use('«a¦db¦x»', «ARG»)
try:
    task.send(None)
except StopIteration as stop:
    result = stop.value
    print(result)
""", """
def check(values):
    errors = []
    for value in values:
%alt
        if not isinstance(value, int):
            errors.append(TypeError(value))
        elif value < 0:
            errors.append(ValueError(value))
%or
        try:
            10 // int(value)
        except Exception as error:
            errors.append(error)
%end
    if errors:
        raise ExceptionGroup('«bad values¦invalid¦errors»', errors)
    return len(values)

def report(values):
    seen = []
    try:
        seen.append(check(values))
    except* (ValueError«, ArithmeticError¦») as group:
        for error in group.exceptions:
            seen.append(str(error))
    except* «TypeError¦Exception» as group:
        seen.append(len(group.exceptions))
%opt 0.4
    finally:
        seen.append('done')
%end
    return seen
%use
%raises
result = report([«#1-9», «-3¦0¦'x'», «'seven'¦-1¦4»«¦, None»])
print(result)
""", """
%let N = Vector¦Row¦Point
class «N»:
    def __init__(self, *parts):
        self.parts = parts

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.parts, other.parts))

    def __pos__(self):
        return «N»(*(abs(part) for part in self.parts))
%let M = y¦n
%if M=y

    def __imatmul__(self, other):
        self.parts = tuple(a * b for a, b in zip(self.parts, other.parts))
        return self
%end
%use
a = «N»(«#-4-9», «#-4-9»«¦, «#-4-9»»)
b = «N»(«#1-5», «#-3-5», «#1-5»)
dot = a @ b
%if M=y
a @= b
%end
c = +a
print(dot, c.parts, c @ c)
""", """
type «T=Pair¦Item¦Entry» = tuple[«int¦str», int]

def best(entries: list[«T»]) -> «T»:
    top = entries[0]
    for entry in entries[1:]:
        if entry[1] > top[1]:
            top = entry
    return top
%use
data = [(«#1-9», «#1-30»), («#1-9», «#1-30»)«¦, («#1-9», «#1-30»)»]
top = best(data)
print(top)
""", """
%let N = Box¦Record¦Config
class «N»:
    def __init__(self, **given):
        for name in given:
            setattr(self, name, given[name])

def drop(box, *names):
    gone = []
    for name in names:
        if hasattr(box, name):
            gone.append(getattr(box, name))
            delattr(box, name)
        else:
            gone.append(«None¦name¦-1»)
    return gone
%use
box = «N»(size=«#1-9», tag=«w», left=«#0-3»)
gone = drop(box, «'size'¦'tag'», «'depth'¦'left'¦'size'»)
print(gone, hasattr(box, 'left'))
""", """
def patch(data, place, new):
    buffer = bytearray(data)
    window = slice(place, place + len(new)«¦, None»)
    old = bytes(buffer[window])
    buffer[window] = new
%opt
    buffer.append(«#65-90»)
%end
%opt
    view = memoryview(buffer)
    first = view[0]
    view.release()
%end
    return old, buffer.decode('ascii')
%use
result = patch(b'«abcdef¦hello you¦0123456»', «#0-4», b'«XY¦-¦zzz»')
print(result)
""", """
def turn(z, times):
    found = []
    for _ in range(times):
        z = z * complex(0, «1¦-1»)
        found.append(«z¦z.real¦abs(z)¦(z.real, z.imag)»)
    return found
%use
z = complex(«#-3-5», «#1-4»)
print(turn(z, «#2-4»), z.conjugate(), -z, +z)
""", """
def clean(text, mode):
    try:
        if mode == 'encode':
            return text.encode('ascii')
        if mode == 'decode':
            return text.encode('latin-1').decode('utf-8')
        return ascii(text)
    except UnicodeEncodeError as error:
        return error.reason, error.object
    except UnicodeDecodeError as error:
        return error.reason
%use
found = [clean(«'café'¦'naïve é'¦'plain'», mode) for mode in ('encode', 'decode', 'ascii')]
print(found)
""", """
%let E = OSError¦FileNotFoundError¦PermissionError¦TimeoutError¦ConnectionError¦ConnectionResetError¦BrokenPipeError¦InterruptedError¦IsADirectoryError¦FileExistsError¦ImportError¦ModuleNotFoundError¦OverflowError¦FloatingPointError¦BufferError¦EOFError¦ReferenceError¦SystemError¦NotImplementedError¦UserWarning¦DeprecationWarning¦RuntimeWarning¦ResourceWarning¦UnicodeError¦BlockingIOError¦ChildProcessError¦NotADirectoryError¦ProcessLookupError¦ConnectionAbortedError¦ConnectionRefusedError
%let P = OSError¦Exception¦(LookupError, ArithmeticError)¦(OSError, Warning)¦(RuntimeError, ImportError, EOFError)
attempts = []

def attempt(number):
    attempts.append(number)
    if number «%¦//» 2:
        raise «E»(«'failed'¦number¦'no', number¦»)
    return number

def retry(times):
    for number in range(times, 0, -1):
        try:
            return attempt(number)
        except «P» as error:
            last = «error¦type(error).__name__¦repr(error)¦error.args»
%opt 0.3
        finally:
            attempts.append('.')
%end
    return last
%use
%raises
result = retry(«#1-4»)
print(result, attempts)
"""]
