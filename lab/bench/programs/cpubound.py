"""A CPU-bound program of about 900,000 events at the default scale.

It has nested calls, loops, integers, lists, dicts and strings in the proportions of
ordinary code: most events change one or two small values. It prints a checksum, so that
two runs can be compared.
"""

import argparse


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2:
            n = 3 * n + 1
        else:
            n //= 2
        steps += 1
    return steps


def mix(state, value):
    state ^= value
    state = (state * 1103515245 + 12345) & 0x7FFFFFFF
    return state


def insertion_sort(values):
    for i in range(1, len(values)):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
    return values


def letters(number):
    word = ""
    while number:
        number, digit = divmod(number, 26)
        word = chr(ord("a") + digit) + word
    return word


def tally(words):
    counts = {}
    for word in words:
        key = word[:1]
        counts[key] = counts.get(key, 0) + 1
    return counts


def work(number, state):
    for start in range(number + 1, number + 6):
        state = mix(state, collatz(start))
    values = []
    for _ in range(12):
        state = mix(state, number)
        values.append(state % 100)
    insertion_sort(values)
    words = [letters(value * 37 + number) for value in values]
    counts = tally(words)
    for key in sorted(counts):
        state = mix(state, ord(key[0]) * counts[key])
    return state


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0)
    scale = parser.parse_args().scale
    state = 1
    for number in range(1, int(543 * scale) + 1):
        state = work(number, state)
    print(f"checksum {state}")


if __name__ == "__main__":
    main()
