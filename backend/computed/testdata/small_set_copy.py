words = {"a", "b", "c", "d", "e"}
words.discard("a")
for w in words.copy():
    print(w)
u = words.copy()
