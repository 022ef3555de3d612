import unittest

import shop


class Prices(unittest.TestCase):
    def test_price(self):
        self.assertEqual(shop.price("pear", 2), 21)

    def test_total(self):
        basket = [("pear", 0)]
        shop.total(basket)


if __name__ == "__main__":
    unittest.main()
