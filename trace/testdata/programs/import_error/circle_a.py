import circle_b

value = circle_b.get() + 1
