"""Atoms with long texts, told once and named after that: numbers, texts, bytes and
tuples of these, more of them than npdb remembers. The text of this module is one too.
""" """It goes on and on. """ """And on. """


def letters(n, what="a"):
    return what * n


def passed(text, at):
    part = text[at : at + 5]
    text = text[:at] + part
    return part, text


def big(n):
    x = 7 ** n
    y = x
    x += 1
    pair = (x, y)
    a, b = pair
    return b, pair


def many(n):
    made = []
    for i in range(n):
        text = letters(1200, chr(97 + i % 26)) + str(i)
        made.append(text)
        again = made[i // 2]
    return made


class Box:
    def __init__(self, text):
        self.text = text
        self.by = {text: text, text + "!": [text]}

    def turned(self):
        self.text = self.text[::-1]
        self.by[self.text] = self.text
        del self.by[self.text]
        return self.text


__doc__ = __doc__ * 20
long = letters(2000)
same = letters(2000)
odd = letters(1500, "\u00e9\u4e2d\ud800\n\x00")
raw = letters(3000, "b").encode()
huge = letters(100000)
for at in range(0, 30, 10):
    got, long = passed(long, at)
    huge, long = long, huge
number, pair = big(2000)
negative = -number
digits = 10 ** 5000
other = digits
digits = 10 ** 5000
numbers = [digits, number, [number], {number: pair}]
texts = many(150)
first = texts[0]
texts[1] = texts[0]
texts[2] = first + first
many_at_once = [letters(1100, chr(97 + i % 26)) + str(i) for i in range(150)]
turned = many_at_once[::-1]
by_text = {text: [text, i] for i, text in enumerate(turned)}
grown = turned[:3]
for text in many_at_once[:90]:
    grown += [text + "!", text, text + "?"]
both = grown, turned, many_at_once[40:80]
box = Box(texts[5])
box.turned()
box.turned()
texts = texts[::-1]
del first
print(len(texts), len(numbers), len(box.text))
