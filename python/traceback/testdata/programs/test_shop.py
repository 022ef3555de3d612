import pytest

import shop


@pytest.fixture
def basket():
    return [("apples", 2), ("pear", 0)]


def test_total(basket):
    expected = 30
    assert shop.total(basket) == expected


def test_price():
    long = "x" * 300
    many = list(range(20))
    assert shop.price("pear", 2) == 21, (long, many)


class TestMain:
    @pytest.mark.parametrize("names", [["pear", "fig"]])
    def test_main(self, names):
        shop.main(names)
