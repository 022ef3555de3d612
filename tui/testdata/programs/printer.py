for number in range(60):
    square = number * number
    print("the square of", number, "is", square)
print("done")
