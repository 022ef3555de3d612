import logging

import shop

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
log = logging.getLogger("shop.web")


def handle(order):
    try:
        shop.total(order)
    except ZeroDivisionError:
        log.exception("order failed")


handle([("pear", 0)])
log.error("next order")
