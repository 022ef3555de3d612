xs = [0]
xs.extend(len(xs) for _ in range(3))
d = {}
d.update((i, len(d)) for i in range(3))
print(xs)
