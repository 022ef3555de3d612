VALUE = sum([1, 2])
