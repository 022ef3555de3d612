# Two threads run user code while the main thread waits for them.
# conformance: nolocals
import threading

done = {}


def work(name, n):
    total = 0
    for i in range(n):
        total += i
    done[name] = total


workers = []
for name, n in (("a", 3), ("b", 4)):
    t = threading.Thread(target=work, args=(name, n), name=name)
    t.start()
    t.join()
    workers.append(t.name)
result = sorted(done.items())
