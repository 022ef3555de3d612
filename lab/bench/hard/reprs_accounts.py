"""Accounts whose reprs nest."""

import zlib


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.entries = []

    @property
    def balance(self):
        return sum(entry.amount for entry in self.entries)

    def __repr__(self):
        return f"Account({self.owner}, {self.balance}, {self.entries})"


class Entry:
    def __init__(self, account, amount):
        self.account = account
        self.amount = amount

    def __repr__(self):
        return f"Entry({self.account.owner}, {self.amount})"


def pay(source, target, amount):
    source.entries.append(Entry(target, -amount))  # hot: amount is None
    target.entries.append(Entry(source, amount))


accounts = [Account(name) for name in ("ann", "bob", "cy", "dee")]
for n in range(300):
    pay(accounts[n % 4], accounts[(n * 7 + 1) % 4], n % 13)
print("checksum", zlib.crc32(repr([a.balance for a in accounts]).encode()))
