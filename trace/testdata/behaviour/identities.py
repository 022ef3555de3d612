# Ids: of the same object, of equal ones, and reused.
a = []
b = a
print(id(a) == id(b), a is b, id([]) == id([]))
x = 256
y = 256
print(x is y, "ab" is "a" "b")
seen = set()
q = []
for i in range(50):
    q.append([i])
    seen.add(id(q[-1]))
    q.pop()
print(len(seen) <= 50, len(q))


class P:
    pass


p = P()
first = id(p)
p = None
p = P()
print(isinstance(first, int), id(p) == id(p))
d = {id(a): "a"}
print(d[id(b)])
