# A value that the innermost of many frames changes, seen from all of them.
def down(level, box, trail):
    mine = [level]
    trail.append(mine)
    if level == 12:
        box["deepest"] = trail
        for t in trail:
            t.append("touched")
        trail[:] = trail[:3]
        return box
    result = down(level + 1, box, trail)
    mine.append(len(trail))
    return result


class Walker:
    def __init__(self):
        self.depth = 0
        self.path = []

    def walk(self, tree):
        self.depth += 1
        for key, below in tree.items():
            self.path.append(key)
            self.walk(below)
            self.path.pop()
        self.depth -= 1


box = down(0, {}, [])
w = Walker()
w.walk({"a": {"b": {"c": {}}}, "d": {"e": {}}})
print(box, w.depth, w.path)
