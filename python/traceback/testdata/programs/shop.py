import sys


def price(item, discount):
    base = len(item) * 10
    label = f"{item}: {base}"
    return base // discount


def total(basket):
    result = 0
    for item, discount in basket:
        result += price(item, discount)
    return result


def main(names):
    basket = [(name, len(name) - 4) for name in names]
    print(total(basket))


if __name__ == "__main__":
    main(sys.argv[1:] or ["apples", "pear"])
