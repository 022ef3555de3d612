"""The tokenizer of the embedded model.

It is context-free: it splits a text from left to right, each time at the longest token that
matches. The tokens are the 256 bytes, nd/1's separators, and some strings that are frequent in
trajectories (`backend/embedded/vocabulary.json`, which Go also reads). Digits and the contents
of values remain single bytes, because a model that sees characters can count, slice and reverse
them.

A token's number is its index: 0 to 255 are bytes, followed by the entries of the file in their
order.
"""

import json
import pathlib
import re

PADDING = "<|padding|>"
KIND = 9  # the lowest bit of a number's kind; the bits below hold the token
VOCABULARY = pathlib.Path(__file__).parents[2] / "backend" / "embedded" / "vocabulary.json"


class Tokenizer:
    """Converts texts to numbers and back. A number fits in 16 bits."""

    def __init__(self, path=VOCABULARY):
        tokens = json.loads(path.read_text(encoding="utf-8"))["tokens"]
        self.words = [bytes([b]) for b in range(256)] + [t.encode() for t in tokens]
        self.ids = {w.decode("latin-1"): i for i, w in enumerate(self.words)}
        if len(self.ids) != len(self.words):
            raise ValueError("vocabulary.json: a token occurs twice")
        longest_first = sorted(self.words, key=len, reverse=True)
        self._cut = re.compile(
            "|".join(re.escape(w.decode("latin-1")) for w in longest_first if len(w) > 1) + "|.", re.S
        ).findall

    def __len__(self):
        return len(self.words)

    def id(self, token):
        """Returns the number of one token, such as `<|frame_sep|>`."""
        return self.ids[token]

    def encode(self, text):
        """Returns the numbers of a text as a list of int."""
        ids = self.ids
        return [ids[w] for w in self._cut(text.encode().decode("latin-1"))]

    def decode(self, numbers):
        """Returns the bytes of numbers."""
        return b"".join(self.words[n] for n in numbers)

    def numbers(self, segments):
        """Returns the numbers of a text that is given as segments (text, kind). The upper bits of
        a number hold its token's kind.

        A token across two segments counts for the segment in which it ends, so the token that
        begins a reply belongs to the reply. The second result holds, for each segment, the
        number of tokens that end in it or before it.
        """
        raw = [t.encode().decode("latin-1") for t, _ in segments]
        ids, numbers, counts = self.ids, [], []
        at, end, i = 0, 0, -1
        kind = 0
        for word in self._cut("".join(raw)):
            at += len(word)
            while at > end:
                if i >= 0:
                    counts.append(len(numbers))
                i += 1
                end += len(raw[i])
                kind = segments[i][1] << KIND
            numbers.append(ids[word] | kind)
        counts += [len(numbers)] * (len(segments) - len(counts))
        return numbers, counts


LETTERS = {}  # the character for each byte in the byte-level vocabularies of other programs


def letters():
    """Returns GPT-2's characters for the 256 bytes."""
    if not LETTERS:
        shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
        hidden = (b for b in range(256) if b not in shown)
        LETTERS.update({b: chr(b) for b in shown})
        LETTERS.update({b: chr(256 + n) for n, b in enumerate(hidden)})
    return LETTERS


def is_mark(word):
    """Returns whether a token is a separator, not text."""
    return word.startswith("<|")


def words_beyond_bytes():
    return [w.decode() for w in Tokenizer().words[256:]]
