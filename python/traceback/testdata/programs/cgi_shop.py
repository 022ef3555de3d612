import cgitb

import shop

cgitb.enable(format="text")


def run(basket):
    shop.total(basket)


run([("pear", 0)])
