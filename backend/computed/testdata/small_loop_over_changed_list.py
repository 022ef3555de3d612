import random
xs = [1, 2, 3, 4]
for x in xs:
    if x == 2:
        xs.remove(random.choice([x]))
print(x)
