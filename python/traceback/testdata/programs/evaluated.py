def run(text):
    return eval(text, {"n": 0})


exec(compile("run('10 // n')", "<generated>", "exec"))
