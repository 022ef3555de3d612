# Code made of text that changes names.
x = [1]
names = {"x": x}
exec("x.append(2); y = x")
exec("y = [3]; x = x + y", names)
names["x"].append("names")
z = eval("x.append(4) or len(x)")
code = compile("y = [y]\nfor i in range(2): y.append(i)", "made", "exec")
exec(code)


def inside():
    here = [0]
    exec("here.append(1)")
    exec("here.append(2)", {"here": here})
    there = eval("[h + 1 for h in here]", {"here": here})
    exec("global made; made = [5]")
    return here, there


a, b = inside()
made.append(6)
eval("a.append(b)")
print(x, y, z, a, b, made, names["x"])
