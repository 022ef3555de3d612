import pytest


@pytest.fixture
def price():
    return {}["pear"]


def test_price(price):
    assert price
