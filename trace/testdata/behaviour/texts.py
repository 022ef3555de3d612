# Strings: palindromes, anagrams, search, roman numerals, templates, a tokenizer.
import re
from collections import Counter, defaultdict


def failure(pattern):
    table, k = [0], 0
    for ch in pattern[1:]:
        while k and pattern[k] != ch:
            k = table[k - 1]
        k += pattern[k] == ch
        table.append(k)
    return table


def find(text, pattern):
    table, k, hits = failure(pattern), 0, []
    for i, ch in enumerate(text):
        while k and pattern[k] != ch:
            k = table[k - 1]
        k += pattern[k] == ch
        if k == len(pattern):
            hits.append(i - k + 1)
            k = table[k - 1]
    return hits


def roman(n):
    out = ""
    for value, sign in zip((10, 9, 5, 4, 1), ("X", "IX", "V", "IV", "I")):
        while n >= value:
            out, n = out + sign, n - value
    return out


def tokens(text):
    kinds = [("number", r"\d+"), ("name", r"[a-z]+"), ("op", r"[-+*/()]"), ("space", r"\s+")]
    pattern = "|".join("(?P<%s>%s)" % k for k in kinds)
    for m in re.finditer(pattern, text):
        if m.lastgroup != "space":
            yield m.lastgroup, m.group()


groups = defaultdict(list)
for word in "tea eat ate tan nat bat".split():
    groups["".join(sorted(word))].append(word)
print(dict(groups), find("abababcab", "abab"), failure("aabaaab"))
print([roman(n) for n in (4, 9, 14, 39)], list(tokens("x1 + 42*(y)")))
print(Counter("mississippi").most_common(2), "{:>8}|{:^7}|{!r:<5}".format("r", "c", "l"))
print("racecar"[::-1], "Hello".swapcase(), "a,b,,c".split(","), "x".join("abc"), "%05.2f" % 3.14159)
print(re.sub(r"(\w+) (\w+)", lambda m: m[2] + " " + m[1], "hello world"), str.maketrans("ab", "ba"))
