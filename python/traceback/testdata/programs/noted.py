def read(path):
    error = OSError(2, "No such file or directory", path)
    error.add_note("while reading the prices")
    error.add_note("of the shop")
    raise error


read("prices.txt")
