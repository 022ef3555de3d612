try:
    print("a", end=5)
except TypeError as e:
    m = str(e)
