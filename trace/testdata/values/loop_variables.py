# Loop variables that are targets: items, attributes, nested unpacking.
class Box:
    pass


box = Box()
slots = [None, None]
names = {}
for slots[0] in range(2):
    pass
for box.value in "ab":
    names[box.value] = slots
for i, (names["x"], *slots) in enumerate([(1, 2, 3), (4, 5)]):
    slots.append(i)
for box.a, box.b in [(names, slots)]:
    box.a["y"] = box.b
with open(__file__) as box.file:
    box.line = next(box.file)
box.file = None
[slots[0] for slots[0] in [7]] if False else None
for k in list(names):
    del names[k]
else:
    names["else"] = k
try:
    for box.n in 1, 0:
        1 // box.n
except ZeroDivisionError as error:
    box.error = error
    error.box = box
print(slots, names, box.line[:6], box.a is names)
