class ShopError(Exception):
    pass


def look_up(stock, name):
    return stock[name]


def sell(stock, name):
    try:
        return look_up(stock, name)
    except KeyError as error:
        raise ShopError(f"no {name}") from error


def report(stock):
    try:
        sell(stock, "pear")
    except ShopError:
        amount = 1 + stock["apple"]
        return amount


report({"apple": "3"})
