def test_many():
    raise ExceptionGroup("many", [ValueError("one"), KeyError("two")])
