import broken


def test_nothing():
    assert broken
