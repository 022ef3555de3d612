"""A bank that enforces its rules with exceptions; failed transfers are undone."""

import random


class BankError(Exception):
    """An operation that the bank refuses."""


class UnknownAccount(BankError):
    def __init__(self, owner):
        super().__init__(f"no account of {owner}")
        self.owner = owner


class InsufficientFunds(BankError):
    def __init__(self, account, amount):
        super().__init__(f"{account.owner} has {account.balance}, not {amount}")
        self.missing = amount - account.balance


class Frozen(BankError):
    pass


class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.frozen = False
        self.entries = []

    def deposit(self, amount):
        if self.frozen:
            raise Frozen(self.owner)
        self.balance += amount
        self.entries.append(amount)

    def withdraw(self, amount):
        if self.frozen:
            raise Frozen(self.owner)
        if amount > self.balance:
            raise InsufficientFunds(self, amount)
        self.balance -= amount
        self.entries.append(-amount)


class Transaction:
    def __init__(self, bank):
        self.bank = bank
        self.undo = []

    def __enter__(self):
        return self

    def move(self, source, target, amount):
        self.bank.find(source).withdraw(amount)
        self.undo.append((source, amount))
        self.bank.find(target).deposit(amount)
        self.undo.append((target, -amount))

    def __exit__(self, kind, error, traceback):
        if kind is not None and issubclass(kind, BankError):
            for owner, amount in reversed(self.undo):
                self.bank.accounts[owner].balance += amount
            self.bank.refused[kind.__name__] = self.bank.refused.get(kind.__name__, 0) + 1
        return False


class Bank:
    def __init__(self):
        self.accounts = {}
        self.refused = {}
        self.log = []

    def open(self, owner, balance):
        self.accounts[owner] = Account(owner, balance)

    def find(self, owner):
        try:
            return self.accounts[owner]
        except KeyError:
            raise UnknownAccount(owner) from None

    def transfer(self, source, target, amount):
        try:
            with Transaction(self) as transaction:
                transaction.move(source, target, amount)
        except InsufficientFunds as error:
            self.log.append((source, error.missing))  # hot: amount < 0
            return False
        except BankError:
            return False
        return True


def main():
    source = random.Random(41)
    bank = Bank()
    owners = [f"owner{number}" for number in range(60)]
    for number, owner in enumerate(owners):
        bank.open(owner, 100 + number * 10)
    before = sum(account.balance for account in bank.accounts.values())
    moved = 0
    for turn in range(12000):
        if turn % 50 == 0:
            account = bank.accounts[owners[turn // 50 % 60]]
            account.frozen = not account.frozen
        giver = source.choice(owners)
        taker = source.choice(owners) if source.random() > 0.02 else "nobody"
        moved += bank.transfer(giver, taker, source.randrange(1, 300))
    after = sum(account.balance for account in bank.accounts.values())
    assert before == after
    print("moved", moved, "refused", dict(sorted(bank.refused.items())))
    checksum = 0
    for owner in owners:
        checksum = (checksum * 31 + bank.accounts[owner].balance + len(bank.accounts[owner].entries)) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
