import logging
import traceback

import shop

logging.basicConfig()
try:
    shop.total([("pear", 0)])
except ZeroDivisionError:
    for line in traceback.format_exc().splitlines():
        logging.error(line)
logging.error("next order")
