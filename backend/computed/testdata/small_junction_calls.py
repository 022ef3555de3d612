def on(p):
    return p > 5
d = 1
y = d and on(d)
print(y)
