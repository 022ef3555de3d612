# Attributes of objects that an outer frame's names reach.
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.log = []

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient")
        self.balance -= amount
        self.log.append(-amount)
        return self.balance


def transfer(source, target, amount):
    left = source.withdraw(amount)
    target.balance += amount
    target.log.append(amount)
    return left


ann = Account("ann", 200)
bob = Account("bob")
everybody = {"ann": ann, "bob": bob}
transfer(ann, bob, 30)
try:
    transfer(bob, ann, 500)
except ValueError as e:
    failed = str(e)
transfer(everybody["bob"], everybody["ann"], 5)
print(ann.balance, bob.balance, ann.log, bob.log)
