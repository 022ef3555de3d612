"""A test that fails: find_bug.py finds out why."""

import unittest

from shop import total


class Discounts(unittest.TestCase):
    def test_spring(self):
        self.assertEqual(total([40, 60], "spring"), 90)

    def test_summer(self):
        self.assertEqual(total([40, 60], "summer"), 80)
