before = [1]
import errors
x = before[0] / 0
after = 2
