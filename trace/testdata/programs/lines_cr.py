# Lines that end in CR alone, beside lines that end in LF.x = 1y = x + 1
z = y
w = z + 1
