from stream import evens, squares, Tree
import stream

firsts = []
for n in evens(6):
    firsts.append(n)
chained = list(squares(evens(5)))
t = Tree(2, Tree(1), Tree(3))
values = [v for v in t]
g = stream.evens(3)
one = next(g)
key = stream.by_length(["ccc", "a", "bb"])
total = sum(x for x in squares([1, 2]))
apply = stream.compose(lambda x: x + 1, lambda x: x * 2)
made = apply(3)
