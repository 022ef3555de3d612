import sys

from loguru import logger

import shop

logger.remove()
logger.add(sys.stderr, format="{time} | {level} | {name}:{function}:{line} - {message}", backtrace=False)


@logger.catch
def run(basket):
    shop.total(basket)


run([("pear", 0)])
