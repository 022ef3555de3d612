"""A small bank whose money does not add up.

A day of transfers is carried out on four accounts. A transfer only moves
money, so the total must stay what it was in the morning. It does not.

What to look for: the audit at the end can only say that the total is wrong;
the transfer that broke it lies many steps back. Run to the audit, then go
backwards to the last moment at which the total was still right.
"""

OPENING = {"ann": 200, "bob": 150, "cy": 240, "dee": 10}

ORDERS = """
ann bob 30
bob cy 75
dee ann 25
cy dee 40
bob ann 5
cy cy 60
dee bob 35
ann cy 90
bob dee 20
cy ann 15
"""


def parse(text):
    """Yield (source, target, amount) for every order."""
    for order in text.split("\n"):
        if order:
            source, target, amount = order.split()
            yield source, target, int(amount)


def transfer(balances, source, target, amount):
    """Move amount from source to target; tell whether there was enough."""
    paid = balances[source] - amount
    received = balances[target] + amount
    if paid < 0:
        return False
    balances[source] = paid
    balances[target] = received
    return True


def audit(balances, expected):
    """Print every balance, and the total beside what it should be."""
    total = sum(balances.values())
    for owner, balance in balances.items():
        print(f"{owner:>8} {balance:5}")
    verdict = "ok" if total == expected else f"WRONG, expected {expected}"
    print(f"{'total':>8} {total:5}  {verdict}")


def main():
    balances = dict(OPENING)
    refused = 0
    for source, target, amount in parse(ORDERS):
        if not transfer(balances, source, target, amount):
            refused += 1
    print(f"{refused} order(s) refused")
    audit(balances, sum(OPENING.values()))


if __name__ == "__main__":
    main()
