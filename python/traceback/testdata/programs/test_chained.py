def convert(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError("no number: " + text) from error


def test_convert():
    assert convert("x1") == 1
