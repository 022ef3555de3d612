# Elements of map that are taken without a call or a for statement.
log = []
a, b = m = map(log.append, [1, 2])
m = map(log.append, [3, 4])
c, d = m
m = map(log.append, [5, 6])
rest = [*m]
m = map(log.append, [7])
rest += m
m = map(log.append, [8])
rest[:] = m
m = map(log.append, [9])
inside = 9 in m
print(log, a, b, c, d, rest, inside)
