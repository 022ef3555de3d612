# Odd characters in the source: U+2028, U+0085 and a vertical tab end no line.
a = "x y"
b = "xy"
c = "xy"
d = a + b + c
