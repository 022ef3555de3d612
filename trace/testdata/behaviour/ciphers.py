# Ciphers: Caesar, Vigenère, a substitution, base64 by hand, run lengths.
import string


def caesar(text, key):
    out = ""
    for ch in text:
        if ch.isalpha():
            base = ord("a") if ch.islower() else ord("A")
            out += chr((ord(ch) - base + key) % 26 + base)
        else:
            out += ch
    return out


def vigenere(text, key, sign=1):
    result, i = [], 0
    for ch in text:
        if ch in string.ascii_lowercase:
            shift = string.ascii_lowercase.index(key[i % len(key)]) * sign
            result.append(caesar(ch, shift))
            i += 1
        else:
            result.append(ch)
    return "".join(result)


class Substitution:
    def __init__(self, key):
        rest = [c for c in string.ascii_lowercase if c not in key]
        letters = list(dict.fromkeys(key)) + rest
        self.table = dict(zip(string.ascii_lowercase, letters))
        self.back = {v: k for k, v in self.table.items()}

    def encode(self, text):
        return "".join(self.table.get(c, c) for c in text)

    def decode(self, text):
        return "".join(self.back.get(c, c) for c in text)


def base64(data):
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    bits = "".join(f"{b:08b}" for b in data)
    bits += "0" * (-len(bits) % 6)
    text = "".join(alphabet[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return text + "=" * (-len(text) % 4)


def run_lengths(text):
    runs = []
    for c in text:
        if runs and runs[-1][0] == c:
            runs[-1][1] += 1
        else:
            runs.append([c, 1])
    return runs


secret = caesar("Hello, World", 3)
print(secret, caesar(secret, -3))
v = vigenere("attack at dawn", "lemon")
print(v, vigenere(v, "lemon", -1))
s = Substitution("zebra")
print(s.encode("flee at once"), s.decode(s.encode("flee at once")))
print(base64(b"any carnal pleas"), run_lengths("aaabccd"))
