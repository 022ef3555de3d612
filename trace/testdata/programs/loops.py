# while … else, for … else, break, continue, nested; a loop that never runs.
found = None
n = 3
while n:
    n -= 1
    if n == 5:
        break
else:
    found = "else"
for i in range(2):
    for j in range(3):
        if j == 1:
            continue
        if j == 2:
            break
    else:
        found = "never"
else:
    found = (i, j)
for k in ():
    pass
else:
    empty = True
while False:
    never = 1
