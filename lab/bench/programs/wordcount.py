"""Statistics of a text: Counter, defaultdict, bigrams, an index of lines."""

import string
from collections import Counter, defaultdict

VERSE = """The sun had set behind the hill and all the village slept
while in the dark beside the mill an old grey watcher kept
his lantern low his coat drawn tight against the bitter rain
and counted every passing light that moved along the lane
The miller dreamed of golden wheat the baker dreamed of bread
the soldier dreamed of his retreat the widow of the dead
And when the morning came at last and all the village woke
the watcher told of what had passed and no one heard he spoke
"""

FEMININE = ["ship", "sea", "moon", "sword", "song"]


def lines(copies):
    for number in range(copies):
        for line in VERSE.splitlines():
            extra = FEMININE[number % len(FEMININE)]
            yield f"{line}, {extra} {number % 7}"


def words(line):
    cleaned = ""
    for char in line.lower():
        if char in string.ascii_lowercase or char == " ":
            cleaned += char
    return cleaned.split()


class Index:
    def __init__(self):
        self.places = defaultdict(list)
        self.count = Counter()
        self.lengths = defaultdict(int)
        self.following = defaultdict(Counter)
        self.letters = Counter()

    def add(self, number, line):
        previous = None
        for word in words(line):
            self.count[word] += 1
            self.lengths[len(word)] += 1
            self.places[word].append(number)  # hot: number < 0
            self.letters.update(word)
            if previous is not None:
                self.following[previous][word] += 1
            previous = word

    def rare(self):
        return sorted(word for word, count in self.count.items() if count == 1)

    def likely(self, word, length):
        sentence = [word]
        while len(sentence) < length and sentence[-1] in self.following:
            choices = self.following[sentence[-1]].most_common()
            choices.sort(key=lambda pair: (-pair[1], pair[0]))
            sentence.append(choices[len(sentence) % len(choices)][0])
        return " ".join(sentence)


def main():
    index = Index()
    total = 0
    for number, line in enumerate(lines(110), 1):
        index.add(number, line)
        total += len(line)
    print(total, "characters,", sum(index.count.values()), "words,", len(index.count), "different")
    print("often:", sorted(index.count.most_common(5), key=lambda pair: (-pair[1], pair[0])))
    print("lengths:", dict(sorted(index.lengths.items())))
    print("might go on:", index.likely("the", 12))
    checksum = 0
    for word in sorted(index.count):
        checksum = (checksum * 31 + index.count[word] * len(word) + index.places[word][-1]) % 1000003
    for letter, count in sorted(index.letters.items()):
        checksum = (checksum * 7 + ord(letter) * count) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
