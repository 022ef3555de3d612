# Words counted, grouped and joined: atoms mostly, and lists of them.
def count(text, stop):
    counts = {}
    for line in text.splitlines():
        for word in line.lower().split():
            word = word.strip(".,")
            if word in stop:
                stop[word] += 1
                continue
            counts[word] = counts.get(word, 0) + 1
    return counts


def group(counts):
    groups = {}
    for word, n in counts.items():
        groups.setdefault(n, []).append(word)
        groups[n].sort()
    return groups


def joined(words):
    line = ""
    for word in words:
        line += word + " "
    return line


text = """The cat saw the dog.
The dog saw a bird, a bird."""
stop = {"the": 0, "a": 0}
counts = count(text, stop)
groups = group(counts)
twice = groups[2]
twice += ["more"]
line = joined(twice)
table = "\n".join(f"{w:>5} {n}" for w, n in counts.items())
print(line, groups, stop, table, sep="\n")
